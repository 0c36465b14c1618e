#include "support/run_program.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace abgate::test {
namespace {

std::string_view name_of(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

std::vector<std::string> merged_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry)
    entries.emplace_back(*entry);
  for (const auto& change : changes) {
    std::erase_if(entries, [&](const auto& entry) { return name_of(entry) == name_of(change); });
    if (change.find('=') != std::string::npos) entries.push_back(change);
  }
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (auto& string : strings)
    result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

// A file in memory, not a pipe: a program that leaves a child behind can't keep the test waiting.
int memory_file(const char* name) {
  const int fd = ::memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  return fd;
}

std::string content(int fd) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

struct ChildSetup {
  char* const* argv;
  char* const* environment;
  const char* cwd;
  int out_fd;
  int err_fd;
};

// Between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(const ChildSetup& setup) {
  ::setpgid(0, 0);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(null, STDIN_FILENO);
  ::dup2(setup.out_fd, STDOUT_FILENO);
  ::dup2(setup.err_fd, STDERR_FILENO);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (*setup.cwd == '\0' || ::chdir(setup.cwd) == 0) {
    ::execvpe(setup.argv[0], setup.argv, setup.environment);
  }
  constexpr std::string_view message = "run_program: the program or its folder does not exist: ";
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, message.data(), message.size());
  written = ::write(STDERR_FILENO, setup.argv[0], std::strlen(setup.argv[0]));
  ::_exit(127);
}

}  // namespace

std::string ProgramResult::describe() const {
  std::string text = "exit " + std::to_string(exit) + ", signal " + std::to_string(signal);
  if (timed_out) text += ", timed out";
  text += ", after " + std::to_string(elapsed.count()) + " ms";
  return text + "\n--- out\n" + out + "\n--- err\n" + err;
}

RunningProgram::RunningProgram(const Command& command)
    : out_fd_(memory_file("out")),
      err_fd_(memory_file("err")),
      started_(std::chrono::steady_clock::now()) {
  auto argv = command.argv;
  auto environment = merged_environment(command.environment);
  const auto argv_pointers = pointers(argv);
  const auto environment_pointers = pointers(environment);
  const std::string cwd = command.cwd;
  pid_ = ::fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) {
    become({argv_pointers.data(), environment_pointers.data(), cwd.c_str(), out_fd_, err_fd_});
  }
  // In both processes, so that a signal to the group can't come too early.
  ::setpgid(pid_, pid_);
}

RunningProgram::~RunningProgram() {
  if (!ended()) {
    send_group_signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(out_fd_);
  ::close(err_fd_);
}

void RunningProgram::send_signal(int signal) const {
  if (!status_) ::kill(pid_, signal);
}

void RunningProgram::send_group_signal(int signal) const {
  ::kill(-pid_, signal);
}

std::string RunningProgram::out() const {
  return content(out_fd_);
}

std::string RunningProgram::err() const {
  return content(err_fd_);
}

bool RunningProgram::ended() {
  if (status_) return true;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
  status_ = status;
  return true;
}

bool RunningProgram::wait_for_output(const std::string& text, std::chrono::milliseconds timeout) {
  const auto seen = [&] {
    return out().find(text) != std::string::npos || err().find(text) != std::string::npos;
  };
  eventually([&] { return seen() || ended(); }, timeout);
  return seen();
}

ProgramResult RunningProgram::wait(std::chrono::milliseconds timeout) {
  ProgramResult result;
  result.timed_out = !eventually([&] { return ended(); }, timeout);
  if (result.timed_out) {
    send_group_signal(SIGKILL);
    eventually([&] { return ended(); }, std::chrono::seconds(10));
  }
  const int status = status_.value_or(0);
  if (status_ && WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  if (status_ && WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = out();
  result.err = err();
  result.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - started_);
  return result;
}

ProgramResult run_program(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment,
                          const std::filesystem::path& cwd, std::chrono::milliseconds timeout) {
  return RunningProgram({argv, environment, cwd}).wait(timeout);
}

bool process_lives(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(stat, text)) return false;
  const auto name_end = text.rfind(") ");
  return name_end != std::string::npos && text[name_end + 2] != 'Z';
}

void poll_pause() {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace abgate::test
