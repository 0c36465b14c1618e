#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abgate/process/process.hpp>

#include "process_table.hpp"
#include "support/files.hpp"
#include "support/run_program.hpp"
#include "support/temp_dir.hpp"

namespace abgate::process {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline const std::string test_path = "/usr/local/bin:/usr/bin:/bin";

/// A shell command with PATH and DIR in its environment.
inline Command shell(const std::string& script, const std::string& directory = "") {
  return {{"sh", "-c", script}, {{"PATH", test_path}, {"DIR", directory}}, ""};
}

using test::eventually;
using test::ScratchFolder;
using test::slurp;

/// Alive: neither gone nor waiting to be asked for its status.
inline bool is_alive(pid_t pid) {
  const auto process = read_process(pid);
  return process && process->state != 'Z';
}

/// The pid that a child writes into a file, 0 while it is not there.
inline pid_t pid_in(const std::string& path) {
  const auto text = slurp(path);
  return text.ends_with('\n') ? std::atoi(text.c_str()) : 0;
}

/// Shell text: starts a process in a session of its own that ignores SIGTERM, holds the streams,
/// and has written its pid to $DIR/escaped before the text goes on.
inline const std::string escape =
    R"(setsid sh -c 'trap "" TERM; echo $$ >"$DIR/escaped"; while :; do sleep 1; done' &
until [ -s "$DIR/escaped" ]; do sleep 0.01; done
)";

/// A run with everything that its hooks were told.
struct Recorded {
  Outcome outcome = Exited{};
  std::string out;
  std::string err;
  std::size_t largest = 0;
  pid_t pid = 0;
  int started = 0;
  milliseconds took{0};  ///< the whole run, or from `ready` to the end
};

inline Recorded record(const Command& command, Limits limits = {}, Hooks hooks = {}) {
  Recorded recorded;
  SignalGate gate;
  const auto on_started = hooks.on_started;
  hooks.on_output = [&](Stream stream, std::string_view bytes) {
    (stream == Stream::out ? recorded.out : recorded.err).append(bytes);
    recorded.largest = std::max(recorded.largest, bytes.size());
  };
  hooks.on_started = [&](pid_t pid) {
    recorded.pid = pid;
    ++recorded.started;
    if (on_started) on_started(pid);
  };
  const auto start = Clock::now();
  recorded.outcome = run(command, hooks, limits, gate);
  recorded.took = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
  return recorded;
}

/// A run whose budget is used up as soon as the program has written a line `ready`: however slow
/// the machine is, it has set its traps by then.
inline Recorded record_until_ready(const Command& command, Limits limits = {}) {
  Recorded recorded;
  SignalGate gate;
  Clock::time_point ready;
  Hooks hooks;
  hooks.on_output = [&](Stream stream, std::string_view bytes) {
    if (stream == Stream::out) recorded.out.append(bytes);
    if (ready == Clock::time_point() && recorded.out.find("ready\n") != std::string::npos) {
      ready = Clock::now();
    }
  };
  hooks.should_stop = [&](Clock::time_point) -> std::optional<std::string> {
    if (ready == Clock::time_point()) return std::nullopt;
    return "phase budget used up";
  };
  hooks.on_started = [&](pid_t pid) { recorded.pid = pid; };
  recorded.outcome = run(command, hooks, limits, gate);
  recorded.took = std::chrono::duration_cast<milliseconds>(Clock::now() - ready);
  return recorded;
}

/// A fork of the test, for what would change or end the test itself. `work` returns the text that
/// `result` hands over.
class OtherProcess {
 public:
  explicit OtherProcess(const std::function<std::string()>& work) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
    // Above the numbers that a test may close.
    const int result_end = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 50);
    ::close(ends[1]);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setpgid(0, 0);
      const auto text = work();
      if (::write(result_end, text.data(), text.size()) < 0) ::_exit(1);
      ::_exit(0);
    }
    ::setpgid(pid_, pid_);
    ::close(result_end);
    result_ = ends[0];
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  ~OtherProcess() {
    if (pid_ != 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(result_);
  }

  pid_t pid() const { return pid_; }
  void signal(int number) const { ::kill(pid_, number); }

  /// What it returned; waits at most 20 seconds for it.
  std::string result() {
    std::string text;
    std::array<char, 4096> block{};
    const auto end = Clock::now() + seconds(20);
    while (Clock::now() < end) {
      pollfd polled{result_, POLLIN, 0};
      if (::poll(&polled, 1, 100) <= 0) continue;
      const auto got = ::read(result_, block.data(), block.size());
      if (got <= 0) return text;
      text.append(block.data(), static_cast<std::size_t>(got));
    }
    return "no result within 20 s";
  }
  /// Its wait status, once it has ended.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    return status;
  }

 private:
  pid_t pid_ = 0;
  int result_ = -1;
};

}  // namespace abgate::process
