#pragma once

#include <chrono>

#include <poll.h>

#include "program.hpp"

namespace abgate::process {

/// What the guard tells abgate, one message each, in this order: `started` or `failed`, `exited`
/// when the program has ended, `done` when nothing is left of it.
struct Report {
  enum class Kind : int { started, failed, exited, done };
  Kind kind = Kind::done;
  int number = 0;             ///< pid, errno or wait status
  Stage stage = Stage::exec;  ///< of `failed`
};

/// How long processes may take to go after SIGKILL. One that sleeps in the kernel can take for
/// ever; it is left then.
inline constexpr std::chrono::milliseconds kill_time{1500};

/// What connects the guard and the program with abgate; all above 2.
struct Wires {
  int control = -1;                      ///< the guard's end
  int out = -1, err = -1;                ///< what the program writes to
  int out_reader = -1, err_reader = -1;  ///< nonblocking; read by abgate as long as it lives
};

/// The life of the guard process, see `run`. Any message on `control`, or its end, asks it to end
/// the program. Runs in a fork of abgate, with the gate's SIGCHLD handler in place.
[[noreturn]] void guard(const Program& program, const Wires& wires,
                        std::chrono::milliseconds grace);

}  // namespace abgate::process
