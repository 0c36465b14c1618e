// LESSONS 1 to 13 at the level of the built binary: what the real madengine wrote, changed as the
// lesson tells, must be refused for the lesson's own reason.
#include <algorithm>

#include <gmock/gmock.h>

#include "support/changed_phases.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Lessons : public ChangedPhases {
 protected:
  /// NO VERDICT, and that reason among its own.
  void expect_refused(const std::string& code, const std::vector<std::string>& more = {}) {
    const GateRun run = score(more);
    EXPECT_EQ(run.program.exit, 3) << run.program.describe();
    EXPECT_THAT(run.codes(), Contains(code));
  }
  /// Every file whose path in the phase has that part.
  static void remove_files(const fs::path& phase, const std::string& part) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(phase)) {
      const std::string name = entry.path().string().substr(phase.string().size());
      if (entry.is_regular_file() && name.find(part) != std::string::npos) {
        found.push_back(entry.path());
      }
    }
    ASSERT_THAT(found, Not(IsEmpty()));
    for (const auto& path : found)
      fs::remove(path);
  }
  /// Lines that hold `part` are left out.
  static Change without_lines(const std::string& part) {
    return [part](const std::string& text) {
      std::string kept;
      std::size_t at = 0;
      while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string line = text.substr(at, end - at);
        if (line.find(part) == std::string::npos) kept += line;
        at = end;
      }
      return kept;
    };
  }
};

TEST_F(Lessons, TheUnchangedPairPasses) {
  take("gptoss-candidate-ok");
  const auto run = score();
  EXPECT_EQ(run.program.exit, 0) << run.program.describe();
  EXPECT_THAT(run.codes(), IsEmpty());
}

TEST_F(Lessons, L01MissingOnBothSidesIsMissing) {
  take("gptoss-candidate-ok");
  for (const auto& phase : {baseline(), candidate()})
    change_rows(phase, without_lines(",FP8,"));
  expect_refused("leg-missing");
}

TEST_F(Lessons, L02SuccessWithoutARow) {
  take("gptoss-candidate-ok");
  change_rows(candidate(),
              [](const std::string& text) { return text.substr(0, text.find('\n') + 1); });
  const auto run = score();
  EXPECT_EQ(run.program.exit, 3) << run.program.describe();
  EXPECT_EQ(run.reason_text("leg-missing", "side"), "candidate");
}

TEST_F(Lessons, L02RowsOfAFailedJob) {
  take("gptoss-candidate-ok");
  change(candidate(), "phase.stdout",
         [](const std::string& text) { return text + "Error: Job 22 failed: FAILED\n"; });
  expect_refused("engine-reported-failure");
}

TEST_F(Lessons, L03RowsOfALegThatStopped) {
  take("gptoss-candidate-oom-at-5");
  expect_refused("series-incomplete");
}

TEST_F(Lessons, L03ALastLineThatIsMissing) {
  take("gptoss-candidate-ok");
  for (const char* ending : {".out", ".run.live.log"})
    change(candidate(), ending, without_lines("iteration       15/      15"));
  expect_refused("series-incomplete");
}

TEST_F(Lessons, L04ValuesThatAreNone) {
  for (const char* value : {"nan", "inf", "-inf", "0", "0.0", "-8072.6", "1e999", "8072.6x", ""}) {
    fs::remove_all(baseline());
    fs::remove_all(candidate());
    take("gptoss-candidate-ok");
    change_rows(candidate(), replace("8072\\.6", value));
    SCOPED_TRACE(value);
    expect_refused("value-not-usable");
  }
}

TEST_F(Lessons, L04LimitsThatAreNone) {
  take("gptoss-candidate-slow");
  for (const char* limit : {"nan", "inf", "-0.02", "0", "1e999", "0.02x", "", "0.99", "2"}) {
    const auto run = score({"--max-drop", limit});
    EXPECT_EQ(run.program.exit, 2) << limit << run.program.describe();
    EXPECT_TRUE(run.record.is_null()) << limit;
  }
}

TEST_F(Lessons, L05TheOtherSidesResults) {
  take("gptoss-candidate-ok");
  fs::copy_file(baseline() / "perf.csv", candidate() / "perf.csv",
                fs::copy_options::overwrite_existing);
  expect_refused("results-identical");
}

