#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <sys/types.h>

#include <abgate/model/evidence.hpp>

namespace abgate::process {

using Clock = std::chrono::steady_clock;

/// A program to start: argv, never a shell; the whole environment, never an inherited one.
struct Command {
  /// argv[0] is looked up in the PATH of `environment`; with a slash it is relative to our own
  /// directory, not to `directory`.
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  ///< complete
  std::string directory;                                         ///< empty: ours
  std::string input = {};  ///< a file to be its standard input; empty: /dev/null
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
/// Never became the program; `stage` is `pipe`, `fork`, `input`, `chdir` or `exec`, `error` an
/// errno.
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
  /// Called ten times a second; a text asks to end the child and becomes TimedOut::reason. Not
  /// called any more once the child has ended or is being ended.
  std::function<std::optional<std::string>(Clock::time_point now)> should_stop;
  /// Called once when the child has been started.
  std::function<void(pid_t)> on_started;
};

struct Limits {
  std::chrono::milliseconds grace{5000};  ///< between SIGTERM and SIGKILL of the group
  /// When this process is gone the child is ended (0: nobody is watched). The inner abgate watches
  /// the outer.
  pid_t serve = 0;
  /// For cleaning up after a signal: it neither prevents the start nor ends the child.
  bool despite_signals = false;
};

/// Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGCHLD for its lifetime; they are taken only inside
/// `run` (and `pending_signal`), at one place. Ignores SIGPIPE, so that a closed stdout is an error
/// of write(2). Make one in `main`'s thread before anything is started, and only one at a time.
///
/// A SIGHUP that was ignored at the start stays ignored (nohup). A SIGINT does not: shells without
/// job control start every background command with SIGINT ignored, and `kill -INT` has to work
/// there too.
class SignalGate {
 public:
  SignalGate();
  /// Puts masks and handlers back. A signal that nobody asked for has its default effect then; one
  /// that came after a first one is dropped.
  ~SignalGate();
  SignalGate(const SignalGate&) = delete;
  SignalGate& operator=(const SignalGate&) = delete;
  /// The first of INT, TERM, HUP, QUIT that came so far, 0 when none did. Later ones change
  /// nothing.
  int pending_signal();
  /// For ppoll and its kind: the mask that lets our signals in.
  const sigset_t& waiting_mask() const { return waiting_mask_; }

 private:
  std::array<struct sigaction, 6> old_actions_{};  ///< of INT, TERM, HUP, QUIT, CHLD, PIPE
  sigset_t old_mask_{};
  sigset_t waiting_mask_{};
};

/// Starts the command in a process group of its own with stdin from `input`, default signals and
/// no descriptor but 0, 1, 2; waits for it; ends its whole group, descendants that left the group
/// included (issue 4.1).
///
/// A small process of ours, the guard, stands between us and the program. It is the reaper of all
/// orphans below it, so nothing escapes it, and it ends them all when the program has ended, when
/// we ask for it, and when we are gone, SIGKILL included. It has its own session: neither the
/// terminal nor a kill of our process group reaches it or the program.
///
/// When a signal is pending already nothing is started. What ends the child first names the
/// outcome; ask `pending_signal` afterwards for a signal that came too late to be the cause.
/// Not re-entrant, and to be called from the thread that made the gate. Takes at most `grace` and
/// two seconds from the wish to end the child until it returns (five more when the guard is stuck).
/// An abgate below this one gets SIGTERM and ends its own program: give the outer run more grace
/// than the inner one, or the inner has no time to write its record.
Outcome run(const Command& command, const Hooks& hooks, const Limits& limits, SignalGate& gate);

/// Runs to the end and keeps the first `most` bytes of each stream; the rest is read and dropped.
struct Captured {
  Outcome outcome;
  std::string out;
  std::string err;
};
Captured capture(const Command& command, std::chrono::milliseconds timeout, SignalGate& gate,
                 const Limits& limits = {}, std::size_t most = 1 << 20);

/// The absolute path of an executable regular file: `name` itself when it holds a slash, else the
/// first of that name in `path` (a PATH list; as everywhere, an empty entry is our directory).
std::optional<std::string> find_program(const std::string& name, const std::string& path);

}  // namespace abgate::process
