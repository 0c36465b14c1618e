#include <csignal>
#include <variant>

#include <gtest/gtest.h>
#include <unistd.h>

#include <abgate/process/process.hpp>

namespace abgate::process {
namespace {

TEST(DespiteSignals, CleaningUpRunsAfterASignalAndOtherThingsDoNot) {
  SignalGate gate;
  ::kill(::getpid(), SIGTERM);
  ASSERT_EQ(gate.pending_signal(), SIGTERM);
  const Command command{{"true"}, {{"PATH", "/usr/bin:/bin"}}, ""};
  EXPECT_TRUE(std::holds_alternative<Interrupted>(run(command, {}, {}, gate)));
  Limits limits;
  limits.despite_signals = true;
  const Outcome outcome = run(command, {}, limits, gate);
  ASSERT_TRUE(std::holds_alternative<Exited>(outcome)) << describe(outcome);
  EXPECT_EQ(std::get<Exited>(outcome).status, 0);
}

}  // namespace
}  // namespace abgate::process
