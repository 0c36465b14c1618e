#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abgate/process/process.hpp>

#include "descriptors.hpp"
#include "guard.hpp"
#include "process_table.hpp"
#include "program.hpp"
#include "served.hpp"

namespace abgate::process {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t block_size = 64U << 10U;
constexpr milliseconds tick{100};

Outcome from_wait_status(int status) {
  if (WIFSIGNALED(status)) return Signaled{WTERMSIG(status)};
  return Exited{WEXITSTATUS(status)};
}

/// Makes us the parent of orphans for the length of a run: when the guard itself is killed, what it
/// guarded comes to us instead of getting lost.
class OrphanParent {
 public:
  OrphanParent() {
    ::prctl(PR_GET_CHILD_SUBREAPER, &before_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    // Almost always there is no child, and then there is no need to read /proc.
    siginfo_t unused{};
    const int any = ::waitid(P_ALL, 0, &unused, WEXITED | WNOHANG | WNOWAIT);
    if (any != 0 && errno == ECHILD) return;
    for (const auto& found : descendants_of(::getpid())) {
      if (found.process.parent == ::getpid()) not_ours_.push_back(found.process.pid);
    }
  }
  ~OrphanParent() { ::prctl(PR_SET_CHILD_SUBREAPER, before_); }
  OrphanParent(const OrphanParent&) = delete;
  OrphanParent& operator=(const OrphanParent&) = delete;

  /// Kills all that came to us; returns the wait status of `program` when it was among them.
  std::optional<int> kill_orphans(pid_t program) const;

 private:
  int before_ = 0;
  std::vector<pid_t> not_ours_;
};

std::optional<int> OrphanParent::kill_orphans(pid_t program) const {
  std::optional<int> program_status;
  const auto end = Clock::now() + kill_time;
  while (Clock::now() < end) {
    const auto left = descendants_of(::getpid(), not_ours_);
    if (left.empty()) break;
    for (const auto& found : left)
      ::kill(found.process.pid, SIGKILL);
    for (const auto& found : left) {
      if (found.process.parent != ::getpid()) continue;
      int status = 0;
      if (::waitpid(found.process.pid, &status, WNOHANG) != found.process.pid) continue;
      if (found.process.pid == program) program_status = status;
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  return program_status;
}

/// One run, from abgate's side: reads the streams, listens to the guard and decides when to stop.
class Run {
 public:
  Run(const Hooks& hooks, const Limits& limits, SignalGate& gate)
      : hooks_(hooks), limits_(limits), gate_(gate), served_(limits.serve) {}

  Outcome operator()(const Command& command);

 private:
  std::optional<SpawnFailed> start(const Program& program);
  void wait();
  void read_stream(Stream stream);
  void drain();
  void listen();
  void take(const Report& report);
  void check();
  void stop(Outcome reason);
  void lose_guard();
  void settle(Outcome outcome);
  int signal() const { return limits_.despite_signals ? 0 : gate_.pending_signal(); }
  Descriptor& source(Stream stream) { return stream == Stream::out ? out_ : err_; }

  const Hooks& hooks_;
  const Limits& limits_;
  SignalGate& gate_;
  Served served_;
  OrphanParent orphans_;
  Descriptor control_, out_, err_;
  std::vector<char> block_ = std::vector<char>(block_size);
  pid_t guard_ = 0;
  pid_t program_ = 0;
  std::optional<Outcome> outcome_;  // the first thing that ended the program
  std::optional<Clock::time_point> overdue_;
  Clock::time_point next_check_;
  bool done_ = false;
};

std::optional<SpawnFailed> Run::start(const Program& program) {
  Pair control;
  Pair out;
  Pair err;
  if (!make_channel(control) || !make_pipe(out) || !make_pipe(err)) {
    return SpawnFailed{name(Stage::pipe), errno};
  }
  for (const auto* end : {&control.first, &out.first, &err.first})
    set_nonblocking(end->get());
  const Wires wires{control.second.get(), out.second.get(), err.second.get(), out.first.get(),
                    err.first.get()};
  guard_ = ::fork();
  if (guard_ < 0) return SpawnFailed{name(Stage::fork), errno};
  if (guard_ == 0) guard(program, wires, limits_.grace);
  control_ = std::move(control.first);
  out_ = std::move(out.first);
  err_ = std::move(err.first);
  for (const auto* end : {&control_, &out_, &err_})
    set_nonblocking(end->get());
  return std::nullopt;
}

void Run::wait() {
  std::array<pollfd, 4> polled{{{control_.get(), POLLIN, 0},
                                {out_.get(), POLLIN, 0},
                                {err_.get(), POLLIN, 0},
                                {outcome_ ? -1 : served_.descriptor(), POLLIN, 0}}};
  const timespec time{0, std::chrono::nanoseconds(tick).count()};
  ::ppoll(polled.data(), polled.size(), &time, &gate_.waiting_mask());
}

/// One block at most, so that neither a stream nor the rest of the loop waits for the other.
void Run::read_stream(Stream stream) {
  auto& from = source(stream);
  if (!from.open()) return;
  const auto got = ::read(from.get(), block_.data(), block_.size());
  if (got > 0 && hooks_.on_output) {
    hooks_.on_output(stream, {block_.data(), static_cast<std::size_t>(got)});
  }
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) from.close();
}

/// Takes what is still in the pipes once nothing is left that could write. The bound is for a
/// process that could not be killed: the largest pipe holds 1 MiB.
void Run::drain() {
  constexpr std::size_t most = (1U << 20U) / block_size + 1;
  for (const auto stream : {Stream::out, Stream::err}) {
    for (std::size_t i = 0; i < most && source(stream).open(); ++i)
      read_stream(stream);
  }
}

void Run::listen() {
  while (!done_) {
    Report report;
    const auto got = ::recv(control_.get(), &report, sizeof report, 0);
    if (got == static_cast<ssize_t>(sizeof report)) {
      take(report);
    } else if (got < 0 && errno == EINTR) {
      continue;
    } else if (got < 0 && errno == EAGAIN) {
      return;
    } else {
      lose_guard();
    }
  }
}

void Run::take(const Report& report) {
  switch (report.kind) {
    case Report::Kind::started:
      program_ = report.number;
      if (hooks_.on_started) hooks_.on_started(program_);
      break;
    case Report::Kind::failed:
      settle(SpawnFailed{name(report.stage), report.number});
      break;
    case Report::Kind::exited:
      settle(from_wait_status(report.number));
      break;
    case Report::Kind::done:
      done_ = true;
      break;
  }
}

/// From here on the guard has a bounded time to end what is left.
void Run::settle(Outcome outcome) {
  if (outcome_) return;
  outcome_ = std::move(outcome);
  constexpr milliseconds patience{5000};
  overdue_ = Clock::now() + limits_.grace + kill_time + patience;
}

/// Somebody killed the guard. The program got SIGTERM by that, and all of its processes are ours.
void Run::lose_guard() {
  ::kill(guard_, SIGKILL);
  while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
  guard_ = 0;
  const auto status = orphans_.kill_orphans(program_);
  if (program_ == 0) settle(SpawnFailed{name(Stage::fork), ECHILD});
  settle(status ? from_wait_status(*status) : Outcome(Signaled{SIGKILL}));
  done_ = true;
}

void Run::stop(Outcome reason) {
  settle(std::move(reason));
  const char word = 's';
  ::send(control_.get(), &word, sizeof word, MSG_NOSIGNAL);
}

/// Whether the child has to go, and that it goes.
void Run::check() {
  const auto now = Clock::now();
  if (overdue_ && now > *overdue_) return lose_guard();  // stopped or stuck
  if (outcome_) return;
  if (const int number = signal(); number != 0) return stop(Interrupted{number});
  if (now < next_check_) return;
  next_check_ = now + tick;
  if (served_.gone()) return stop(Interrupted{0});
  if (!hooks_.should_stop) return;
  if (auto reason = hooks_.should_stop(now)) stop(TimedOut{std::move(*reason)});
}

Outcome Run::operator()(const Command& command) {
  if (const int number = signal(); number != 0) return Interrupted{number};
  if (served_.gone()) return Interrupted{0};
  const auto program = Program::prepare(command);
  if (!program) return program.error();
  if (auto failed = start(*program)) return *failed;
  while (!done_) {
    wait();
    read_stream(Stream::out);
    read_stream(Stream::err);
    listen();
    if (!done_) check();
  }
  drain();
  if (guard_ != 0) {
    while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  return *outcome_;
}

}  // namespace

Outcome run(const Command& command, const Hooks& hooks, const Limits& limits, SignalGate& gate) {
  return Run(hooks, limits, gate)(command);
}

}  // namespace abgate::process
