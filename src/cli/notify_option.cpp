#include "notify_option.hpp"

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "output.hpp"

namespace abgate::cli {

std::vector<std::string> notify_argv(const Arguments& arguments) {
  if (arguments.notify_command.empty()) return {};
  std::vector<std::string> argv{arguments.notify_command};
  argv.insert(argv.end(), arguments.notify_args.begin(), arguments.notify_args.end());
  return argv;
}

bool notify_command_found(const Arguments& arguments, const World& world) {
  if (arguments.notify_command.empty()) return true;
  const std::string* path = find_variable(world.environment, "PATH");
  if (process::find_program(arguments.notify_command, path != nullptr ? *path : "")) return true;
  print_err(
      fmt::format("--notify-command: \"{}\" is no executable file and not on PATH; give the "
                  "program alone, and each of its arguments by --notify-arg\n",
                  text::printable(arguments.notify_command)));
  return false;
}

}  // namespace abgate::cli
