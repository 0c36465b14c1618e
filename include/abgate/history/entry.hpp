#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/record.hpp>

namespace abgate::history {

/// The schema_version of a line that is written, and the newest that is read.
inline constexpr int schema_version = 1;

/// One leg of a gate.
struct Leg {
  std::string precision;
  std::string metric;
  std::string unit;                 ///< of baseline, candidate and reference
  std::optional<double> max_drop;   ///< the limit is 1 - max_drop
  std::optional<double> reference;  ///< what the workload's configuration holds it against
  std::optional<double> baseline;
  std::optional<double> candidate;
  std::optional<double> ratio;
  LegOutcome outcome = LegOutcome::missing;
  friend bool operator==(const Leg&, const Leg&) = default;
};

/// One line of `history.jsonl`: what lists and trends need of a gate.
struct Entry {
  std::string run_id;   ///< also the folder below `runs/` that keeps the record
  std::string command;  ///< run or score
  std::optional<time::Instant> started;
  std::string workload;
  std::string cluster;
  Verdict verdict = Verdict::no_verdict;
  int exit_code = exit_code::no_verdict;
  std::string reason;       ///< code of the most decisive reason; empty for a PASS
  bool same_build = false;  ///< an A/A gate
  std::vector<std::string> nodes;
  std::vector<Leg> legs;
  friend bool operator==(const Entry&, const Entry&) = default;
};

Entry entry_of(const GateRecord& record);

/// One line of JSON without a newline. The text of a record can be anything; bytes that are not
/// UTF-8 are replaced.
std::string to_line(const Entry& entry);

/// Reads a line; keys that are not known, or that older lines lack, are no error. The error is a
/// sentence part: `verdict: "MAYBE" is none of PASS, …`.
Result<Entry, std::string> parse_line(std::string_view line);

}  // namespace abgate::history
