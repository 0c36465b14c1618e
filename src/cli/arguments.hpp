#pragma once

#include <cstdint>
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
  condense,
  history,
  configs,
  help,
  completion,
  man,
  selftest,
  doctor,
  inner,
  node_facts
};

/// What `abgate history` does and to which gates.
struct HistoryArguments {
  enum class Action { list, show, trend, export_all, prune };
  Action action = Action::list;
  std::string results_dir;
  std::string workload;
  std::string cluster;
  std::string precision;
  std::string since;  ///< a date, a time or an age
  std::vector<std::string> verdicts;
  std::optional<std::int64_t> last;
  std::string id;  ///< show
  std::string format = "text";
  std::optional<std::int64_t> keep_days;  ///< prune
  std::optional<std::int64_t> keep_last;  ///< prune
  bool dry_run = false;                   ///< prune
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
  std::string out_dir;                 ///< plan --out, score --out
  std::string from;                    ///< run --from: DIR or gate.json
  std::string against;                 ///< report --against: DIR or gate.json
  std::string topic;                   ///< help, or the shell of completion
  std::string code;                    ///< help reasons CODE
  std::vector<std::string> baseline;   ///< score
  std::vector<std::string> candidate;  ///< score
  std::vector<std::string> files;      ///< validate; condense: also folders and `-`
  std::vector<std::string> kinds;      ///< condense: NAME=PATTERN
  std::int64_t auto_above = 0;         ///< condense --auto; 0: off
  std::string output;                  ///< condense -o; empty: in place
  bool stats = false;                  ///< condense
  std::string target;                  ///< report: DIR or gate.json
  std::string kind;                    ///< configs: workloads, clusters or suites; empty: all
  std::string resume;                  ///< run --resume
  std::string scratch;                 ///< node-facts
  HistoryArguments history;
  std::string notify_command;            ///< run, score
  std::vector<std::string> notify_args;  ///< run, score
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

/// An option or a positional argument, as the help shows it.
struct OptionHelp {
  std::vector<std::string> names;  ///< `--format`, `-h`; of a positional: its one name
  std::string value;               ///< `DIR`; empty for a flag
  std::vector<std::string> choices;
  std::string description;
  bool positional = false;
  bool required = false;
};

/// A command with everything that its help says; hidden commands are left out.
struct CommandHelp {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<OptionHelp> options;
  std::vector<CommandHelp> commands;
};

/// The whole command line, for completion and the manual page.
CommandHelp describe_commands();

}  // namespace abgate::cli
