#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include <abgate/base/result.hpp>
#include <abgate/process/process.hpp>

namespace abgate::process {

/// Where starting a program can fail; the names are SpawnFailed::stage.
enum class Stage : int { pipe, fork, input, chdir, exec };
const char* name(Stage stage);

/// What the starting process tells when it could not become the program.
struct StartFailure {
  Stage stage = Stage::exec;
  int error = 0;
};

/// A command made ready for execve before any fork, since nothing may allocate after it. Refers to
/// the command, which has to outlive it.
class Program {
 public:
  static Result<Program, SpawnFailed> prepare(const Command& command);

  /// In a fresh child of `parent`: becomes the program with the streams given and never returns. On
  /// failure a StartFailure is written to `failure` (close-on-exec) and the child ends.
  [[noreturn]] void become(int out, int err, int failure, pid_t parent) const;

 private:
  explicit Program(const Command& command) : command_(&command) {}
  [[noreturn]] static void fail(int failure, Stage stage);
  bool take_input() const;

  const Command* command_;
  std::string path_;
  std::vector<std::string> environment_;
  std::vector<char*> argv_;
  std::vector<char*> envp_;
};

}  // namespace abgate::process
