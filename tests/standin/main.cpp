#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "arguments.hpp"
#include "engine.hpp"
#include "node.hpp"

int main(int argc, char** argv) {
  using namespace abgate::standin;
  const auto arguments = parse_arguments({argv, argv + argc});
  if (!arguments) {
    fmt::print(stderr, "{}Error: {}\n", usage_text(), arguments.error().message);
    return static_cast<int>(arguments.error().exit);
  }
  switch (arguments->command) {
    case Command::help:
      fmt::print("{}", usage_text());
      return 0;
    case Command::version:
      fmt::print("{}\n", version_text);
      return 0;
    case Command::run:
      return run_engine(*arguments);
    case Command::node:
      return run_node(*arguments);
    case Command::stray:
      sleep(static_cast<unsigned>(arguments->seconds));
      return 0;
  }
  return static_cast<int>(Exit::usage);
}
