// Whole gates: the built binary, a real Slurm, the stand-in engine.
#include "support/gate.hpp"

#include <algorithm>
#include <future>

#include <gmock/gmock.h>

#include "cluster/slurm_cluster.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

using std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto cluster_file = ABGATE_SOURCE_DIR "/tests/data/cluster/test-slurm.json";

/// Neighbours on a two-core machine must not decide a test that expects PASS.
const std::vector<std::string> wide{"--max-drop", "0.15"};

GateRun gate(const TempDir& directory, std::vector<std::string> more,
             const std::vector<std::string>& environment = {}) {
  std::vector<std::string> arguments{"--cluster", cluster_file};
  arguments.insert(arguments.end(), wide.begin(), wide.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_gate(directory / "work", arguments,
                  SlurmCluster::shared().environment_with(environment));
}

std::vector<std::string> nodes_of_phase(const Json& record, std::size_t index) {
  std::vector<std::string> nodes;
  for (const Json& node : record.find("phases")->items().at(index).find("nodes")->items()) {
    nodes.push_back(node.as_string());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

class Gate : public testing::Test {
 protected:
  void TearDown() override {
    // Whatever a gate ended with, it leaves no job.
    EXPECT_TRUE(SlurmCluster::shared().becomes_idle());
  }
  TempDir directory_;
};

TEST_F(Gate, PassesAndLeavesEverythingInItsWorkDirectory) {
  const auto run = gate(directory_, {});
  ASSERT_EQ(run.program.exit, 0) << run.describe();
  EXPECT_EQ(run.verdict(), "PASS");
  EXPECT_THAT(run.codes(), IsEmpty());
  EXPECT_THAT(run.record.find("legs")->items(), SizeIs(2));
  for (const char* file :
       {"gate.json", "summary.txt", "allocation.json", "phases/1-baseline/manifest.json",
        "phases/1-baseline/engine.log", "phases/1-baseline/phase.json",
        "phases/1-baseline/perf.csv", "phases/2-candidate/scripts/primus_megatron-lm/run.sh",
        "phases/2-candidate/phase.json"}) {
    EXPECT_TRUE(std::filesystem::exists(run.work_dir / file)) << file;
  }
  // Both phases on the same two nodes of one allocation.
  EXPECT_THAT(nodes_of_phase(run.record, 0), SizeIs(2));
  EXPECT_EQ(nodes_of_phase(run.record, 0), nodes_of_phase(run.record, 1));
  EXPECT_FALSE(run.record.at({"allocation", "job_id"})->as_string().empty());
  EXPECT_THAT(run.program.out, HasSubstr("PASS"));
  EXPECT_THAT(run.program.err, HasSubstr("iteration 12/12"));
}

TEST_F(Gate, TheReportOfTheRecordIsTheReportOfTheRun) {
  const auto run = gate(directory_, {});
  ASSERT_EQ(run.program.exit, 0) << run.describe();
  const auto report = run_program({abgate_binary(), "report", run.work_dir});
  EXPECT_EQ(report.exit, 0);
  EXPECT_EQ(report.out, run.program.out);
  EXPECT_EQ(report.out, read_file(run.work_dir / "summary.txt"));
  const auto json = run_program({abgate_binary(), "report", run.work_dir, "--format", "json"});
  EXPECT_EQ(json.out, read_file(run.work_dir / "gate.json"));
}

TEST_F(Gate, ScoringTheFinishedRunGivesTheSameNumbers) {
  const auto run = gate(directory_, {});
  ASSERT_EQ(run.program.exit, 0) << run.describe();
  const auto score = run_program({abgate_binary(), "score", "--workload", "demo", "--max-drop",
                                  "0.15", "--candidate-rccl", "develop:e711c9e", "--format", "json",
                                  "--baseline", run.work_dir / "phases/1-baseline", "--candidate",
                                  run.work_dir / "phases/2-candidate"});
  EXPECT_EQ(score.exit, 0) << score.describe();
  const auto scored = parse_json(score.out, "score");
  ASSERT_TRUE(scored);
  EXPECT_EQ(*scored->find("legs"), *run.record.find("legs"));
}

TEST_F(Gate, ASlowCandidateIsARegression) {
  const auto run = gate(directory_, {"--candidate-env", "ABGATE_STANDIN_SLOWDOWN_FP8=1.5"});
  ASSERT_EQ(run.program.exit, 1) << run.describe();
  EXPECT_EQ(run.verdict(), "REGRESSION");
  ASSERT_TRUE(run.has_reason("regression"));
  EXPECT_EQ(run.reason_text("regression", "precision"), "FP8");
}

TEST_F(Gate, AdvisoryChangesTheExitCodeAndNotTheRecord) {
  const auto run =
      gate(directory_, {"--advisory", "--candidate-env", "ABGATE_STANDIN_SLOWDOWN=1.5"});
  EXPECT_EQ(run.program.exit, 0) << run.describe();
  EXPECT_EQ(run.verdict(), "REGRESSION");
}

struct FaultCase {
  const char* side;
  const char* fault;
  const char* code;
};

class GateFault : public testing::TestWithParam<FaultCase> {
 protected:
  void TearDown() override { EXPECT_TRUE(SlurmCluster::shared().becomes_idle()); }
};

/// Every fault of the engine ends as NO VERDICT for its own reason, never as PASS.
TEST_P(GateFault, IsNoVerdictForItsOwnReason) {
  const TempDir directory;
  const auto& [side, fault, code] = GetParam();
  const auto run = gate(
      directory, {std::string("--") + side + "-env", std::string("ABGATE_STANDIN_FAULT=") + fault});
  EXPECT_EQ(run.program.exit, 3) << run.describe();
  EXPECT_EQ(run.verdict(), "NO_VERDICT");
  EXPECT_THAT(run.codes(), Contains(code)) << run.describe();
  const Json reason = run.reason(code);
  if (const Json* named = reason.find("side"); named != nullptr && named->is_string()) {
    EXPECT_EQ(named->as_string(), side);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GateFault,
    testing::Values(FaultCase{"candidate", "silent-success", "engine-silent"},
                    FaultCase{"baseline", "silent-success", "engine-silent"},
                    FaultCase{"candidate", "refused-submission", "leg-missing"},
                    FaultCase{"candidate", "second-job", "engine-submitted-own-job"},
                    FaultCase{"candidate", "stop-at:5", "series-incomplete"},
                    FaultCase{"candidate", "stop-at:5:FP8", "series-incomplete"},
                    FaultCase{"candidate", "oom-at:5:FP8", "series-incomplete"},
                    FaultCase{"candidate", "header-only-csv", "leg-missing"},
                    FaultCase{"candidate", "unsupported-config", "leg-missing"},
                    FaultCase{"candidate", "nan-row", "row-not-success"},
                    FaultCase{"candidate", "nan-loss", "loss-missing"},
                    FaultCase{"candidate", "ignored-knobs", "iterations-not-as-asked"},
                    FaultCase{"candidate", "profiler", "contaminated"},
                    FaultCase{"candidate", "stock-library-on-node:0", "candidate-not-proved"},
                    FaultCase{"candidate", "stock-library-on-node:1", "candidate-not-proved"},
                    FaultCase{"candidate", "sockets", "transport-differs"},
                    FaultCase{"candidate", "missing-leg:FP8", "leg-missing"},
                    FaultCase{"baseline", "missing-leg:BF16", "leg-missing"},
                    FaultCase{"candidate", "exit:3", "engine-failed"},
                    FaultCase{"baseline", "exit:1", "engine-failed"},
                    FaultCase{"candidate", "crash", "engine-failed"},
                    FaultCase{"candidate", "duplicate-rows", "duplicate-rows"},
                    FaultCase{"candidate", "stale-rows", "stale-rows"},
                    FaultCase{"candidate", "failure-row", "row-not-success"},
                    FaultCase{"candidate", "skipped-iterations:6", "iterations-skipped"},
                    FaultCase{"candidate", "other-batch", "work-differs"},
                    FaultCase{"candidate", "lost-node", "rccl-not-proved"},
                    FaultCase{"candidate", "no-banner", "rccl-not-proved"},
                    FaultCase{"candidate", "unknown-banner", "rccl-not-proved"}),
    [](const testing::TestParamInfo<FaultCase>& tested) {
      std::string name = std::string(tested.param.side) + "_" + tested.param.fault;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '-' || c == ':'; }, '_');
      return name;
    });

TEST_F(Gate, AFloodOfWarningsAndAStrayChildChangeNothing) {
  const auto run =
      gate(directory_, {"--candidate-env", "ABGATE_STANDIN_FAULT=spam:20000,stray-child"});
  EXPECT_EQ(run.program.exit, 0) << run.describe();
}

TEST_F(Gate, AHangingPhaseUsesUpItsBudget) {
  const auto run =
      gate(directory_, {"--phase-timeout", "8s", "--candidate-env", "ABGATE_STANDIN_FAULT=hang"});
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_EQ(run.verdict(), "INFRA");
  EXPECT_EQ(run.reason_text("phase-budget", "side"), "candidate");
}

TEST_F(Gate, ARefusedPartitionIsInfraAtOnceAndQuotesSlurm) {
  const auto run = gate(directory_, {"--partition", "nope"});
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_EQ(run.verdict(), "INFRA");
  ASSERT_TRUE(run.has_reason("allocation-refused"));
  EXPECT_THAT(run.reason_text("allocation-refused", "message"),
              HasSubstr("Invalid partition name specified"));
  EXPECT_FALSE(std::filesystem::exists(run.work_dir / "phases/1-baseline/phase.json"));
  for (const Json& phase : run.record.find("phases")->items()) {
    EXPECT_EQ(phase.find("state")->as_string(), "not_run");
  }
}

TEST_F(Gate, AQueueThatNeverMovesUsesUpItsBudgetAndTheJobIsCancelled) {
  const auto run = gate(directory_, {"--partition", "down", "--queue-timeout", "3s"});
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_TRUE(run.has_reason("queue-budget"));
}

TEST_F(Gate, RunsInAnAllocationThatTheCallerHolds) {
  GateRun run;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    run.work_dir = directory_ / ("work" + std::to_string(attempt));
    std::vector<std::string> argv{"salloc", "-N2", "--exclusive"};
    for (const auto& argument : standin_arguments(
             run.work_dir, {"--cluster", cluster_file, "--use-allocation", "--max-drop", "0.15"})) {
      argv.push_back(argument);
    }
    run.program = SlurmCluster::shared().run(argv, {}, seconds(120));
    run.record = read_record(run.work_dir);
    if (!only_disturbed(run)) break;
  }
  EXPECT_EQ(run.program.exit, 0) << run.describe();
  EXPECT_EQ(run.verdict(), "PASS");
  ASSERT_NE(run.record.at({"allocation", "foreign"}), nullptr);
  EXPECT_TRUE(run.record.at({"allocation", "foreign"})->as_boolean());
}

TEST_F(Gate, RefusesToStandInAnAllocationUnasked) {
  const auto run = gate(directory_, {}, {"SLURM_JOB_ID=4711"});
  EXPECT_EQ(run.program.exit, 2) << run.describe();
  EXPECT_THAT(run.program.err, HasSubstr("--use-allocation"));
  EXPECT_TRUE(run.record.is_null());
}

TEST_F(Gate, InheritedSlurmVariablesAreScrubbedAndListed) {
  const auto run =
      gate(directory_, {}, {"SBATCH_PARTITION=nope", "SALLOC_PARTITION=nope", "SLURM_NNODES=7"});
  ASSERT_EQ(run.program.exit, 0) << run.describe();
  const Json scrubbed = *run.record.at({"allocation", "scrubbed"});
  EXPECT_EQ(scrubbed, Json::strings({"SALLOC_PARTITION", "SBATCH_PARTITION", "SLURM_NNODES"}));
}

TEST_F(Gate, TwoGatesAtOnceDoNotMeet) {
  const TempDir other;
  auto second = std::async(std::launch::async, [&] { return gate(other, {}); });
  const auto first_run = gate(directory_, {});
  const auto second_run = second.get();
  for (const GateRun* run : {&first_run, &second_run}) {
    ASSERT_EQ(run->record.find("step")->as_string(), "finished") << run->describe();
    // Four tasks on two cores disturb one another's iterations; nothing else may be wrong.
    EXPECT_THAT(run->codes(), testing::Each(testing::AnyOf("contaminated", "mean-median-apart",
                                                           "results-identical")))
        << run->describe();
  }
  EXPECT_NE(first_run.record.at({"allocation", "job_id"})->as_string(),
            second_run.record.at({"allocation", "job_id"})->as_string());
  for (const auto& node : nodes_of_phase(first_run.record, 0)) {
    EXPECT_THAT(nodes_of_phase(second_run.record, 0), testing::Not(Contains(node)));
  }
}

TEST_F(Gate, ASignalGivesTheNodesBackAndTheRecordSaysSo) {
  RunningProgram running(
      {standin_arguments(directory_ / "work", {"--cluster", cluster_file, "--baseline-env",
                                               "ABGATE_STANDIN_FAULT=hang"}),
       SlurmCluster::shared().environment(),
       {}});
  ASSERT_TRUE(running.wait_for_output("BF16 started", seconds(30))) << running.err();
  running.send_signal(SIGTERM);
  const auto ended = running.wait(seconds(20));
  EXPECT_EQ(ended.exit, 128 + SIGTERM) << ended.describe();
  const Json record = read_record(directory_ / "work");
  ASSERT_NE(record.find("signal"), nullptr);
  EXPECT_EQ(record.find("signal")->as_integer(), SIGTERM);
  EXPECT_EQ(record.find("exit_code")->as_integer(), 128 + SIGTERM);
}

TEST_F(Gate, SigkillOfTheGateStillGivesTheNodesBack) {
  RunningProgram running(
      {standin_arguments(directory_ / "work", {"--cluster", cluster_file, "--baseline-env",
                                               "ABGATE_STANDIN_FAULT=hang"}),
       SlurmCluster::shared().environment(),
       {}});
  ASSERT_TRUE(running.wait_for_output("BF16 started", seconds(30))) << running.err();
  running.send_signal(SIGKILL);
  running.wait(seconds(5));
  EXPECT_TRUE(SlurmCluster::shared().becomes_idle(seconds(30)));
}

TEST_F(Gate, OrdersWithMorePhasesRunOnTheSameNodes) {
  const auto run = gate(directory_, {"--order", "aba"});
  ASSERT_EQ(run.program.exit, 0) << run.describe();
  EXPECT_THAT(run.record.find("phases")->items(), SizeIs(3));
  EXPECT_EQ(nodes_of_phase(run.record, 0), nodes_of_phase(run.record, 2));
}

TEST_F(Gate, TheHistoryGetsOneLine) {
  const auto run = gate(directory_, {"--results-dir", (directory_ / "results").string()});
  ASSERT_EQ(run.program.exit, 0) << run.describe();
  const auto lines = lines_of(read_file(directory_ / "results/history.jsonl"));
  ASSERT_THAT(lines, SizeIs(1));
  const auto line = parse_json(lines.front(), "history.jsonl");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->find("verdict")->as_string(), "PASS");
  EXPECT_TRUE(std::filesystem::exists(directory_ / "results/runs" /
                                      line->find("run_id")->as_string() / "gate.json"));
}

}  // namespace
}  // namespace abgate::test
