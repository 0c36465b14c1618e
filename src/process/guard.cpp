#include "guard.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.hpp"
#include "process_table.hpp"

namespace abgate::process {
namespace {

using std::chrono::milliseconds;

class Guard {
 public:
  Guard(const Wires& wires, milliseconds grace)
      : wires_(wires), out_(wires.out_reader), err_(wires.err_reader), grace_(grace) {}

  void start(const Program& program);
  void watch();
  void end_all();
  void report(const Report& message) const;

 private:
  void wait(milliseconds longest);
  void read_start();
  void read_control();
  static void discard(Descriptor& stream);
  bool reap();
  void signal_all(int number) const;

  Wires wires_;
  Descriptor out_, err_;
  milliseconds grace_;
  Descriptor starting_;  // ends when the program runs, else brings a StartFailure
  pid_t program_ = 0;    // 0 before it is started and after it was reaped
  bool stopping_ = false;
  bool alone_ = false;  // abgate is gone
};

/// Leaves abgate's session, terminal and descriptors. The guard obeys its control channel only.
bool settle(const Wires& wires) {
  ::setsid();
  ::prctl(PR_SET_NAME, guard_name.data());
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  // Descriptors of abgate would keep its locks and the reader of its stdout waiting.
  close_all_but({wires.control, wires.out, wires.err, wires.out_reader, wires.err_reader});
  return ::open("/dev/null", O_RDWR) == STDIN_FILENO &&  // NOLINT(*-cloexec): stdin of the program
         ::dup2(STDIN_FILENO, STDOUT_FILENO) >= 0 && ::dup2(STDIN_FILENO, STDERR_FILENO) >= 0;
}

void Guard::report(const Report& message) const {
  while (::send(wires_.control, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

void Guard::start(const Program& program) {
  Pair failure;
  if (!make_pipe(failure)) return report({Report::Kind::failed, errno, Stage::pipe});
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) program.become(wires_.out, wires_.err, failure.second.get(), self);
  if (child < 0) return report({Report::Kind::failed, errno, Stage::fork});
  ::setpgid(child, child);  // here too, so that the group exists before it is signalled
  program_ = child;
  starting_ = std::move(failure.first);
}

void Guard::wait(milliseconds longest) {
  // While abgate lives the output is its own to read.
  std::array<pollfd, 4> polled{{{alone_ ? -1 : wires_.control, POLLIN, 0},
                                {starting_.get(), POLLIN, 0},
                                {alone_ ? out_.get() : -1, POLLIN, 0},
                                {alone_ ? err_.get() : -1, POLLIN, 0}}};
  const timespec time{longest.count() / 1000, longest.count() % 1000 * 1'000'000};
  sigset_t all_but_child;
  sigfillset(&all_but_child);
  sigdelset(&all_but_child, SIGCHLD);
  if (::ppoll(polled.data(), polled.size(), &time, &all_but_child) <= 0) return;
  if (polled[0].revents != 0) read_control();
  if (polled[1].revents != 0) read_start();
  if (polled[2].revents != 0) discard(out_);
  if (polled[3].revents != 0) discard(err_);
}

void Guard::read_control() {
  char word = 0;
  const auto got = ::recv(wires_.control, &word, sizeof word, MSG_DONTWAIT);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  stopping_ = true;
  if (got <= 0) alone_ = true;
}

/// Without a reader the program would die by SIGPIPE at the first word of its clean-up: salloc says
/// that it gives the nodes back before it does.
void Guard::discard(Descriptor& stream) {
  std::array<char, 16384> block{};
  const auto got = ::read(stream.get(), block.data(), block.size());
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) stream.close();
}

void Guard::read_start() {
  StartFailure failure;
  const auto got = ::read(starting_.get(), &failure, sizeof failure);
  if (got < 0 && errno == EINTR) return;
  if (got == static_cast<ssize_t>(sizeof failure)) {
    report({Report::Kind::failed, failure.error, failure.stage});
  } else {
    report({Report::Kind::started, program_, {}});
  }
  starting_.close();
}

/// Takes every child that has ended; false when none is left. Since all orphans below come to the
/// guard, none left means nothing left.
bool Guard::reap() {
  while (true) {
    int status = 0;
    const pid_t child = ::waitpid(-1, &status, WNOHANG);
    if (child == 0) return true;
    if (child < 0 && errno == EINTR) continue;
    if (child < 0) return false;
    if (child != program_) continue;
    if (starting_.open()) read_start();  // it can start and end between two looks
    program_ = 0;
    report({Report::Kind::exited, status, {}});
  }
}

void Guard::watch() {
  while (program_ != 0 && !stopping_) {
    wait(milliseconds(1000));
    reap();
  }
}

void Guard::signal_all(int number) const {
  // While the program was not reaped nobody else can have its group id.
  const pid_t group = program_;
  if (group != 0) ::kill(-group, number);
  for (const auto& [process, guarded] : descendants_of(::getpid())) {
    // Another abgate below us gets the signal and ends its own; only SIGKILL goes around it.
    if (guarded && number != SIGKILL) continue;
    if (group != 0 && process.group == group) continue;
    ::kill(process.pid, number);
    if (number == SIGTERM) ::kill(process.pid, SIGCONT);
  }
  if (group != 0 && number == SIGTERM) ::kill(-group, SIGCONT);  // a stopped process hears nothing
}

void Guard::end_all() {
  if (!reap()) return;
  const auto kill_at = Clock::now() + grace_;
  signal_all(SIGTERM);
  while (reap()) {
    const auto now = Clock::now();
    if (now >= kill_at + kill_time) return;
    if (now >= kill_at) signal_all(SIGKILL);
    const auto rest = std::chrono::ceil<milliseconds>(kill_at - now);
    constexpr milliseconds shortest{20};
    constexpr milliseconds longest{200};
    wait(std::clamp(rest, shortest, longest));
  }
}

}  // namespace

void guard(const Program& program, const Wires& wires, milliseconds grace) {
  const bool settled = settle(wires);
  Guard self(wires, grace);
  if (settled) {
    self.start(program);
  } else {
    self.report({Report::Kind::failed, errno, Stage::pipe});
  }
  // Only the program and its children can write, so that the streams end with them.
  ::close(wires.out);
  ::close(wires.err);
  self.watch();
  self.end_all();
  self.report({Report::Kind::done, 0, {}});
  ::_exit(0);
}

}  // namespace abgate::process
