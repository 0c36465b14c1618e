// What an adversary found: each of these changes of a healthy pair once ended in a PASS.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "support/changed_phases.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

class Adversary : public ChangedPhases {
 protected:
  void SetUp() override { take("gptoss-candidate-ok"); }
  void expect_refused(const std::string& code) {
    const GateRun run = score();
    EXPECT_EQ(run.program.exit, 3) << run.program.describe();
    EXPECT_THAT(run.codes(), Contains(code)) << run.program.describe();
  }
  static Change append(const std::string& more) {
    return [more](const std::string& text) { return text + more; };
  }
  fs::path node_error() const { return output("0.err"); }
  /// The file of the candidate's slurm_output that ends so.
  fs::path output(const std::string& ending) const {
    for (const auto& entry : fs::directory_iterator(candidate() / "slurm_output")) {
      if (entry.path().string().ends_with(ending)) return entry.path();
    }
    ADD_FAILURE() << ending;
    return {};
  }
};

TEST_F(Adversary, AFailureInALogOfAnySizeIsFound) {
  change(candidate(), "phase.stdout", [](const std::string& text) {
    return "✗ Deployment to slurm failed\n" + std::string(70'000'000, '\n') + text;
  });
  expect_refused("engine-reported-failure");
}

TEST_F(Adversary, SlowIterationsBeforeTheAverageWasCleared) {
  // The CSV's average knows the last iterations only; 3 to 8 took 9 % longer.
  change(candidate(), "node_1.out", [](const std::string& text) {
    return replace(
        "(iteration +[3-8]/ +15 [^\n]*\\(ms\\): )[0-9.]+([^\n]*tokens/s/GPU\\): )[0-9.]+",
        "$0171500.0$027332.0")(text);
  });
  const GateRun run = score();
  EXPECT_EQ(run.program.exit, 3) << run.program.describe();
}

TEST_F(Adversary, TimesThatTheThroughputDoesNotFollow) {
  change(candidate(), "node_1.out",
         replace("(iteration +[3-8]/ +15 [^\n]*\\(ms\\): )[0-9.]+", "$0171500.0"));
  expect_refused("series-inconsistent");
}

TEST_F(Adversary, ALegThatWasStartedAgainWithAnotherTotal) {
  change(candidate(), "node_1.out", [](const std::string& text) {
    const std::size_t first = text.find(" iteration ");
    const std::size_t begin = text.rfind('\n', first) + 1;
    std::string again;
    std::size_t at = begin;
    for (int line = 0; line < 3; ++line) {
      const std::size_t next = text.find(" iteration ", at);
      const std::size_t from = text.rfind('\n', next) + 1;
      const std::size_t to = text.find('\n', next) + 1;
      again += replace("/( +)15", "/$0110")(text.substr(from, to - from));
      at = to;
    }
    return text.substr(0, begin) + again + text.substr(begin);
  });
  expect_refused("series-non-monotonic");
}

TEST_F(Adversary, AStepThatSlurmEnded) {
  write_file(node_error(), read_file(node_error()) +
                               "slurmstepd: error: *** STEP 22.0 ON mi355x-0 CANCELLED AT "
                               "2026-11-01T10:00:00 DUE TO TIME LIMIT ***\n");
  expect_refused("killed-by-slurm");
}

TEST_F(Adversary, ANodeLossThatOnlyTheEngineTells) {
  change(candidate(), "phase.stdout", append("salloc: Job allocation 22 has been revoked.\n"));
  expect_refused("engine-reported-failure");
}

TEST_F(Adversary, AProofThatNobodyCanRead) {
  write_file(candidate() / "phase.json", "{\"schema_version\": 1");
  expect_refused("evidence-unreadable");
}

TEST_F(Adversary, AnExitCodeThatNobodyCanRead) {
  write_file(candidate() / "exit_code", "one\n");
  expect_refused("evidence-unreadable");
}

TEST_F(Adversary, ANodesCodeInAnUnusualForm) {
  for (const char* line : {"madengine exited with code  3", "madengine exited with code 3.",
                           "madengine exited with code 256",
                           "madengine exited with code 3\nmadengine exited with code 0"}) {
    SCOPED_TRACE(line);
    fs::remove_all(baseline());
    fs::remove_all(candidate());
    take("gptoss-candidate-ok");
    const fs::path error = output("node_1.err");
    write_file(error, read_file(error) + line + "\n");
    expect_refused("node-failed");
  }
}

TEST_F(Adversary, ALossThatExplodesOnTheWay) {
  change(candidate(), "node_1.out",
         replace("(iteration +8/ +15 [^\n]*lm loss: )[0-9.E+-]+", "$0199.9"));
  expect_refused("loss-differs");
}

TEST_F(Adversary, ALossThatIsMissingInTheWarmUp) {
  change(candidate(), "node_1.out", replace("(iteration +1/ +15 [^\n]*)lm loss: [^|]*\\| ", "$01"));
  expect_refused("loss-missing");
}

TEST_F(Adversary, SocketsBehindManyOtherTransports) {
  change(candidate(), "node_1.out", [](const std::string& text) {
    std::string more;
    for (int i = 0; i < 250; ++i)
      more += "mi355x-1:1:2 [0] NCCL INFO NET/IB : Using [0]bnxt_re0:1/RoCE [RO]\n";
    return text + more + "mi355x-1:1:2 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>\n";
  });
  expect_refused("transport-differs");
}

TEST_F(Adversary, APerfCsvThatHoldsOnlyTheOtherSidesRows) {
  fs::copy_file(baseline() / "perf.csv", candidate() / "perf.csv",
                fs::copy_options::overwrite_existing);
  const GateRun run = score();
  EXPECT_EQ(run.program.exit, 3) << run.program.describe();
}

TEST_F(Adversary, APerfCsvWithoutARow) {
  change(candidate(), "perf.csv",
         [](const std::string& text) { return text.substr(0, text.find('\n') + 1); });
  expect_refused("source-fallback");
}

TEST_F(Adversary, APipeInPlaceOfAFileIsNotWaitedFor) {
  for (const char* name : {"manifest.json", "perf.csv", "phase.stdout"}) {
    fs::remove(candidate() / name);
    ASSERT_EQ(::mkfifo((candidate() / name).c_str(), 0600), 0);
  }
  const GateRun run = score();
  EXPECT_FALSE(run.program.timed_out);
  // A pipe is no file: it counts as absent, and the report says that perf.csv is.
  EXPECT_THAT(run.reason_text("source-fallback", "message"), HasSubstr("perf.csv holds no row"));
}

TEST(ClosedStreams, AreNotTakenForFiles) {
  const TempDir directory;
  const auto run = run_program(
      with({"sh", "-c", "exec \"$@\" >&-", "sh"},
           standin_arguments(directory / "work", {"--cluster", "local", "--max-drop", "0.4"})));
  EXPECT_NE(run.exit, 0) << run.describe();
  EXPECT_EQ(read_file(directory / "work/gate.lock"), "");
}

}  // namespace
}  // namespace abgate::test
