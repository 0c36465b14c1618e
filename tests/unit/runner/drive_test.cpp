#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abgate/base/hash.hpp>
#include <abgate/metrics/traces.hpp>
#include <abgate/runner/drive.hpp>

#include "fakes.hpp"

namespace abgate::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class DriveTest : public testing::Test {
 protected:
  void plan_order(Order order) {
    plan.config.order = order;
    plan.config.nodes = 2;
    plan.config.budgets = {std::chrono::hours(1), std::chrono::hours(4), std::chrono::hours(3),
                           std::chrono::minutes(30)};
    plan.engine_argv = {"madengine", "run"};
    int index = 0;
    for (const Side side : sides_of(order)) {
      PhasePlan phase;
      phase.index = ++index;
      phase.side = side;
      phase.directory = "phases/" + std::to_string(index) + "-" + std::string(name(side));
      phase.manifest = "{\"side\": \"" + std::string(name(side)) + "\"}";
      phase.manifest_sha256 = hash::sha256(phase.manifest);
      store.files["/w/" + phase.directory + "/manifest.json"] = phase.manifest;
      PhaseRecord entry;
      entry.index = index;
      entry.side = side;
      entry.state = "planned";
      entry.directory = phase.directory;
      record.phases.push_back(entry);
      plan.phases.push_back(std::move(phase));
    }
    record.run_id = "run-1";
    record.allocation = AllocationRecord{};
    record.allocation->job_id = "42";
  }

  DriveResult drive() {
    Driver driver(plan, "/w", store, clock, launcher, observer, [&](const GateRecord& saved) {
      steps.push_back(saved.step);
      return save_status;
    });
    return driver.drive(record);
  }

  static EngineEnd exited(int status) { return {{"exited", status, ""}, false, 0}; }

  GatePlan plan;
  GateRecord record;
  MemoryStore store;
  SteppingClock clock;
  ScriptedLauncher launcher;
  RecordingObserver observer;
  std::vector<std::string> steps;
  Status<std::string> save_status;
};

TEST_F(DriveTest, RunsThePhasesInOrderEachInItsOwnDirectory) {
  plan_order(Order::abba);
  const auto result = drive();
  EXPECT_TRUE(result.finished);
  EXPECT_THAT(result.reasons, IsEmpty());
  ASSERT_THAT(launcher.runs, SizeIs(4));
  EXPECT_EQ(launcher.runs[0].directory, "/w/phases/1-baseline");
  EXPECT_EQ(launcher.runs[1].directory, "/w/phases/2-candidate");
  EXPECT_EQ(launcher.runs[2].directory, "/w/phases/3-candidate");
  EXPECT_EQ(launcher.runs[3].directory, "/w/phases/4-baseline");
  EXPECT_EQ(launcher.runs[3].log, "/w/phases/4-baseline/engine.log");
}

TEST_F(DriveTest, ProvesEachPhaseByWhatItWrote) {
  plan_order(Order::ab);
  launcher.ends = {exited(0), exited(3)};
  drive();
  const auto proof =
      metrics::parse_phase_proof(store.files.at("/w/phases/2-candidate/phase.json"), "phase.json");
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->run_id, "run-1");
  EXPECT_EQ(proof->index, 2);
  EXPECT_EQ(proof->side, Side::candidate);
  EXPECT_EQ(proof->job_id, "42");
  EXPECT_THAT(proof->nodes, ElementsAre("node-a", "node-b"));
  EXPECT_EQ(proof->end, (ProcessEnd{"exited", 3, ""}));
  EXPECT_EQ(proof->manifest_sha256, plan.phases[1].manifest_sha256);
  ASSERT_TRUE(proof->started && proof->ended);
  EXPECT_LT(*proof->started, *proof->ended);
}

TEST_F(DriveTest, AFailedBaselineStillLetsTheCandidateRun) {
  plan_order(Order::ab);
  launcher.ends = {exited(3), exited(0)};
  const auto result = drive();
  EXPECT_TRUE(result.finished);
  EXPECT_THAT(launcher.runs, SizeIs(2));
  EXPECT_EQ(record.phases[0].exit, (ProcessEnd{"exited", 3, ""}));
  EXPECT_EQ(record.phases[1].state, "done");
}

TEST_F(DriveTest, SavesTheRecordAfterEveryStep) {
  plan_order(Order::ab);
  drive();
  EXPECT_THAT(steps, ElementsAre("phase 1", "phase 1", "phase 2", "phase 2", "phases done"));
}

TEST_F(DriveTest, ASignalEndsTheGateAndNoFurtherPhaseStarts) {
  plan_order(Order::ab);
  launcher.ends = {{{"interrupted", 15, ""}, true, 15}};
  const auto result = drive();
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.signal, 15);
  EXPECT_THAT(launcher.runs, SizeIs(1));
  EXPECT_EQ(record.phases[0].state, "done");
  EXPECT_EQ(record.phases[1].state, "planned");
}

