#include "arguments.hpp"

#include <functional>
#include <map>

#include <abgate/base/number.hpp>

namespace abgate::standin {
namespace {

using Setter = std::function<bool(Arguments&, const std::string&)>;

bool set_integer(int& target, const std::string& value) {
  const auto read = number::parse_integer(value);
  if (!read || *read < -1 || *read > 10'000'000) return false;
  target = static_cast<int>(*read);
  return true;
}

/// Options that take a value, for every command: the internal ones are simply not advertised.
const std::map<std::string, Setter, std::less<>>& valued_options() {
  static const std::map<std::string, Setter, std::less<>> options = {
      {"--manifest-file",
       [](Arguments& a, const std::string& v) { return !(a.manifest = v).empty(); }},
      {"--output", [](Arguments& a, const std::string& v) { return !(a.output = v).empty(); }},
      {"--timeout",
       [](Arguments& a, const std::string& v) { return set_integer(a.timeout_seconds, v); }},
      {"--deployment",
       [](Arguments& a, const std::string& v) { return !(a.deployment = v).empty(); }},
      {"--rank", [](Arguments& a, const std::string& v) { return set_integer(a.rank, v); }},
      {"--host", [](Arguments& a, const std::string& v) { return !(a.host = v).empty(); }},
      {"--seconds", [](Arguments& a, const std::string& v) { return set_integer(a.seconds, v); }},
  };
  return options;
}

std::string long_name(const std::string& name) {
  if (name == "-m") return "--manifest-file";
  if (name == "-o") return "--output";
  if (name == "-l") return "--live-output";
  if (name == "-v") return "--verbose";
  return name;
}

std::optional<Command> command_of(const std::string& word) {
  if (word == "run") return Command::run;
  if (word == "node") return Command::node;
  if (word == "stray") return Command::stray;
  if (word == "--version" || word == "version") return Command::version;
  if (word == "--help" || word == "-h") return Command::help;
  return std::nullopt;
}

}  // namespace

std::string_view usage_text() {
  return "usage: madengine-standin run -m MANIFEST [-o perf.csv] [--live-output] [--verbose]\n"
         "                             [--timeout SECONDS]\n"
         "       madengine-standin --version\n";
}

Result<Arguments, ArgumentError> parse_arguments(const std::vector<std::string>& argv) {
  Arguments arguments;
  if (argv.size() < 2) return Unexpected{ArgumentError{Exit::usage, "Missing command."}};
  const auto command = command_of(argv[1]);
  if (!command) return Unexpected{ArgumentError{Exit::usage, "No such command '" + argv[1] + "'."}};
  arguments.command = *command;
  for (std::size_t i = 2; i < argv.size(); ++i) {
    const std::string name = long_name(argv[i]);
    if (name == "--live-output") {
      arguments.live_output = true;
    } else if (name == "--verbose") {
      arguments.verbose = true;
    } else if (const auto option = valued_options().find(name); option != valued_options().end()) {
      if (i + 1 == argv.size())
        return Unexpected{
            ArgumentError{Exit::usage, "Option '" + argv[i] + "' requires an argument."}};
      if (!option->second(arguments, argv[++i]))
        return Unexpected{ArgumentError{
            Exit::usage, "Invalid value for '" + argv[i - 1] + "': '" + argv[i] + "'."}};
    } else {
      return Unexpected{ArgumentError{Exit::arguments, "No such option: " + argv[i]}};
    }
  }
  const bool needs_manifest =
      arguments.command == Command::run || arguments.command == Command::node;
  if (needs_manifest && arguments.manifest.empty())
    return Unexpected{ArgumentError{Exit::usage, "Missing option '--manifest-file' / '-m'."}};
  return arguments;
}

}  // namespace abgate::standin
