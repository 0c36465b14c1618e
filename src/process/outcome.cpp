#include <array>
#include <csignal>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <abgate/process/process.hpp>

namespace abgate::process {
namespace {

constexpr std::array<std::pair<int, const char*>, 14> signal_names{{{SIGHUP, "SIGHUP"},
                                                                    {SIGINT, "SIGINT"},
                                                                    {SIGQUIT, "SIGQUIT"},
                                                                    {SIGILL, "SIGILL"},
                                                                    {SIGTRAP, "SIGTRAP"},
                                                                    {SIGABRT, "SIGABRT"},
                                                                    {SIGBUS, "SIGBUS"},
                                                                    {SIGFPE, "SIGFPE"},
                                                                    {SIGKILL, "SIGKILL"},
                                                                    {SIGSEGV, "SIGSEGV"},
                                                                    {SIGPIPE, "SIGPIPE"},
                                                                    {SIGTERM, "SIGTERM"},
                                                                    {SIGXCPU, "SIGXCPU"},
                                                                    {SIGXFSZ, "SIGXFSZ"}}};

std::string signal_text(int number) {
  for (const auto& [known, name] : signal_names) {
    if (known == number) return fmt::format("signal {} ({})", number, name);
  }
  return fmt::format("signal {}", number);
}

struct ToEnd {
  ProcessEnd operator()(const Exited& o) const { return {"exited", o.status, ""}; }
  ProcessEnd operator()(const Signaled& o) const { return {"signaled", o.signal, ""}; }
  ProcessEnd operator()(const TimedOut& o) const { return {"timed_out", 0, o.reason}; }
  ProcessEnd operator()(const Interrupted& o) const { return {"interrupted", o.signal, ""}; }
  ProcessEnd operator()(const SpawnFailed& o) const { return {"spawn_failed", o.error, o.stage}; }
};

struct ToText {
  std::string operator()(const Exited& o) const {
    return fmt::format("exited with status {}", o.status);
  }
  std::string operator()(const Signaled& o) const {
    return fmt::format("was killed by {}", signal_text(o.signal));
  }
  std::string operator()(const TimedOut& o) const { return fmt::format("was ended: {}", o.reason); }
  std::string operator()(const Interrupted& o) const {
    if (o.signal == 0) return "was ended because the abgate that it worked for is gone";
    return fmt::format("was ended because abgate got {}", signal_text(o.signal));
  }
  std::string operator()(const SpawnFailed& o) const {
    return fmt::format("could not be started: {}: {}", o.stage,
                       std::generic_category().message(o.error));
  }
};

}  // namespace

ProcessEnd to_process_end(const Outcome& outcome) {
  return std::visit(ToEnd{}, outcome);
}

std::string describe(const Outcome& outcome) {
  return std::visit(ToText{}, outcome);
}

}  // namespace abgate::process
