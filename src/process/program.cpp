#include "program.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <abgate/base/text.hpp>

namespace abgate::process {
namespace {

constexpr int not_started = 127;

bool is_executable(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) &&
         ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0;
}

bool has_slash(const std::string& name) {
  return name.find('/') != std::string::npos;
}

std::string made_absolute(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.lexically_normal().string();
}

/// All places where the name could be, in the order in which they are tried.
std::vector<std::string> candidates(const std::string& name, const std::string& path) {
  if (name.empty()) return {};
  if (has_slash(name)) return {made_absolute(name)};
  std::vector<std::string> all;
  for (const auto folder : text::split(path, ':')) {
    all.push_back(made_absolute(fmt::format("{}/{}", folder.empty() ? "." : folder, name)));
  }
  return all;
}

std::string search_path(const Command& command) {
  for (const auto& [key, value] : command.environment) {
    if (key == "PATH") return value;
  }
  return "/usr/bin:/bin";  // what execvp and shells take
}

/// execve takes C strings: a zero byte would cut the text silently.
bool can_be_passed(const Command& command) {
  const auto clean = [](std::string_view s) { return s.find('\0') == std::string_view::npos; };
  return !command.argv.empty() && clean(command.directory) && clean(command.input) &&
         std::all_of(command.argv.begin(), command.argv.end(), clean) &&
         std::all_of(command.environment.begin(), command.environment.end(), [&](const auto& pair) {
           return !pair.first.empty() && clean(pair.first) && clean(pair.second) &&
                  pair.first.find('=') == std::string::npos;
         });
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> all;
  all.reserve(strings.size() + 1);
  for (const auto& text : strings) {
    // execve does not write to them; its type is older than const.
    all.push_back(const_cast<char*>(text.c_str()));  // NOLINT(*-const-cast)
  }
  all.push_back(nullptr);
  return all;
}

void reset_signals() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) {
    sigaction(number, &standard, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

const char* name(Stage stage) {
  switch (stage) {
    case Stage::pipe:
      return "pipe";
    case Stage::fork:
      return "fork";
    case Stage::input:
      return "input";
    case Stage::chdir:
      return "chdir";
    case Stage::exec:
      break;
  }
  return "exec";
}

std::optional<std::string> find_program(const std::string& name, const std::string& path) {
  for (auto& candidate : candidates(name, path)) {
    if (is_executable(candidate)) return std::move(candidate);
  }
  return std::nullopt;
}

Result<Program, SpawnFailed> Program::prepare(const Command& command) {
  if (!can_be_passed(command)) return Unexpected{SpawnFailed{name(Stage::exec), EINVAL}};
  Program program(command);
  const std::string& called = command.argv.front();
  if (auto found = find_program(called, search_path(command))) {
    program.path_ = std::move(*found);
  } else if (has_slash(called)) {
    program.path_ = made_absolute(called);  // execve says best what is wrong with it
  } else {
    const auto tried = candidates(called, search_path(command));
    const bool present = std::any_of(tried.begin(), tried.end(), [](const std::string& path) {
      return ::access(path.c_str(), F_OK) == 0;
    });
    return Unexpected{SpawnFailed{name(Stage::exec), present ? EACCES : ENOENT}};
  }
  program.environment_.reserve(command.environment.size());
  for (const auto& [key, value] : command.environment) {
    program.environment_.push_back(fmt::format("{}={}", key, value));
  }
  program.argv_ = pointers(command.argv);
  program.envp_ = pointers(program.environment_);
  return program;
}

void Program::fail(int failure, Stage stage) {
  const StartFailure report{stage, errno};
  while (::write(failure, &report, sizeof report) < 0 && errno == EINTR) {
  }
  ::_exit(not_started);
}

/// The guard's stdin, which the program inherits, is /dev/null.
bool Program::take_input() const {
  if (command_->input.empty()) return true;
  const int file = ::open(command_->input.c_str(), O_RDONLY | O_CLOEXEC);  // NOLINT(*-bitwise)
  return file >= 0 && ::dup2(file, STDIN_FILENO) >= 0;
}

// Between fork and execve: nothing here may allocate or take a lock.
void Program::become(int out, int err, int failure, pid_t parent) const {
  ::setpgid(0, 0);
  // When the guard is killed nobody else would end the program.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(not_started);  // it died before we asked for the signal
  if (::dup2(out, STDOUT_FILENO) < 0 || ::dup2(err, STDERR_FILENO) < 0) fail(failure, Stage::pipe);
  if (!take_input()) fail(failure, Stage::input);
  if (!command_->directory.empty() && ::chdir(command_->directory.c_str()) != 0) {
    fail(failure, Stage::chdir);
  }
  reset_signals();
  ::execve(path_.c_str(), argv_.data(), envp_.data());
  fail(failure, Stage::exec);
}

}  // namespace abgate::process
