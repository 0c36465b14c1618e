#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <abgate/cli/cli.hpp>
#include <abgate/io/files.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"

namespace abgate::cli {
namespace {

Environment inherited_environment() {
  Environment environment;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

int dispatch(const Arguments& arguments, const World& world) {
  switch (arguments.command) {
    case Command::run:
      return run_command(arguments, world);
    case Command::plan:
      return plan_command(arguments, world);
    case Command::validate:
      return validate_command(arguments);
    case Command::score:
      return score_command(arguments, world);
    case Command::report:
      return report_command(arguments, world);
    case Command::history:
      return history_command(arguments, world);
    case Command::condense:
      return condense_command(arguments);
    case Command::configs:
      return configs_command(arguments, world);
    case Command::help:
      return help_command(arguments);
    case Command::completion:
      return completion_command();
    case Command::man:
      return man_command();
    case Command::selftest:
      return selftest_command();
    case Command::doctor:
      return doctor_command(arguments, world);
    case Command::inner:
      return inner_command(arguments, world);
    case Command::node_facts:
      return node_facts_command(arguments, world);
    case Command::none:
      break;
  }
  return exit_code::usage;
}

/// A stream that the caller closed must not become the next file that is opened: the report would
/// be written into it.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // Read only: what is written there fails, and is told as an error.
    if (::open("/dev/null", O_RDONLY) != stream) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  // A reader that goes away (`| head`) must not kill a gate that holds nodes.
  std::signal(SIGPIPE, SIG_IGN);
  // Nor must a limit on the size of files: it is an error of write(2) like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  const ParsedArguments parsed = parse_arguments(argc, argv);
  if (!parsed.arguments) {
    print_err(parsed.err);
    return print_out(parsed.out) ? parsed.exit_code : exit_code::infra;
  }
  try {
    return dispatch(*parsed.arguments, {inherited_environment(), io::self_path()});
  } catch (const std::exception& problem) {
    // Exceptions are for what cannot be handled (no memory, a bug); this is the one place that
    // catches them.
    print_err(fmt::format("abgate: internal error: {}\n", problem.what()));
    return exit_code::infra;
  }
}

}  // namespace abgate::cli
