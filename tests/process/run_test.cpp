// How a program that runs is heard and how its end is told.

#include "support.hpp"

namespace abgate::process {
namespace {

TEST(RunTest, TellsHowTheProgramEnded) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"exit 0", "exited with status 0"},
      {"exit 3", "exited with status 3"},
      {"exit 255", "exited with status 255"},
      {"kill -KILL $$", "was killed by signal 9 (SIGKILL)"},
      {"kill -TERM $$", "was killed by signal 15 (SIGTERM)"},
      {"kill -HUP $$", "was killed by signal 1 (SIGHUP)"},
  };
  for (const auto& [script, expected] : cases) {
    EXPECT_EQ(describe(record(shell(script)).outcome), expected) << script;
  }
}

TEST(RunTest, KeepsTheStreamsApartAndTakesTheLastBytes) {
  const auto run = record(shell("printf out; printf err >&2"));
  EXPECT_EQ(run.out, "out");
  EXPECT_EQ(run.err, "err");
}

TEST(RunTest, TakesWhatAProgramWroteWhileWeWereBusy) {
  SignalGate gate;
  std::string out;
  Hooks hooks;
  hooks.on_output = [&](Stream, std::string_view bytes) {
    // When the first byte has been dealt with the program has long ended.
    if (out.empty()) std::this_thread::sleep_for(milliseconds(800));
    out += bytes;
  };
  run(shell("printf a; sleep 0.1; head -c 60000 /dev/zero"), hooks, {}, gate);
  EXPECT_EQ(out.size(), 60001U);
}

TEST(RunTest, TakesMegabytesFromBothStreamsInBoundedPieces) {
  constexpr std::size_t size = 10U << 20U;
  const auto run =
      record(shell("head -c 10485760 /dev/zero & head -c 10485760 /dev/zero >&2; wait"));
  EXPECT_EQ(run.out.size(), size);
  EXPECT_EQ(run.err.size(), size);
  EXPECT_LE(run.largest, 64U << 10U);
  EXPECT_EQ(describe(run.outcome), "exited with status 0");
}

TEST(RunTest, WaitsForAProgramThatHasClosedItsStreams) {
  const auto run = record(shell("exec >&- 2>&-; sleep 0.5; exit 7"));
  EXPECT_EQ(describe(run.outcome), "exited with status 7");
  EXPECT_GE(run.took, milliseconds(500));
}

TEST(RunTest, ReturnsAtOnceWhenNothingIsLeft) {
  EXPECT_LT(record(shell("exit 0"), Limits{seconds(60), 0}).took, seconds(20));
}

TEST(RunTest, LeavesNoZombieAndNoDescriptor) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto before = descriptors();
  for (int i = 0; i < 20; ++i)
    record(shell("sleep 0 & sleep 0 & exit 1"));
  EXPECT_EQ(descriptors(), before);
  EXPECT_TRUE(descendants_of(::getpid()).empty());
}

TEST(RunTest, LeavesOtherChildrenOfOursAlone) {
  ScratchFolder scratch;
  OtherProcess other([] {
    ::pause();
    return std::string();
  });
  EXPECT_EQ(describe(record(shell(escape, scratch.path()), {milliseconds(100), 0}).outcome),
            "exited with status 0");
  EXPECT_TRUE(is_alive(other.pid()));
}

TEST(CaptureTest, KeepsTheFirstBytesOfEachStream) {
  SignalGate gate;
  const auto script = "head -c 3000000 /dev/zero; printf abcdef >&2";
  const auto captured = capture(shell(script), seconds(20), gate, {}, 4);
  EXPECT_EQ(captured.out, std::string(4, '\0'));
  EXPECT_EQ(captured.err, "abcd");
  EXPECT_EQ(describe(captured.outcome), "exited with status 0");
}

TEST(CaptureTest, EndsAProgramThatTakesTooLong) {
  SignalGate gate;
  const auto captured = capture(shell("echo begun; exec sleep 100"), milliseconds(300), gate);
  EXPECT_EQ(captured.out, "begun\n");
  EXPECT_EQ(describe(captured.outcome), "was ended: did not end within 300 ms");
}

}  // namespace
}  // namespace abgate::process