TEST_F(Lessons, L05RowsOfAnotherJob) {
  take("gptoss-candidate-ok");
  // The row's job stands between two empty cells, behind the image.
  change(candidate(), "perf.csv", replace("e711c9e,,[0-9]+,slurm", "e711c9e,,9999,slurm"));
  remove_files(candidate(), "perf_primus-megatron-GPT-OSS-120B.csv");
  expect_refused("leg-missing");
}

TEST_F(Lessons, L05AnEditedCopyIsNoSecondMeasurement) {
  take("gptoss-baseline");
  change_rows(candidate(), replace("8060\\.[0-9]|(,)(8[0-9]{3}\\.[0-9])(,tok_per_s_per_gpu_avg)",
                                   "$018101.5$3"));
  expect_refused("results-identical", {"--same-build"});
}

TEST_F(Lessons, L05AnOldSummaryBesideNewRows) {
  take("gptoss-candidate-ok");
  change(candidate(), "perf_entry_super.json", replace("8072\\.6", "8300.1"));
  expect_refused("sources-disagree");
}

TEST_F(Lessons, L06TheStockLibraryOnOneNode) {
  take("gptoss-candidate-ok");
  change(candidate(), "node_1.out",
         replace("RCCL version : [^\n]*", "RCCL version : 2.27.7-HEAD:0d2c4fd"));
  const auto run = score({"--candidate-rccl", "e711c9e"});
  EXPECT_EQ(run.program.exit, 3) << run.program.describe();
  EXPECT_EQ(run.reason_text("candidate-not-proved", "node"), "mi355x-1");
  EXPECT_THAT(run.reason_text("candidate-not-proved", "message"), HasSubstr("librccl.so.1"));
}

TEST_F(Lessons, L06AMixtureWithoutAPin) {
  take("gptoss-candidate-ok");
  change(candidate(), "node_1.out",
         replace("RCCL version : [^\n]*", "RCCL version : 2.27.7-HEAD:0d2c4fd"));
  expect_refused("rccl-mixed");
}

TEST_F(Lessons, L06AnUnknownBannerIsNoProof) {
  take("gptoss-candidate-ok");
  change(candidate(), "node_0.out",
         replace("RCCL version : [^\n]*", "RCCL version 2.20.5+hip6.2 Unknown"));
  expect_refused("rccl-not-proved", {"--candidate-rccl", "e711c9e"});
}

TEST_F(Lessons, L06NoBannerIsNoProof) {
  take("gptoss-candidate-ok");
  change(candidate(), "node_0.out", without_lines("RCCL version"));
  expect_refused("rccl-not-proved", {"--candidate-rccl", "e711c9e"});
}

TEST_F(Lessons, L06TheCandidateInTheBaseline) {
  take("gptoss-candidate-ok");
  change(baseline(), ".out",
         replace("RCCL version : [^\n]*", "RCCL version : 2.30.4-develop:e711c9e"));
  expect_refused("baseline-is-candidate", {"--candidate-rccl", "e711c9e"});
}

TEST_F(Lessons, L07ALossThatIsLeftOut) {
  take("gptoss-candidate-ok");
  change(candidate(), ".out", replace("lm loss: [^|]*\\| ", ""));
  expect_refused("loss-missing");
}

TEST_F(Lessons, L07SkippedIterations) {
  take("gptoss-candidate-ok");
  change(candidate(), ".out",
         replace("number of skipped iterations:   0", "number of skipped iterations:   2"));
  expect_refused("iterations-skipped");
}

TEST_F(Lessons, L07AnotherBatchOrSequence) {
  for (const auto& [from, to] :
       std::vector<std::pair<const char*, const char*>>{{",BF16,2,2048,", ",BF16,4,2048,"},
                                                        {",2048,,4096,", ",2048,,8192,"},
                                                        {",2048,,4096,", ",1024,,4096,"}}) {
    fs::remove_all(baseline());
    fs::remove_all(candidate());
    take("gptoss-candidate-ok");
    change_rows(candidate(), replace(from, to));
    SCOPED_TRACE(to);
    expect_refused("work-differs");
  }
}

TEST_F(Lessons, L08TenIterationsWhereFifteenWereAskedFor) {
  take("gptoss-candidate-ok");
  for (const auto& phase : {baseline(), candidate()}) {
    for (int k = 11; k <= 15; ++k)
      change(phase, ".out", without_lines("iteration       " + std::to_string(k) + "/"));
    change(phase, ".out", replace("(iteration +[0-9]+/ +)15", "$0110"));
  }
  expect_refused("iterations-not-as-asked");
}

