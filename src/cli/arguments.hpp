#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <abgate/config/resolve.hpp>

namespace abgate::cli {

enum class Command {
  none,
  run,
  plan,
  validate,
  score,
  report,
  configs,
  selftest,
  doctor,
  inner,
  node_facts
};

/// What the command line asks for, before anything is looked up.
struct Arguments {
  Command command = Command::none;
  std::string workload;
  std::string cluster;
  std::vector<std::string> config_dirs;
  config::Options options;
  bool dry_run = false;
  bool quiet = false;
  std::string format = "text";
  std::string out_dir;                 ///< plan --out
  std::vector<std::string> baseline;   ///< score
  std::vector<std::string> candidate;  ///< score
  std::vector<std::string> files;      ///< validate
  std::string target;                  ///< report: DIR or gate.json
  std::string kind;                    ///< configs: workloads, clusters or suites; empty: all
  std::string resume;                  ///< run --resume
  std::string scratch;                 ///< node-facts
  std::string inner_work_dir;
  pid_t serve = 0;
};

/// Either arguments, or text to show and an exit code (help, version, a usage error).
struct ParsedArguments {
  std::optional<Arguments> arguments;
  int exit_code = 0;
  std::string out;
  std::string err;
};

ParsedArguments parse_arguments(int argc, const char* const* argv);

}  // namespace abgate::cli
