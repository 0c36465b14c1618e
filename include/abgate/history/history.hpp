#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/history/entry.hpp>

namespace abgate::history {

/// A line that holds no entry: torn by a writer that was killed, or written by something else.
struct DamagedLine {
  std::int64_t number = 0;  ///< 1-based
  std::string problem;
  friend bool operator==(const DamagedLine&, const DamagedLine&) = default;
};

/// What a `history.jsonl` holds. Damaged lines are skipped and told, never fatal.
struct History {
  std::vector<Entry> entries;  ///< by start; those without one stay behind their predecessor
  std::vector<DamagedLine> damaged;
};

/// Reads a whole history; empty lines don't count.
History parse_history(std::string_view text);

/// `3 damaged lines were skipped: 12, 40, 41`; empty when there is none.
std::string damage_text(const std::vector<DamagedLine>& damaged);

/// Which entries are wanted; what is empty does not restrict.
struct Filter {
  std::string workload;
  std::string cluster;
  std::string precision;               ///< entries with that leg; their other legs are dropped
  std::optional<time::Instant> since;  ///< started then or later
  std::vector<Verdict> verdicts;
  std::optional<std::int64_t> last;  ///< of those that the rest lets through
};

bool matches(const Entry& entry, const Filter& filter);
/// Leaves what the filter lets through.
void apply(const Filter& filter, History& history);

/// What `prune` keeps: an entry that one of the two keeps is kept.
struct Policy {
  std::optional<time::Instant> since;  ///< entries from then on, and those without a start
  std::optional<std::int64_t> last;    ///< the newest of each workload and cluster
};

/// Ids of the entries that the filter matches (`last` of it is not looked at) and the policy does
/// not keep.
std::vector<std::string> expired(const History& history, const Filter& filter,
                                 const Policy& policy);

/// The text without the entries of these ids; every other line stays byte for byte, damaged ones
/// too.
std::string without(std::string_view text, const std::vector<std::string>& ids);

}  // namespace abgate::history
