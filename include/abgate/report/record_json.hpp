#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/json.hpp>
#include <abgate/model/record.hpp>

namespace abgate::report {

/// The schema_version that is written, and the newest that is read.
inline constexpr int schema_version = 1;

/// The tree of `gate.json`: every key is always there, in one order; what is absent is null.
Json to_json(const GateRecord& record);
/// The text of `gate.json`.
std::string render_json(const GateRecord& record);

/// Reads a `gate.json`. Strict about types and about what the record claims (see
/// `contradictions`), tolerant of unknown keys; a newer schema_version is an error.
Result<GateRecord, Diagnostics> parse_record(std::string_view text, const std::string& file);

/// Where a record's parts do not agree.
struct Contradiction {
  std::string key;                   ///< of the part that claims too much: `verdict`, `legs`
  std::optional<std::size_t> index;  ///< in that part, when it is an array
  std::string message;
};

/// What a record claims and does not bear out; empty for an honest one. A report must not lie
/// (LESSONS 1), so a record with contradictions is not rendered:
/// - the exit code is 128 + signal after a signal; else 0 for REGRESSION and NO_VERDICT of a
///   finished gate with `advisory`; else the verdict's own;
/// - PASS and REGRESSION are what reasons and legs amount to; so are the others once the gate is
///   finished and no signal ended it;
/// - a leg's ratio is candidate / baseline, and its outcome is on the right side of the limit.
std::vector<Contradiction> contradictions(const GateRecord& record);

}  // namespace abgate::report
