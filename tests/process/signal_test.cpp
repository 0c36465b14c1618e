// Signals to abgate itself.

#include "support.hpp"

namespace abgate::process {
namespace {

/// Shell text: leaves a trace of SIGTERM.
const std::string trace_term = R"(trap 'echo term >"$DIR/trace"; exit 0' TERM)";

/// Another process that runs the script, with its pid in $DIR/pid, and returns how that ended.
class SignalTest : public ::testing::Test {
 protected:
  std::string run_here(const std::string& script, const std::string& setup = "") const {
    const auto command = shell(setup + "\necho $$ >\"$DIR/pid\"; " + script, scratch_.path());
    SignalGate gate;
    const auto outcome = run(command, {}, Limits{grace_, 0}, gate);
    return describe(outcome) + "; pending " + std::to_string(gate.pending_signal());
  }
  pid_t program() const {
    pid_t pid = 0;
    EXPECT_TRUE(eventually([&] { return (pid = pid_in(scratch_ / "pid")) != 0; }));
    return pid;
  }
  pid_t escaped() const {
    pid_t pid = 0;
    EXPECT_TRUE(eventually([&] { return (pid = pid_in(scratch_ / "escaped")) != 0; }));
    return pid;
  }

  ScratchFolder scratch_;
  milliseconds grace_{20000};  // a program that obeys does not make us wait for it
};

TEST_F(SignalTest, EndsTheProgramAndNamesTheSignal) {
  const std::vector<std::pair<int, std::string>> cases{
      {SIGINT, "was ended because abgate got signal 2 (SIGINT); pending 2"},
      {SIGTERM, "was ended because abgate got signal 15 (SIGTERM); pending 15"},
      {SIGHUP, "was ended because abgate got signal 1 (SIGHUP); pending 1"},
  };
  for (const auto& [number, expected] : cases) {
    std::filesystem::remove(scratch_ / "pid");
    OtherProcess other([&] { return run_here("exec sleep 100"); });
    const auto pid = program();
    const auto sent = Clock::now();
    other.signal(number);
    EXPECT_EQ(other.result(), expected);
    EXPECT_FALSE(is_alive(pid));
    EXPECT_LT(Clock::now() - sent, seconds(10));
  }
}

TEST_F(SignalTest, ASecondSignalChangesNothing) {
  grace_ = milliseconds(500);
  OtherProcess other([&] { return run_here("while :; do sleep 0.05; done", "trap '' TERM"); });
  const auto pid = program();
  other.signal(SIGINT);
  std::this_thread::sleep_for(milliseconds(150));
  for (const int number : {SIGTERM, SIGHUP, SIGINT})
    other.signal(number);
  EXPECT_EQ(other.result(), "was ended because abgate got signal 2 (SIGINT); pending 2");
  EXPECT_EQ(other.wait(), 0) << "the later signals do not kill it when the gate is gone";
  EXPECT_FALSE(is_alive(pid));
}

TEST_F(SignalTest, IsHeardWhileTheProgramWritesWithoutAPause) {
  OtherProcess other([&] { return run_here("exec yes"); });
  program();
  const auto sent = Clock::now();
  other.signal(SIGTERM);
  EXPECT_EQ(other.result(), "was ended because abgate got signal 15 (SIGTERM); pending 15");
  EXPECT_LT(Clock::now() - sent, seconds(10));
}

TEST_F(SignalTest, NothingIsStartedWhenASignalIsPending) {
  OtherProcess other([&] {
    SignalGate gate;
    ::raise(SIGTERM);
    bool started = false;
    Hooks hooks;
    hooks.on_started = [&](pid_t) { started = true; };
    const auto outcome = run(shell("exit 0"), hooks, {}, gate);
    return describe(outcome) + (started ? ", started" : "");
  });
  EXPECT_EQ(other.result(), "was ended because abgate got signal 15 (SIGTERM)");
}

TEST_F(SignalTest, AnIgnoredHangupStaysIgnored) {
  OtherProcess other([&] {
    std::signal(SIGHUP, SIG_IGN);
    return run_here("sleep 0.6; exit 3");
  });
  program();
  other.signal(SIGHUP);
  EXPECT_EQ(other.result(), "exited with status 3; pending 0");
}

TEST_F(SignalTest, AnInterruptThatABackgroundShellIgnoresIsHeard) {
  OtherProcess other([&] {
    std::signal(SIGINT, SIG_IGN);
    return run_here("exec sleep 100");
  });
  program();
  other.signal(SIGINT);
  EXPECT_EQ(other.result(), "was ended because abgate got signal 2 (SIGINT); pending 2");
}

TEST_F(SignalTest, TheGatePutsEverythingBack) {
  OtherProcess other([] {
    const auto state = [] { return slurp("/proc/self/status"); };
    const auto signals = [&] {
      const auto text = state();
      return text.substr(text.find("SigBlk"), text.find("CapInh") - text.find("SigBlk"));
    };
    std::signal(SIGPIPE, SIG_DFL);
    const auto before = signals();
    std::string during;
    {
      SignalGate gate;
      during = signals();
    }
    return std::string(during != before ? "changed, " : "unchanged, ") +
           (signals() == before ? "put back" : "not put back");
  });
  EXPECT_EQ(other.result(), "changed, put back");
}

TEST_F(SignalTest, ASignalThatNobodyAskedForIsNotLost) {
  OtherProcess other([] {
    {
      SignalGate gate;
      ::raise(SIGTERM);
    }
    return std::string("survived");
  });
  EXPECT_EQ(other.result(), "");
  EXPECT_EQ(WTERMSIG(other.wait()), SIGTERM);
}

TEST_F(SignalTest, ASigkillOfUsGivesTheProgramATerm) {
  OtherProcess other([&] { return run_here("while :; do sleep 0.05; done", trace_term); });
  const auto pid = program();
  other.signal(SIGKILL);
  other.wait();
  EXPECT_TRUE(eventually([&] { return !is_alive(pid); }));
  EXPECT_EQ(slurp(scratch_ / "trace"), "term\n");
}

TEST_F(SignalTest, AProgramCanStillWriteWhenWeAreKilled) {
  OtherProcess other([&] {
    return run_here("while :; do sleep 0.05; done",
                    R"(trap 'head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2
                             echo clean >"$DIR/trace"; exit 0' TERM)");
  });
  const auto pid = program();
  other.signal(SIGKILL);
  other.wait();
  EXPECT_TRUE(eventually([&] { return !is_alive(pid); }));
  EXPECT_EQ(slurp(scratch_ / "trace"), "clean\n");
}

TEST_F(SignalTest, ASigkillOfOurGroupLeavesNothing) {
  grace_ = milliseconds(500);
  OtherProcess other(
      [&] { return run_here(escape + "while :; do sleep 1; done", "trap '' TERM"); });
  const auto pid = program();
  const auto outside = escaped();
  const auto guard = read_process(pid)->parent;
  ::kill(-other.pid(), SIGKILL);
  other.wait();
  for (const auto left : {pid, outside, guard}) {
    EXPECT_TRUE(eventually([&] { return !is_alive(left); })) << left;
  }
}

TEST_F(SignalTest, ASigkillOfTheGuardGivesTheProgramATerm) {
  // Both at once, so that neither can end the program itself.
  OtherProcess other([&] { return run_here("while :; do sleep 0.05; done", trace_term); });
  const auto pid = program();
  const auto guard = read_process(pid)->parent;
  other.signal(SIGSTOP);
  ::kill(guard, SIGKILL);
  EXPECT_TRUE(eventually([&] { return !is_alive(pid); }));
  EXPECT_EQ(slurp(scratch_ / "trace"), "term\n");
}

/// How a shell starts us, and the signal that reaches us there.
TEST_F(SignalTest, IsHeardHoweverWeWereStarted) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"("$0" sleep 100 >"$DIR/log" & echo $! >"$DIR/gate"; kill_it INT)", "signal 2 (SIGINT)"},
      {R"("$0" sleep 100 >"$DIR/log" & echo $! >"$DIR/gate"; kill_it HUP)", "signal 1 (SIGHUP)"},
      {R"(setsid "$0" sleep 100 >"$DIR/log" & echo $! >"$DIR/gate"; kill_it TERM)",
       "signal 15 (SIGTERM)"},
      {R"(nohup "$0" sleep 100 >"$DIR/log" 2>/dev/null & echo $! >"$DIR/gate"
          kill_it HUP; sleep 0.3; kill_it TERM)",
       "signal 15 (SIGTERM)"},
  };
  for (const auto& [script, expected] : cases) {
    const std::string helper =
        R"(kill_it() { sleep 0.5; kill -$1 $(cat "$DIR/gate"); }; )" + script + "; wait";
    const auto run = record(
        {{"sh", "-c", helper, PROCESS_GATE}, {{"PATH", test_path}, {"DIR", scratch_.path()}}, ""});
    EXPECT_EQ(slurp(scratch_ / "log"), "was ended because abgate got " + expected + "\n") << script;
    EXPECT_EQ(describe(run.outcome), "exited with status 0") << run.err;
  }
}

}  // namespace
}  // namespace abgate::process
