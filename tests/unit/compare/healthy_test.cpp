#include <gtest/gtest.h>

#include "evidence_builder.hpp"

using namespace abgate;
using namespace abgate::compare::test;

namespace {

void expect_clean_pass(const Scorecard& card) {
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
  for (const Reason& reason : card.reasons)
    EXPECT_EQ(reason.weight, Weight::note) << describe(card);
  for (const LegResult& leg : card.legs)
    EXPECT_EQ(leg.outcome, LegOutcome::pass) << leg.precision;
}

TEST(Healthy, RunOfOursPasses) {
  const Scorecard card = healthy_gate().score();
  expect_clean_pass(card);
  EXPECT_EQ(card.source, MetricSource::perf_csv);
  ASSERT_EQ(card.legs.size(), 2U);
  EXPECT_EQ(card.legs[0].precision, "BF16");
  EXPECT_NEAR(*card.legs[0].ratio, 0.9992, 0.002);
  EXPECT_NEAR(*card.legs[0].median_ratio, *card.legs[0].ratio, 0.005);
  ASSERT_EQ(card.legs[1].phases.size(), 2U);
  const PhaseValue& fp8 = card.legs[1].phases[1];
  EXPECT_EQ(fp8.phase, 2);
  EXPECT_EQ(fp8.side, Side::candidate);
  EXPECT_EQ(fp8.measured_iterations, 13);
  EXPECT_EQ(fp8.peak_hbm_gb, 191.6);
  EXPECT_TRUE(fp8.last_loss && fp8.spread && fp8.drift && fp8.median && fp8.harmonic_mean &&
              fp8.autocorrelation);
}

TEST(Healthy, OnlyTheTransportIsNotSeen) {
  const Scorecard card = healthy_gate().score();
  ASSERT_EQ(card.reasons.size(), 1U) << describe(card);
  EXPECT_EQ(card.reasons[0].code, "transport-not-seen");
}

TEST(Healthy, DirectoriesFromElsewherePassWithANote) {
  const Scorecard card = foreign_gate().score();
  expect_clean_pass(card);
  EXPECT_TRUE(has_code(card, "no-phase-proof")) << describe(card);
}

TEST(Healthy, DirectoriesWithJobsOfTheirOwnPass) {
  Gate gate = foreign_gate();
  for (PhaseEvidence& phase : gate.phases) {
    const std::string job = phase.side == Side::baseline ? "21" : "22";
    phase.engine.in_place = false;
    phase.engine.in_place_job.clear();
    phase.engine.submitted_jobs = {job};
    for (auto* file : {&phase.perf_csv, &phase.model_csv}) {
      for (MetricRow& row : *file)
        row.job = job;
    }
    for (NodeTrace& node : phase.nodes)
      node.job = job;
  }
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_TRUE(has_code(card, "foreign-job"));
}

TEST(Healthy, AllOrdersPass) {
  for (const Order order : {Order::ba, Order::aba, Order::abba}) {
    Gate gate = healthy_gate();
    gate.config.order = order;
    gate.phases.clear();
    int index = 0;
    for (const Side side : sides_of(order))
      gate.phases.push_back(healthy_phase(++index, side));
    expect_clean_pass(gate.score());
  }
}

TEST(Healthy, OneNodeOnThisHostPasses) {
  Gate gate = healthy_gate();
  gate.config.launcher = Launcher::local;
  gate.config.nodes = 1;
  gate.context = {true, "run-1", "", {}};
  for (PhaseEvidence& phase : gate.phases) {
    phase.proof->job_id.clear();
    phase.proof->nodes = {"this-host"};
    phase.engine.in_place_job.clear();
    phase.nodes = {phase.nodes[0]};
    phase.nodes[0].host = "container";
    phase.banners = {phase.banners[0], phase.banners[2]};
    for (auto* file : {&phase.perf_csv, &phase.model_csv}) {
      for (MetricRow& row : *file) {
        row.job.clear();
        row.gpus = 8;
        if (row.nodes) row.nodes = 1;
      }
    }
    for (LegSeries& series : phase.series) {
      for (Iteration& iteration : series.iterations)
        iteration.tokens = *iteration.tokens * 2;
      double sum = 0;
      for (std::size_t i = 2; i < series.iterations.size(); ++i) {
        sum += *series.iterations[i].tokens;
        series.iterations[i].tokens_average = sum / static_cast<double>(i - 1);
      }
      set_value(phase, series.precision, *series.iterations.back().tokens_average);
    }
    for (NodeTrace& node : phase.nodes)
      node.job.clear();
  }
  expect_clean_pass(gate.score());
}

TEST(Healthy, ACandidateByEnvironmentAloneRunsTheSameBuild) {
  Gate gate = healthy_gate();
  gate.config.candidate_rccl.clear();
  gate.config.candidate.image = gate.config.baseline.image;
  gate.config.candidate.env = {{"NCCL_MIN_NCHANNELS", "32"}};
  for (RcclBanner& banner : gate.candidate().banners)
    banner.version = baseline_build;
  for (MetricRow& row : gate.candidate().perf_csv)
    row.image = gate.config.baseline.image;
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_TRUE(has_code(card, "candidate-not-pinned"));
}

TEST(Healthy, AnUnpinnedCandidateThatDiffersPassesWithANote) {
  Gate gate = healthy_gate();
  gate.config.candidate_rccl.clear();
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_TRUE(has_code(card, "candidate-not-pinned"));
}

TEST(Healthy, AnAAGateShowsOneBuild) {
  Gate gate = healthy_gate();
  gate.config.candidate_rccl.clear();
  gate.config.same_build = true;
  for (RcclBanner& banner : gate.candidate().banners)
    banner.version = baseline_build;
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_TRUE(has_code(card, "same-build"));
}

TEST(Healthy, TheModelCsvStandsInForPerfCsvOnBothSides) {
  Gate gate = healthy_gate();
  erase_rows(gate.candidate().perf_csv, "FP8");
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_EQ(card.source, MetricSource::model_csv);
  EXPECT_TRUE(has_code(card, "source-fallback"));
}

TEST(Healthy, TheSeriesStandsInOnlyWhenAllowed) {
  Gate gate = healthy_gate();
  for (PhaseEvidence& phase : gate.phases) {
    erase_rows(phase.perf_csv, "FP8");
    erase_rows(phase.model_csv, "FP8");
  }
  EXPECT_EQ(gate.score().verdict, Verdict::no_verdict);
  gate.config.allow_log_metric = true;
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_EQ(card.source, MetricSource::series);
  EXPECT_TRUE(has_code(card, "log-metric"));
}

TEST(Healthy, OptionalEvidenceMayBeAbsentAndTheReportSaysSo) {
  Gate gate = healthy_gate();
  gate.config.workload.evidence = "optional";
  gate.config.candidate_rccl.clear();
  for (PhaseEvidence& phase : gate.phases) {
    phase.series.clear();
    phase.banners.clear();
  }
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_TRUE(has_code(card, "series-missing"));
  EXPECT_TRUE(has_code(card, "rccl-not-checked"));
}

TEST(Healthy, OlderRowsOfAForeignCumulativeFileAreIgnored) {
  Gate gate = foreign_gate();
  MetricRow old = row(gate.baseline(), "BF16");
  old.job = "7";
  old.value = 4000;
  gate.baseline().perf_csv.insert(gate.baseline().perf_csv.begin(), old);
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_TRUE(has_code(card, "stale-rows"));
}

TEST(Healthy, AHarmonicAverageAndAClearedAverageAgreeWithTheSeries) {
  for (const bool harmonic : {true, false}) {
    for (const std::size_t first : {std::size_t{2}, std::size_t{10}}) {
      Gate gate = healthy_gate();
      for (PhaseEvidence& phase : gate.phases) {
        for (LegSeries& series : phase.series) {
          double sum = 0;
          double inverse = 0;
          double count = 0;
          for (std::size_t i = first; i < series.iterations.size(); ++i) {
            sum += *series.iterations[i].tokens;
            inverse += 1 / *series.iterations[i].tokens;
            ++count;
          }
          set_value(phase, series.precision, harmonic ? count / inverse : sum / count);
        }
      }
      expect_clean_pass(gate.score());
    }
  }
}

TEST(Healthy, BothNodesMayPrintTheSameIterations) {
  Gate gate = healthy_gate();
  LegSeries copy = series(gate.candidate(), "FP8");
  copy.node = node_hosts[0];
  copy.iterations.resize(9);
  gate.candidate().series.push_back(copy);
  expect_clean_pass(gate.score());
}

TEST(Healthy, TheFabricIsSeenOnBothSides) {
  Gate gate = healthy_gate();
  for (PhaseEvidence& phase : gate.phases)
    phase.transports = {{{"slurm_output/x_node_0.out", 5}, "0", "BF16", "IB"}};
  EXPECT_TRUE(gate.score().reasons.empty()) << describe(gate.score());
}

TEST(Healthy, AnAcceptedEngineExitIsLoudAndPasses) {
  Gate gate = healthy_gate();
  gate.config.workload.accept_engine_exit = true;
  gate.candidate().proof->end = {"exited", 3, ""};
  gate.candidate().engine_exit = 3;
  gate.candidate().nodes[0].engine_exit = 3;
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  ASSERT_TRUE(has_code(card, "engine-exit-accepted"));
  EXPECT_NE(find_reason(card, "engine-exit-accepted")->message.find("ACCEPTED"), std::string::npos);
}

TEST(Healthy, AnotherPrecisionIsNotScored) {
  Gate gate = healthy_gate();
  gate.config.workload.precisions = {"BF16"};
  const Scorecard card = gate.score();
  expect_clean_pass(card);
  EXPECT_EQ(card.legs.size(), 1U);
  EXPECT_TRUE(has_code(card, "leg-unexpected"));
}

}  // namespace
