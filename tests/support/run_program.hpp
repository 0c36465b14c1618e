#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace abgate::test {

/// What to run. The program gets /dev/null as its input and a process group of its own.
struct Command {
  std::vector<std::string> argv;
  /// Laid over the environment of the test: `NAME=value` sets, `NAME` alone removes.
  std::vector<std::string> environment;
  std::filesystem::path cwd;
};

struct ProgramResult {
  int exit = -1;   ///< exit status; -1 when a signal ended it
  int signal = 0;  ///< the signal that ended it, or 0
  bool timed_out = false;
  std::string out;
  std::string err;
  std::chrono::milliseconds elapsed{0};

  /// All of it as text, for the message of a failing assertion.
  std::string describe() const;
};

/// A program that runs beside the test. Its process group is killed when this object goes.
class RunningProgram {
 public:
  explicit RunningProgram(const Command& command);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  RunningProgram(RunningProgram&&) = delete;
  RunningProgram& operator=(RunningProgram&&) = delete;

  pid_t pid() const { return pid_; }
  /// To the program alone, as a CI runner does it.
  void send_signal(int signal) const;
  /// To its whole process group, as a terminal does it.
  void send_group_signal(int signal) const;
  /// What it has written so far.
  std::string out() const;
  std::string err() const;
  /// Waits until `text` stands in out() or err(); false when the time is up or the program ended.
  bool wait_for_output(const std::string& text, std::chrono::milliseconds timeout);
  /// Waits for the end; at the timeout the whole group is killed and `timed_out` is set.
  ProgramResult wait(std::chrono::milliseconds timeout);

 private:
  bool ended();

  pid_t pid_ = -1;
  int out_fd_ = -1;
  int err_fd_ = -1;
  std::optional<int> status_;
  std::chrono::steady_clock::time_point started_;
};

/// Runs a program to its end.
ProgramResult run_program(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment = {},
                          const std::filesystem::path& cwd = {},
                          std::chrono::milliseconds timeout = std::chrono::seconds(60));

/// True while the process exists and is not a zombie.
bool process_lives(pid_t pid);

/// Polls `condition` every few milliseconds; false when the time was up first.
template <typename Condition>
bool eventually(Condition condition, std::chrono::milliseconds timeout = std::chrono::seconds(10));

/// Sleeps between two looks of a polling loop.
void poll_pause();

template <typename Condition>
bool eventually(Condition condition, std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    poll_pause();
  }
  return true;
}

}  // namespace abgate::test
