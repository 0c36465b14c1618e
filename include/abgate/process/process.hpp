#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <sys/types.h>

#include <abgate/model/evidence.hpp>

namespace abgate::process {

using Clock = std::chrono::steady_clock;

/// A program to start: argv, never a shell; the whole environment, never an inherited one.
struct Command {
  std::vector<std::string> argv;                                 ///< argv[0] is looked up in `path`
  std::vector<std::pair<std::string, std::string>> environment;  ///< complete
  std::string directory;                                         ///< empty: ours
};

struct Exited {
  int status = 0;
};
struct Signaled {
  int signal = 0;
};
/// Ended by us because a budget was used up; `reason` says which.
struct TimedOut {
  std::string reason;
};
/// Ended by us because we got a signal, or because the process that we serve is gone (signal 0).
struct Interrupted {
  int signal = 0;
};
/// Never became the program; `stage` is `pipe`, `fork`, `chdir` or `exec`.
struct SpawnFailed {
  std::string stage;
  int error = 0;
};
using Outcome = std::variant<Exited, Signaled, TimedOut, Interrupted, SpawnFailed>;

ProcessEnd to_process_end(const Outcome& outcome);
/// One sentence part: `exited with status 3`, `could not be started: exec: No such file or
/// directory`.
std::string describe(const Outcome& outcome);

enum class Stream { out, err };

/// Called from the one loop that waits for the child.
struct Hooks {
  /// Bytes as they come; never more than 64 KiB at once.
  std::function<void(Stream, std::string_view)> on_output;
  /// Called at least once a second; a text asks to end the child and becomes TimedOut::reason.
  std::function<std::optional<std::string>(Clock::time_point now)> should_stop;
  /// Called once when the child has been started.
  std::function<void(pid_t)> on_started;
};

struct Limits {
  std::chrono::milliseconds grace{5000};  ///< between SIGTERM and SIGKILL of the group
  /// When this process is gone the child is ended (0: nobody is watched). The inner abgate watches
  /// the outer.
  pid_t serve = 0;
};

/// Blocks SIGINT, SIGTERM, SIGHUP and SIGCHLD for its lifetime; they are taken only inside `run`
/// (and `pending_signal`), at one place. Make one in `main`'s thread before anything is started.
class SignalGate {
 public:
  SignalGate();
  ~SignalGate();
  SignalGate(const SignalGate&) = delete;
  SignalGate& operator=(const SignalGate&) = delete;
  /// The first of INT, TERM, HUP that came so far, 0 when none did.
  int pending_signal();
};

/// Starts the command in a process group of its own with stdin from /dev/null, default signals and
/// no descriptor but 0, 1, 2; waits for it; ends its whole group, descendants that left the group
/// included.
Outcome run(const Command& command, const Hooks& hooks, const Limits& limits, SignalGate& gate);

/// Runs to the end and keeps at most `limit` bytes of each stream.
struct Captured {
  Outcome outcome;
  std::string out;
  std::string err;
};
Captured capture(const Command& command, std::chrono::milliseconds timeout, SignalGate& gate,
                 std::size_t limit = 1 << 20);

/// The absolute path of a program: itself when it holds a slash, else found in `path` (a PATH
/// list).
std::optional<std::string> find_program(const std::string& name, const std::string& path);

}  // namespace abgate::process
