#include "children.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace abgate::standin {
namespace {

using std::chrono::steady_clock;

sigset_t watched_signals() {
  sigset_t set{};
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD})
    sigaddset(&set, signal);
  return set;
}

/// In the child, or instead of this process: never returns.
[[noreturn]] void execute(const std::vector<std::string>& argv) {
  sigset_t none{};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  // execvp takes pointers to non-const by history; it does not change them.
  for (const auto& argument : argv)
    arguments.push_back(const_cast<char*>(argument.c_str()));  // NOLINT(*-const-cast)
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  constexpr int not_found = 127;
  std::perror(argv.front().c_str());
  _exit(not_found);
}

int status_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

}  // namespace

Children::Children() {
  const sigset_t set = watched_signals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

bool Children::spawn(const std::vector<std::string>& argv) {
  std::fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) execute(argv);
  if (pid < 0) return false;
  running_.push_back(pid);
  return true;
}

void Children::reap() {
  std::erase_if(running_, [this](pid_t pid) {
    int status = 0;
    if (waitpid(pid, &status, WNOHANG) != pid) return false;
    if (worst_status_ == 0) worst_status_ = status_of(status);
    return true;
  });
}

void Children::end_all() {
  // srun needs a moment to end the step on every node.
  constexpr auto grace = std::chrono::seconds(3);
  for (const pid_t pid : running_)
    kill(pid, SIGTERM);
  const auto limit = steady_clock::now() + grace;
  while (!running_.empty() && steady_clock::now() < limit) {
    reap();
    usleep(10'000);
  }
  for (const pid_t pid : running_)
    kill(pid, SIGKILL);
  for (const pid_t pid : running_)
    waitpid(pid, nullptr, 0);
  running_.clear();
}

Children::Ending Children::wait_all(std::chrono::seconds deadline) {
  const sigset_t set = watched_signals();
  const auto end = steady_clock::now() + deadline;
  while (true) {
    reap();
    if (running_.empty()) return Ending::all_exited;
    if (steady_clock::now() >= end) {
      end_all();
      return Ending::timed_out;
    }
    constexpr timespec tick{0, 200'000'000};
    const int signal = sigtimedwait(&set, nullptr, &tick);
    if (signal > 0 && signal != SIGCHLD) {
      stop_signal_ = signal;
      end_all();
      return Ending::stopped;
    }
  }
}

std::optional<Pipe> Pipe::open(const std::vector<std::string>& argv) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execute(argv);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return std::nullopt;
  }
  return Pipe(pid, ends[0]);
}

Pipe::Pipe(Pipe&& other) noexcept : pid_(other.pid_), fd_(other.fd_) {
  other.fd_ = -1;
}

Pipe::~Pipe() {
  if (fd_ >= 0) close(fd_);
}

std::optional<std::string> Pipe::line() {
  std::string text;
  char c = 0;
  while (true) {
    const ssize_t got = read(fd_, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text.empty() ? std::nullopt : std::optional(text);
    if (c == '\n') return text;
    text += c;
  }
}

std::optional<int> Pipe::wait(std::chrono::seconds limit) {
  const auto end = steady_clock::now() + limit;
  const sigset_t set = watched_signals();
  while (true) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) return status_of(status);
    constexpr timespec tick{0, 100'000'000};
    const int signal = sigtimedwait(&set, nullptr, &tick);
    if (steady_clock::now() >= end || (signal > 0 && signal != SIGCHLD)) {
      kill(pid_, SIGTERM);
      waitpid(pid_, &status, 0);
      return std::nullopt;
    }
  }
}

std::optional<Captured> capture(const std::vector<std::string>& argv) {
  auto pipe = Pipe::open(argv);
  if (!pipe) return std::nullopt;
  Captured captured;
  while (const auto line = pipe->line())
    captured.output += *line + "\n";
  constexpr std::chrono::seconds limit{10};
  captured.status = pipe->wait(limit).value_or(-1);
  return captured;
}

std::string self_path() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).string();
}

void spawn_stray(bool keep_output, int seconds) {
  std::fflush(stdout);
  const pid_t middle = fork();
  if (middle != 0) {
    if (middle > 0) waitpid(middle, nullptr, 0);
    return;
  }
  setsid();
  if (fork() != 0) _exit(0);
  if (!keep_output) {
    const int null = ::open("/dev/null", O_RDWR);  // NOLINT(*-vararg)
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(null, fd);
    if (null > STDERR_FILENO) close(null);
  }
  execute({self_path(), "stray", "--seconds", std::to_string(seconds)});
}

}  // namespace abgate::standin
