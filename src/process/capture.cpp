#include <algorithm>

#include <fmt/format.h>

#include <abgate/process/process.hpp>

namespace abgate::process {

Captured capture(const Command& command, std::chrono::milliseconds timeout, SignalGate& gate,
                 const Limits& limits, std::size_t most) {
  Captured captured;
  const auto end = Clock::now() + timeout;
  Hooks hooks;
  hooks.on_output = [&](Stream stream, std::string_view bytes) {
    auto& text = stream == Stream::out ? captured.out : captured.err;
    text.append(bytes.substr(0, most - std::min(most, text.size())));
  };
  hooks.should_stop = [&](Clock::time_point now) -> std::optional<std::string> {
    if (now < end) return std::nullopt;
    return fmt::format("did not end within {} ms", timeout.count());
  };
  captured.outcome = run(command, hooks, limits, gate);
  return captured;
}

}  // namespace abgate::process
