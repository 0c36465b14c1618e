#pragma once

#include <optional>
#include <string>
#include <vector>

#include <abgate/base/json.hpp>
#include <abgate/model/verdict.hpp>

namespace abgate {

/// What condensing the logs of a phase came to (LESSONS 31). Sizes count a text with several names
/// once.
struct LogSpace {
  std::int64_t bytes_before = 0;
  std::int64_t bytes_after = 0;
  std::int64_t lines_folded = 0;
  std::vector<std::string> copies;    ///< names that now lead to the text of another file
  std::vector<std::string> removed;   ///< copies that nobody reads, for --max-log-size
  std::vector<std::string> problems;  ///< files that stay as they were, and why
};

struct PhaseRecord {
  int index = 0;
  Side side = Side::baseline;
  std::string state;  ///< `planned`, `running`, `done`, `not_run`
  std::optional<time::Instant> start;
  std::optional<time::Instant> end;
  std::optional<ProcessEnd> exit;
  std::vector<std::string> nodes;
  std::string directory;  ///< as given, or relative to the work directory
  std::string manifest_sha256;
  std::string proof;                    ///< `phase.json`, or `no phase proof`
  std::vector<NodeFacts> nodes_before;  ///< state of the nodes when it started
  std::vector<NodeFacts> nodes_after;   ///< and when it had ended
  std::optional<LogSpace> logs;         ///< nothing: they were left raw
};

struct AllocationRecord {
  std::string job_id;
  std::vector<std::string> nodes;
  std::optional<time::Instant> submitted;
  std::optional<time::Instant> granted;
  std::optional<time::Instant> ended;
  bool foreign = false;               ///< `--use-allocation`: not ours, never cancelled
  std::vector<std::string> messages;  ///< salloc's lines
  std::vector<std::string> scrubbed;  ///< names of inherited variables that were removed
};

/// An earlier attempt of a gate that was resumed. Its phases were repeated.
struct AttemptRecord {
  std::string run_id;
  std::string directory;  ///< relative to the work directory; what it left lies there
  std::string job_id;     ///< empty when it had no allocation
  std::string step;       ///< how far it came
  std::optional<int> signal;
};

/// `gate.json`: everything known about one gate; every report is a function of it and of nothing
/// else.
struct GateRecord {
  std::string run_id;
  std::string command;  ///< run or score
  std::string tool_version;
  std::string step;  ///< how far it came: `planned`, `allocated`, `phase 1`, …, `finished`
  std::optional<time::Instant> started;
  std::optional<time::Instant> finished;
  std::optional<int> signal;  ///< that ended it
  Verdict verdict = Verdict::no_verdict;
  int exit_code = 3;
  bool advisory = false;
  Order order = Order::ab;
  std::vector<Reason> reasons;
  std::vector<LegResult> legs;
  std::optional<MetricSource> source;
  std::vector<PhaseRecord> phases;
  std::optional<AllocationRecord> allocation;
  std::vector<AttemptRecord> attempts;  ///< before this one, oldest first
  Json config;  ///< effective, with origins; names of secret variables at most
};

}  // namespace abgate
