#include <csignal>

#include <poll.h>
#include <pthread.h>

#include <abgate/process/process.hpp>

namespace abgate::process {
namespace {

// The one piece of state of the whole process in abgate: a signal handler can reach nothing else.
// It is written only while a thread waits with the gate's mask, and read only through the gate.
volatile std::sig_atomic_t first_signal = 0;

constexpr std::array<int, 6> gate_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGPIPE};

extern "C" void note_signal(int number) {
  if (first_signal == 0) first_signal = number;
}

/// SIGCHLD needs a handler, even an empty one, to interrupt a wait.
extern "C" void wake_up(int /*number*/) {}

bool was_ignored(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;  // NOLINT(*-bitwise)
}

}  // namespace

SignalGate::SignalGate() {
  first_signal = 0;
  sigset_t ours;
  sigemptyset(&ours);
  for (const int number : gate_signals) {
    if (number != SIGPIPE) sigaddset(&ours, number);
  }
  pthread_sigmask(SIG_BLOCK, &ours, &old_mask_);
  waiting_mask_ = old_mask_;

  for (std::size_t i = 0; i < gate_signals.size(); ++i) {
    const int number = gate_signals.at(i);
    sigdelset(&waiting_mask_, number);
    struct sigaction action = {};
    // While one handler runs the others wait, so that the first signal is recorded as the first.
    sigfillset(&action.sa_mask);
    action.sa_handler = note_signal;
    if (number == SIGCHLD) action.sa_handler = wake_up;
    if (number == SIGPIPE) action.sa_handler = SIG_IGN;
    sigaction(number, nullptr, &old_actions_.at(i));
    if (number == SIGHUP && was_ignored(old_actions_.at(i))) continue;
    sigaction(number, &action, nullptr);
  }
}

SignalGate::~SignalGate() {
  if (first_signal != 0) pending_signal();  // takes the later ones, which must not kill us now
  for (std::size_t i = 0; i < gate_signals.size(); ++i) {
    sigaction(gate_signals.at(i), &old_actions_.at(i), nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

int SignalGate::pending_signal() {
  // Without descriptors, for ppoll lets no signal in when a descriptor is ready: a child that
  // writes without a pause would keep us deaf.
  const timespec at_once{};
  ::ppoll(nullptr, 0, &at_once, &waiting_mask_);
  return first_signal;
}

}  // namespace abgate::process
