// Runs the program named by its arguments and prints how that ended.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <abgate/process/process.hpp>

using namespace abgate::process;

int main(int argc, char** argv) {
  SignalGate gate;
  Command command;
  command.argv.assign(argv + 1, argv + argc);
  for (const char* key : {"PATH", "DIR"}) {
    const char* value = std::getenv(key);  // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr) command.environment.emplace_back(key, value);
  }
  Hooks hooks;
  hooks.on_output = [](Stream, std::string_view bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
  };
  Limits limits;
  limits.grace = std::chrono::milliseconds(1000);
  const auto outcome = run(command, hooks, limits, gate);
  std::printf("%s\n", describe(outcome).c_str());
  return 0;
}