TEST_F(DriveTest, NodesThatDoNotAnswerAreInfra) {
  plan_order(Order::ab);
  launcher.node_error = "a step over the 2 nodes exited with status 1";
  const auto result = drive();
  EXPECT_FALSE(result.finished);
  EXPECT_THAT(launcher.runs, IsEmpty());
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "nodes-unreachable");
  EXPECT_EQ(result.reasons[0].weight, Weight::infra);
  EXPECT_EQ(result.reasons[0].phase, 1);
}

TEST_F(DriveTest, AChangedManifestIsDistrustedBeforeItRuns) {
  plan_order(Order::ab);
  store.files["/w/phases/2-candidate/manifest.json"] = "{}";
  const auto result = drive();
  EXPECT_FALSE(result.finished);
  EXPECT_THAT(launcher.runs, SizeIs(1));
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "manifest-changed");
  EXPECT_EQ(result.reasons[0].weight, Weight::distrust);
}

TEST_F(DriveTest, APhaseThatUsesUpItsBudgetIsInfraAndTheNextOneRuns) {
  plan_order(Order::ab);
  launcher.ends = {{{"timed_out", 0, "the budget of 3 h was used up"}, false, 0}, exited(0)};
  const auto result = drive();
  EXPECT_TRUE(result.finished);
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "phase-budget");
  EXPECT_EQ(result.reasons[0].side, Side::baseline);
}

TEST_F(DriveTest, TheRunBudgetCutsTheLastPhase) {
  plan_order(Order::ab);
  launcher.on_run = [&](const EngineRun&) { clock.at += std::chrono::hours(2); };
  drive();
  ASSERT_THAT(launcher.runs, SizeIs(2));
  EXPECT_EQ(launcher.runs[0].budget, std::chrono::hours(3));
  EXPECT_LT(launcher.runs[1].budget, std::chrono::hours(2));
}

TEST_F(DriveTest, NoPhaseStartsAfterTheRunBudget) {
  plan_order(Order::ab);
  launcher.on_run = [&](const EngineRun&) { clock.at += std::chrono::hours(5); };
  const auto result = drive();
  EXPECT_FALSE(result.finished);
  EXPECT_THAT(launcher.runs, SizeIs(1));
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "run-budget");
}

TEST_F(DriveTest, AnUnwritableProofIsSaid) {
  plan_order(Order::ab);
  store.refused.insert("/w/phases/1-baseline/phase.json");
  const auto result = drive();
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "write-failed");
  EXPECT_THAT(result.reasons[0].message, HasSubstr("No space left"));
}

TEST_F(DriveTest, ARecordThatCannotBeSavedIsSaidOnce) {
  plan_order(Order::ab);
  save_status = Unexpected{std::string("/w/gate.json: No space left on device")};
  const auto result = drive();
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "write-failed");
}

TEST_F(DriveTest, TellsLegsAndIterationsWhileThePhaseRuns) {
  plan_order(Order::ab);
  launcher.on_run = [&](const EngineRun& run) {
    store.files[run.directory + "/slurm_output/madengine-card_42_node_1.out"] =
        "Running: GPT-OSS-120B - BF16 - pretrain\n"
        "iteration        1/      15 | consumed samples: 2048 | elapsed time per iteration (ms): "
        "65010.2 | tokens per GPU (tokens/s/GPU): 8064.6 | lm loss: 1.1E+01 | number of skipped "
        "iterations:   0 | number of nan iterations:   0 | hip mem usage/free/total/usage_ratio: "
        "182.60GB/105.40GB/288.00GB/63.40%\n";
  };
  drive();
  ASSERT_THAT(observer.events, SizeIs(8));
  EXPECT_EQ(observer.events[0].kind, Event::Kind::phase_started);
  EXPECT_EQ(observer.events[1].kind, Event::Kind::leg_started);
  EXPECT_EQ(observer.events[1].precision, "BF16");
  EXPECT_EQ(observer.events[2].kind, Event::Kind::iteration);
  EXPECT_EQ(observer.events[2].iteration, 1);
  EXPECT_EQ(observer.events[2].iterations, 15);
  EXPECT_EQ(observer.events[3].kind, Event::Kind::phase_ended);
  EXPECT_EQ(observer.events[3].text, "exit status 0");
}

/// Plays a node log that grows: `lines` by the second at which they appear.
class ProgressTest : public DriveTest {
 protected:
  void play(const std::map<int, std::string>& lines, int until) {
    plan_order(Order::ab);
    launcher.ticks.clear();
    for (int second = 0; second <= until; second += 60)
      launcher.ticks.push_back(second);
    launcher.on_second = [this, lines](const EngineRun& run, int second) {
      if (run.directory != "/w/phases/1-baseline") return;
      const auto found = lines.find(second);
      if (found != lines.end()) store.files[log] += found->second;
    };
  }
  static std::string iteration(int k) {
    return " iteration        " + std::to_string(k) +
           "/      15 | consumed samples: 2048 | elapsed time per iteration (ms): 65000.0 | "
           "throughput per GPU (TFLOP/s/GPU): 300.0 | tokens per GPU (tokens/s/GPU): 8000.0 | "
           "learning rate: 1.0E-05 | global batch size:  2048 | lm loss: 1.1E+01 | loss scale: 1.0 "
           "| grad norm: 6.5 | number of skipped iterations:   0 | number of nan iterations:   0 "
           "|\n";
  }
  const std::string log = "/w/phases/1-baseline/slurm_output/madengine-primus_pyt_42_node_1.out";
  const std::string leg = "Running: GPT-OSS-120B - FP8 - pretrain\n";
};

