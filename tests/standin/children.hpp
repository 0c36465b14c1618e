#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace abgate::standin {

/// The engine's child processes. They stay in the engine's process group, so that whoever ends
/// the group ends them. No shell is used.
class Children {
 public:
  enum class Ending { all_exited, stopped, timed_out };

  /// Blocks the signals that `wait_all` takes; call before the first spawn.
  Children();

  /// Starts a program found on PATH. False when it could not be started.
  bool spawn(const std::vector<std::string>& argv);

  /// Waits for all children. SIGTERM, SIGINT and SIGHUP, and the deadline, end them first.
  Ending wait_all(std::chrono::seconds deadline);

  /// The first failure among the children: exit status, or 128 + signal; 0 when all succeeded.
  int worst_status() const { return worst_status_; }
  /// The signal that `wait_all` took; 0: none.
  int stop_signal() const { return stop_signal_; }

 private:
  std::vector<pid_t> running_;
  int worst_status_ = 0;
  int stop_signal_ = 0;

  void reap();
  void end_all();
};

/// Standard output and exit status of a short program; nothing when it can't be started.
struct Captured {
  int status = 0;
  std::string output;
};
std::optional<Captured> capture(const std::vector<std::string>& argv);

/// A program's standard output, line by line, while it runs on.
class Pipe {
 public:
  /// Starts the program; its standard error joins its standard output.
  static std::optional<Pipe> open(const std::vector<std::string>& argv);
  Pipe(Pipe&& other) noexcept;
  Pipe& operator=(Pipe&&) = delete;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe();

  /// The next line without its newline; nothing at the end.
  std::optional<std::string> line();
  /// The exit status; nothing when it still runs after `limit`. Ends on SIGTERM and the like, too.
  std::optional<int> wait(std::chrono::seconds limit);

 private:
  Pipe(pid_t pid, int fd) : pid_(pid), fd_(fd) {}
  pid_t pid_;
  int fd_;
};

/// This executable.
std::string self_path();

/// The calling process leaves its session and its parent and sleeps under a name of its own.
void spawn_stray(bool keep_output, int seconds);

}  // namespace abgate::standin
