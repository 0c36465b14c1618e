#pragma once

#include <string>
#include <vector>

#include <abgate/base/result.hpp>

namespace abgate::standin {

inline constexpr std::string_view version_text = "madengine 2.1.0-standin";

/// madengine's exit statuses (FORMATS 2).
enum class Exit : int { success = 0, failure = 1, usage = 2, run_failure = 3, arguments = 4 };

enum class Command { help, version, run, node, stray };

/// The command line, read. `node` and `stray` are internal: the engine starts itself with them.
struct Arguments {
  Command command = Command::help;
  std::string manifest;
  std::string output = "perf.csv";
  bool live_output = false;
  bool verbose = false;
  int timeout_seconds = 7200;  ///< madengine's own default; only printed, the model's counts
  std::string deployment;      ///< node: tag of logs and folders; empty: `SLURM_JOB_ID`
  int rank = -1;               ///< node: outside Slurm
  std::string host;            ///< node: outside Slurm
  int seconds = 300;           ///< stray
};

struct ArgumentError {
  Exit exit = Exit::usage;
  std::string message;
};

Result<Arguments, ArgumentError> parse_arguments(const std::vector<std::string>& argv);

std::string_view usage_text();

}  // namespace abgate::standin
