// Ending a program and all that it has started.

#include "support.hpp"

namespace abgate::process {
namespace {

constexpr Limits short_grace{milliseconds(300), 0};
/// So long that a test which waits for it fails.
constexpr Limits long_grace{seconds(60), 0};
constexpr seconds soon{20};

TEST(StopTest, EndsAProgramByTermWhenItsBudgetIsUsedUp) {
  const auto run = record_until_ready(
      shell("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done"), long_grace);
  EXPECT_EQ(describe(run.outcome), "was ended: phase budget used up");
  EXPECT_EQ(run.out, "ready\nbye\n");
  EXPECT_LT(run.took, soon) << "the grace is not waited for";
}

TEST(StopTest, KillsAProgramThatIgnoresTerm) {
  const auto run = record_until_ready(
      shell("trap '' TERM; echo ready; while :; do sleep 0.05; done"), short_grace);
  EXPECT_EQ(describe(run.outcome), "was ended: phase budget used up");
  EXPECT_GE(run.took, short_grace.grace);
  EXPECT_FALSE(is_alive(run.pid));
}

TEST(StopTest, EndsAStoppedProgram) {
  const auto run = record_until_ready(shell("echo ready; kill -STOP $$"), long_grace);
  EXPECT_EQ(describe(run.outcome), "was ended: phase budget used up");
  EXPECT_LT(run.took, soon) << "SIGCONT lets it hear SIGTERM";
}

TEST(StopTest, AsksOftenAndNotAfterTheEnd) {
  int asked = 0;
  Hooks hooks;
  hooks.should_stop = [&](Clock::time_point) -> std::optional<std::string> {
    ++asked;
    return std::nullopt;
  };
  record(shell("sleep 1"), {}, hooks);
  EXPECT_GE(asked, 5);
  asked = 0;
  hooks.should_stop = [&](Clock::time_point) -> std::optional<std::string> {
    ++asked;
    return "now";
  };
  const auto run = record(shell("trap '' TERM; sleep 1"), short_grace, hooks);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(describe(run.outcome), "was ended: now");
}

TEST(StopTest, EndsWhatAProgramLeavesBehind) {
  const auto run = record(shell("sleep 100 & sleep 100 & echo $!; exit 4"), long_grace);
  EXPECT_EQ(describe(run.outcome), "exited with status 4");
  EXPECT_FALSE(is_alive(std::atoi(run.out.c_str())));
  EXPECT_LT(run.took, soon);
}

TEST(StopTest, EndsDescendantsThatLeftTheGroupAndIgnoreTerm) {
  for (const std::string last : {"exit 4", "echo ready; sleep 100"}) {
    ScratchFolder scratch;
    const auto run = record_until_ready(shell(escape + last, scratch.path()), short_grace);
    EXPECT_EQ(describe(run.outcome),
              last == "exit 4" ? "exited with status 4" : "was ended: phase budget used up");
    const auto escaped = pid_in(scratch / "escaped");
    ASSERT_GT(escaped, 0);
    EXPECT_FALSE(is_alive(escaped)) << last;
    EXPECT_TRUE(descendants_of(::getpid()).empty());
  }
}

TEST(StopTest, EndsAProgramThatWritesWithoutAPause) {
  const auto run = record_until_ready(shell("exec yes ready"), long_grace);
  EXPECT_EQ(describe(run.outcome), "was ended: phase budget used up");
  EXPECT_LT(run.took, soon);
}

TEST(StopTest, LosesNothingWhenTheGuardIsKilled) {
  ScratchFolder scratch;
  OtherProcess bystander([] {
    ::pause();
    return std::string();
  });
  Hooks hooks;
  hooks.on_started = [&](pid_t pid) {
    ASSERT_TRUE(eventually([&] { return pid_in(scratch / "escaped") != 0; }));
    const auto program = read_process(pid);
    ASSERT_TRUE(program);
    ASSERT_EQ(read_process(program->parent)->name, guard_name);
    ::kill(program->parent, SIGKILL);
  };
  const auto run = record(shell(escape + "sleep 100", scratch.path()), {}, hooks);
  EXPECT_TRUE(std::holds_alternative<Signaled>(run.outcome)) << describe(run.outcome);
  EXPECT_FALSE(is_alive(run.pid));
  EXPECT_FALSE(is_alive(pid_in(scratch / "escaped")));
  EXPECT_TRUE(is_alive(bystander.pid()));
}

TEST(StopTest, DoesNotWaitForAGuardThatIsStuck) {
  Hooks hooks;
  hooks.should_stop = [](Clock::time_point) -> std::optional<std::string> { return "now"; };
  hooks.on_started = [&](pid_t pid) { ::kill(read_process(pid)->parent, SIGSTOP); };
  const auto run = record(shell("sleep 100"), Limits{milliseconds(0), 0}, hooks);
  EXPECT_EQ(describe(run.outcome), "was ended: now");
  EXPECT_FALSE(is_alive(run.pid));
  EXPECT_LT(run.took, soon);
}

TEST(StopTest, EndsTheProgramWhenTheServedProcessIsGone) {
  OtherProcess served([] {
    std::this_thread::sleep_for(milliseconds(500));
    return std::string();
  });
  // It stays a zombie until the end of this test: that is gone, too.
  const auto run = record(shell("sleep 100"), Limits{milliseconds(300), served.pid()});
  EXPECT_EQ(describe(run.outcome), "was ended because the abgate that it worked for is gone");
  EXPECT_LT(run.took, soon);
  EXPECT_FALSE(is_alive(run.pid));
}

TEST(StopTest, StartsNothingForAProcessThatIsGone) {
  OtherProcess served([] { return std::string(); });
  const auto pid = served.pid();
  served.wait();
  const auto run = record(shell("sleep 100"), Limits{milliseconds(300), pid});
  EXPECT_EQ(describe(run.outcome), "was ended because the abgate that it worked for is gone");
  EXPECT_EQ(run.started, 0);
}

TEST(StopTest, LetsANestedAbgateEndItsOwnProgram) {
  const std::string inner =
      "exec 2>/dev/null; trap 'echo got TERM; sleep 0.3; exit 5' TERM; echo ready; "
      "while :; do sleep 0.05; done";
  const auto run = record_until_ready(
      {{PROCESS_GATE, "sh", "-c", inner}, {{"PATH", test_path}}, ""}, long_grace);
  EXPECT_EQ(run.out, "ready\ngot TERM\nwas ended because abgate got signal 15 (SIGTERM)\n");
  EXPECT_EQ(describe(run.outcome), "was ended: phase budget used up");
  EXPECT_TRUE(descendants_of(::getpid()).empty());
}

TEST(StopTest, KillsANestedAbgateWithItsProgramWhenTheGraceIsOver) {
  ScratchFolder scratch;
  const std::string inner =
      "trap '' TERM; echo $$ >\"$DIR/pid\"; " + escape + "echo ready; sleep 100";
  const auto run = record_until_ready(
      {{PROCESS_GATE, "sh", "-c", inner}, {{"PATH", test_path}, {"DIR", scratch.path()}}, ""},
      short_grace);
  EXPECT_EQ(describe(run.outcome), "was ended: phase budget used up");
  EXPECT_FALSE(is_alive(pid_in(scratch / "pid")));
  EXPECT_FALSE(is_alive(pid_in(scratch / "escaped")));
  EXPECT_TRUE(descendants_of(::getpid()).empty());
}

}  // namespace
}  // namespace abgate::process