TEST_F(ProgressTest, AHangInsideTheIterationsIsEndedHoweverMuchIsPrinted) {
  play({{0, leg}, {60, iteration(6)}, {120, iteration(7)}}, 3600);
  const auto result = drive();
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "no-progress");
  EXPECT_EQ(result.reasons[0].side, Side::baseline);
  EXPECT_EQ(
      result.reasons[0].message,
      "phase 1 (baseline) was ended: nothing moved for 30 min; last seen: FP8 iteration 7/15, "
      "no progress for 30 min");
  EXPECT_TRUE(result.finished) << "the other side still runs";
}

TEST_F(ProgressTest, AStepThatNeverStartsIsEnded) {
  play({}, 3600);
  launcher.talks = false;
  const auto result = drive();
  ASSERT_THAT(result.reasons, SizeIs(2));
  EXPECT_THAT(result.reasons[0].message, HasSubstr("last seen: no leg started"));
}

TEST_F(ProgressTest, AnyOutputCountsOutsideOfTheIterations) {
  play({{0, leg}}, 7200);
  EXPECT_THAT(drive().reasons, IsEmpty());
}

TEST_F(ProgressTest, AfterTheLastIterationTheNextLegMayLoad) {
  play({{0, leg}, {60, iteration(15)}}, 7200);
  EXPECT_THAT(drive().reasons, IsEmpty());
}

TEST_F(ProgressTest, EachIterationCounts) {
  std::map<int, std::string> lines{{0, leg}};
  for (int k = 1; k <= 14; ++k)
    lines[k * 1740] = iteration(k);
  play(lines, 14 * 1740 + 1740);
  EXPECT_THAT(drive().reasons, IsEmpty());
}

TEST_F(ProgressTest, ThePhaseBudgetSaysWhatWasLastSeen) {
  play({{0, leg}, {60, iteration(7)}}, 600);
  launcher.ends = {{{"timed_out", 0, "the budget of 3 h was used up"}, false, 0}};
  const auto result = drive();
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "phase-budget");
  EXPECT_EQ(result.reasons[0].message,
            "phase 1 (baseline) was ended: the budget of 3 h was used up; last seen: FP8 iteration "
            "7/15, no progress for 9 min");
}

std::vector<NodeFacts> two_nodes(const std::string& boot) {
  std::vector<NodeFacts> nodes(2);
  nodes[0].node = "node-a";
  nodes[1].node = "node-b";
  nodes[0].boot_id = "a1";
  nodes[1].boot_id = boot;
  return nodes;
}

TEST_F(DriveTest, OneLookBetweenTwoPhasesServesBoth) {
  plan_order(Order::ab);
  launcher.looks = {two_nodes("b1"), two_nodes("b2"), two_nodes("b3")};
  drive();
  EXPECT_EQ(launcher.looked, 3);
  const auto proof =
      metrics::parse_phase_proof(store.files.at("/w/phases/2-candidate/phase.json"), "phase.json");
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->before, two_nodes("b2"));
  EXPECT_EQ(proof->after, two_nodes("b3"));
  EXPECT_EQ(record.phases[0].nodes_after, two_nodes("b2"));
}

TEST_F(DriveTest, NodesThatDoNotAnswerAfterAPhaseAreAskedAgainBeforeTheNext) {
  plan_order(Order::ab);
  launcher.looks = {two_nodes("b1"), Unexpected{std::string("no answer")},
                    Unexpected{std::string("still none")}};
  const auto result = drive();
  EXPECT_FALSE(result.finished);
  ASSERT_THAT(result.reasons, SizeIs(1));
  EXPECT_EQ(result.reasons[0].code, "nodes-unreachable");
  EXPECT_EQ(result.reasons[0].message, "still none");
  EXPECT_THAT(record.phases[0].nodes_after, IsEmpty());
  EXPECT_THAT(launcher.runs, SizeIs(1));
}

TEST_F(DriveTest, AJobThatTheEngineSubmittedIsCancelledAlsoWhenWeAreStopped) {
  plan_order(Order::ab);
  store.files["/w/phases/1-baseline/engine.log"] = "Submitted SLURM job: 4711\n";
  launcher.ends = {{{"interrupted", 15, ""}, true, 15}};
  drive();
  EXPECT_THAT(launcher.cancelled, ElementsAre("4711"));
}

}  // namespace
}  // namespace abgate::runner