TEST_F(Lessons, L08AProfilerWindowInTheMeasurement) {
  take("gptoss-candidate-ok");
  change(candidate(), "node_1.out",
         replace("(iteration +7/ +15 [^\n]*\\(ms\\): )[0-9.]+([^\n]*tokens/s/GPU\\): )[0-9.]+/",
                 "$01208000.0$022520.6/"));
  expect_refused("contaminated");
}

TEST_F(Lessons, L09SocketsOnBothSides) {
  take("gptoss-candidate-ok");
  for (const auto& phase : {baseline(), candidate()})
    change(phase, ".out", add_sockets);
  expect_refused("fabric-not-tested");
}

TEST_F(Lessons, L10ALostNode) {
  take("gptoss-candidate-ok");
  change_rows(candidate(), replace(",MI355X,16,", ",MI355X,8,"));
  change(candidate(), "perf.csv", replace(",16,2,8,", ",8,1,8,"));
  expect_refused("work-differs");
}

TEST_F(Lessons, L10ANodeThatLeftNoLog) {
  take("gptoss-candidate-ok");
  remove_files(candidate(), "node_0");
  expect_refused("node-count-differs");
}

TEST_F(Lessons, L11AnEngineThatFailedBesideCompleteRows) {
  take("gptoss-candidate-ok");
  write_file(candidate() / "exit_code", "3\n");
  expect_refused("engine-failed");
}

TEST_F(Lessons, L11TheOneExceptionIsLoud) {
  take("gptoss-candidate-ok");
  write_file(candidate() / "exit_code", "3\n");
  const auto run = score({"--accept-engine-exit"});
  EXPECT_EQ(run.program.exit, 0) << run.program.describe();
  EXPECT_THAT(run.codes(), Not(Contains("engine-failed")));
  EXPECT_THAT(run.reason_text("engine-exit-accepted", "message"), HasSubstr("exit 3"));
}

TEST_F(Lessons, L12EachKindOfEndHasItsCode) {
  const std::string phases = ABGATE_SOURCE_DIR "/tests/data/phases/";
  const auto score_of = [&](const std::string& candidate) {
    return abgate({"score", "--workload", gptoss, "--baseline", phases + "gptoss-baseline",
                   "--candidate", phases + candidate})
        .exit;
  };
  EXPECT_EQ(score_of("gptoss-candidate-ok"), 0);
  EXPECT_EQ(score_of("gptoss-candidate-slow"), 1);
  EXPECT_EQ(score_of("nothing-there"), 2);
  EXPECT_EQ(score_of("gptoss-candidate-no-fp8"), 3);
  write_file(directory_ / "file", "in the way");
  const auto infra = abgate({"run", "--workload", "demo", "--cluster", "local", "--engine",
                             standin_binary(), "--scripts", ABGATE_SOURCE_DIR "/tests/data/scripts",
                             "--candidate-env", "A=B", "--work-dir", directory_ / "file/work"});
  EXPECT_EQ(infra.exit, 4) << infra.describe();
}

TEST_F(Lessons, L13AnotherAttemptShows) {
  const auto attempt = [&](const char* name) {
    return run_program(standin_arguments(
        directory_ / name, {"--cluster", "local", "--results-dir", directory_ / "results",
                            "--baseline-env", "ABGATE_STANDIN_FAULT=exit:3"}));
  };
  EXPECT_EQ(attempt("first").exit, 3);
  EXPECT_EQ(attempt("second").exit, 3);
  const auto again = attempt("first");
  EXPECT_EQ(again.exit, 2) << again.describe();
  const std::string history = read_file(directory_ / "results/history.jsonl");
  EXPECT_EQ(std::count(history.begin(), history.end(), '\n'), 2);
  const auto runs = fs::directory_iterator(directory_ / "results/runs");
  EXPECT_EQ(std::distance(begin(runs), end(runs)), 2);
}

TEST(Selftest, EveryBuiltInPairIsJudgedRightly) {
  const auto run = abgate({"selftest"});
  EXPECT_EQ(run.exit, 0) << run.describe();
  EXPECT_THAT(run.out, HasSubstr("a leg that stopped at iteration 5 of 15"));
  EXPECT_THAT(run.out, Not(HasSubstr("FAILED")));
}

}  // namespace
}  // namespace abgate::test
