#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "evidence_builder.hpp"

using namespace abgate;
using namespace abgate::compare::test;

namespace {

/// A gate in which only the values count: evidence is optional and absent.
Gate values_only(double baseline, double candidate) {
  Gate gate = healthy_gate();
  gate.config.workload.precisions = {"BF16"};
  gate.config.workload.evidence = "optional";
  for (PhaseEvidence& phase : gate.phases) {
    phase.series.clear();
    erase_leg(phase, "FP8");
    set_value(phase, "BF16", phase.side == Side::baseline ? baseline : candidate);
  }
  return gate;
}

TEST(Limit, ARatioAtTheLimitPassesAndTheNextLowerOneDoesNot) {
  const double limit = 1.0 - 0.02;
  // A baseline of 1 makes the ratio the candidate's value, without rounding.
  EXPECT_EQ(values_only(1, limit).score().verdict, Verdict::pass);
  EXPECT_EQ(values_only(1, std::nextafter(limit, 1)).score().verdict, Verdict::pass);
  EXPECT_EQ(values_only(1, std::nextafter(limit, 0)).score().verdict, Verdict::regression);
  EXPECT_EQ(values_only(8000, 7840).score().verdict, Verdict::pass);
  EXPECT_EQ(values_only(8000, 7839.9).score().verdict, Verdict::regression);
}

TEST(Limit, ZeroAllowsNoDrop) {
  Gate gate = values_only(8000, 8000);
  gate.config.max_drop["BF16"] = 0;
  EXPECT_EQ(gate.score().verdict, Verdict::pass);
  set_value(gate.candidate(), "BF16", std::nextafter(8000, 0));
  EXPECT_EQ(gate.score().verdict, Verdict::regression);
}

TEST(Limit, EachPrecisionHasItsOwn) {
  Gate gate = healthy_gate({65000 * 1.025, 116100});
  EXPECT_EQ(gate.score().verdict, Verdict::regression);
  gate.config.max_drop["BF16"] = 0.03;
  EXPECT_EQ(gate.score().verdict, Verdict::pass) << describe(gate.score());
}

TEST(Limit, TheWorkloadsOwnStandsInForAnAbsentOne) {
  Gate gate = healthy_gate({65000 * 1.025, 116100});
  gate.config.max_drop.clear();
  EXPECT_EQ(gate.score().verdict, Verdict::regression);
}

TEST(Limit, NaNNeverPasses) {
  Gate gate = healthy_gate();
  for (auto& [precision, limit] : gate.config.max_drop)
    limit = std::numeric_limits<double>::quiet_NaN();
  const Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::no_verdict);
  EXPECT_EQ(card.legs[0].outcome, LegOutcome::untrusted);
}

TEST(Regression, NamesLegRatioAndLimit) {
  const Scorecard card = healthy_gate({67800, 116100}).score();
  ASSERT_EQ(card.verdict, Verdict::regression);
  const Reason& reason = card.reasons.front();
  EXPECT_EQ(reason.code, "regression");
  EXPECT_EQ(reason.precision, "BF16");
  EXPECT_EQ(reason.side, Side::candidate);
  EXPECT_NE(reason.message.find("ratio 0.9"), std::string::npos) << reason.message;
  EXPECT_NE(reason.message.find("limit -2.00 %"), std::string::npos) << reason.message;
  ASSERT_EQ(reason.evidence.size(), 2U);
  EXPECT_EQ(reason.evidence[1].file, "2-candidate/perf.csv");
  EXPECT_EQ(card.legs[0].outcome, LegOutcome::regression);
  EXPECT_EQ(card.legs[1].outcome, LegOutcome::pass);
}

TEST(Regression, AMissingLegDoesNotHideIt) {
  Gate gate = healthy_gate({67800, 116100});
  erase_leg(gate.candidate(), "FP8");
  const Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::regression) << describe(card);
  EXPECT_EQ(card.legs[1].outcome, LegOutcome::missing);
  EXPECT_TRUE(has_code(card, "leg-missing"));
}

TEST(Regression, AnUntrustedLegIsNone) {
  Gate gate = healthy_gate({67800, 116100});
  gate.candidate().proof->end = {"exited", 3, ""};
  const Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::no_verdict) << describe(card);
  EXPECT_EQ(card.legs[0].outcome, LegOutcome::untrusted);
  ASSERT_TRUE(card.legs[0].ratio);
  EXPECT_LT(*card.legs[0].ratio, 0.98);
}

TEST(Regression, ADistrustedRunIsNone) {
  Gate gate = healthy_gate({67800, 116100});
  gate.candidate().engine.submitted_jobs = {"43"};
  const Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::no_verdict) << describe(card);
  EXPECT_FALSE(has_code(card, "regression"));
}

TEST(Regression, APrintedAverageDoesNotLiftALegThatItsIterationsMiss) {
  Gate gate = healthy_gate({65000 * 1.025, 116100});
  const auto lift = [&](double factor) {
    Gate lifted = gate;
    auto& average = series(lifted.candidate(), "BF16").iterations.back().tokens_average;
    *average *= factor;
    set_value(lifted.candidate(), "BF16", *average);
    return lifted.score();
  };
  EXPECT_EQ(lift(1).verdict, Verdict::regression);
  // Within the half of the limit that a cleared average may be off, and over the limit by it.
  const Scorecard card = lift(1.009);
  EXPECT_EQ(card.verdict, Verdict::no_verdict) << describe(card);
  ASSERT_NE(find_reason(card, "csv-series-disagree"), nullptr) << describe(card);
  EXPECT_NE(find_reason(card, "csv-series-disagree")->message.find("below the limit"),
            std::string::npos)
      << describe(card);
}

TEST(Regression, TheGeometricMeanOfThePhasesCounts) {
  Gate gate = healthy_gate();
  gate.config.order = Order::aba;
  gate.phases.push_back(healthy_phase(3, Side::baseline, {65650, 116000}));
  const Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
  const double first = *card.legs[0].phases[0].value;
  const double second = *card.legs[0].phases[2].value;
  EXPECT_NEAR(*card.legs[0].baseline, std::sqrt(first * second), 1e-9);
}

TEST(Infra, ALostAllocationLeavesNothingToDistrust) {
  // Only the first phase ran, and was interrupted at iteration 6 of BF16 without any row.
  Gate gate = healthy_gate();
  gate.phases.pop_back();
  PhaseEvidence& phase = gate.baseline();
  phase.perf_csv.clear();
  phase.model_csv.clear();
  series(phase, "BF16").iterations.resize(6);
  phase.series.resize(1);
  phase.banners.resize(1);
  phase.nodes.clear();
  phase.proof->nodes = {"mi355x-0"};
  phase.proof->end = {"interrupted", 15, "allocation lost"};
  phase.proof->ended.reset();
  const Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::no_verdict);
  for (const Reason& reason : card.reasons)
    EXPECT_NE(reason.weight, Weight::distrust) << describe(card);
  std::vector<Reason> with_infra = card.reasons;
  with_infra.push_back({"allocation-lost", Weight::infra, "lost", {}, {}, "", "", {}});
  EXPECT_EQ(verdict_of(card.legs, with_infra), Verdict::infra);
}

TEST(Source, IsTheSameOnAllSidesAndTheMostCompleteWins) {
  Gate gate = healthy_gate();
  erase_rows(gate.candidate().perf_csv, "FP8");
  erase_rows(gate.baseline().model_csv, "FP8");
  erase_rows(gate.candidate().model_csv, "FP8");
  const Scorecard card = gate.score();
  EXPECT_EQ(card.source, MetricSource::perf_csv);
  EXPECT_EQ(card.verdict, Verdict::no_verdict);
  EXPECT_TRUE(card.legs[0].ratio) << "the leg that exists shows its number";
  EXPECT_EQ(card.legs[1].outcome, LegOutcome::missing);
  EXPECT_TRUE(card.legs[1].baseline);
  EXPECT_FALSE(card.legs[1].candidate);
}

TEST(Source, AFailedRowIsNotReplacedByAnotherSource) {
  Gate gate = healthy_gate();
  row(gate.candidate(), "FP8").value.reset();
  const Scorecard card = gate.score();
  EXPECT_EQ(card.source, MetricSource::perf_csv);
  EXPECT_EQ(card.legs[1].outcome, LegOutcome::untrusted);
  const Reason* reason = find_reason(card, "value-not-usable");
  ASSERT_NE(reason, nullptr);
  EXPECT_NE(reason->message.find("2-candidate/perf.csv:5"), std::string::npos) << reason->message;
}

TEST(Reasons, NameSidePhasePrecisionNodeAndPlace) {
  Gate gate = healthy_gate();
  gate.candidate().banners[3].version = baseline_build;
  const Scorecard card = gate.score();
  const Reason* reason = find_reason(card, "candidate-not-proved");
  ASSERT_NE(reason, nullptr);
  EXPECT_EQ(reason->side, Side::candidate);
  EXPECT_EQ(reason->phase, 2);
  EXPECT_EQ(reason->precision, "FP8");
  EXPECT_EQ(reason->node, "mi355x-1");
  EXPECT_NE(reason->message.find(library_path), std::string::npos);
  ASSERT_EQ(reason->evidence.size(), 1U);
  EXPECT_EQ(format(reason->evidence[0]), "2-candidate/slurm_output/x_node_1.out:245");
}

TEST(Reasons, AnIncompleteLegQuotesItsCause) {
  Gate gate = healthy_gate();
  series(gate.candidate(), "FP8").iterations.resize(5);
  gate.candidate().markers = {{{"slurm_output/x_node_1.out", 900},
                               "oom",
                               "torch.OutOfMemoryError: HIP out of memory.",
                               "FP8",
                               "1"}};
  const Scorecard card = gate.score();
  const Reason* reason = find_reason(card, "series-incomplete");
  ASSERT_NE(reason, nullptr);
  EXPECT_NE(reason->message.find("iteration 5 of 15"), std::string::npos) << reason->message;
  EXPECT_NE(reason->message.find("OutOfMemoryError"), std::string::npos) << reason->message;
}

TEST(Reasons, BothFailedSidesAreListed) {
  Gate gate = healthy_gate();
  for (PhaseEvidence& phase : gate.phases)
    phase.proof->end = {"exited", 1, ""};
  const Scorecard card = gate.score();
  const auto failed = std::count_if(card.reasons.begin(), card.reasons.end(),
                                    [](const Reason& r) { return r.code == "engine-failed"; });
  EXPECT_EQ(failed, 2);
}

TEST(Reasons, AHostileValueCannotDriveATerminal) {
  Gate gate = healthy_gate();
  MetricRow& bad = row(gate.candidate(), "FP8");
  bad.performance = "\x1b[31m4511";
  bad.value.reset();
  const Scorecard card = gate.score();
  EXPECT_EQ(find_reason(card, "value-not-usable")->message.find('\x1b'), std::string::npos);
}

TEST(Notes, HalfTheLimitBetweenBaselinesIsANote) {
  Gate gate = healthy_gate();
  gate.config.order = Order::aba;
  gate.phases.push_back(healthy_phase(3, Side::baseline, {65980, 116000}));
  const Scorecard card = gate.score();
  const Reason* reason = find_reason(card, "baseline-unstable");
  ASSERT_NE(reason, nullptr) << describe(card);
  EXPECT_EQ(reason->weight, Weight::note);
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
}

TEST(Notes, DriftAndMemoryAndAGainAreSaid) {
  Gate gate = healthy_gate();
  std::vector<double> times = healthy_times(55000, 2);
  for (std::size_t i = 2; i < times.size(); ++i)
    times[i] *= 1 + 0.002 * static_cast<double>(i);
  set_times(gate.candidate(), "BF16", times);
  for (Iteration& iteration : series(gate.candidate(), "BF16").iterations)
    iteration.peak_hbm_gb = 250;
  const Scorecard card = gate.score();
  EXPECT_TRUE(has_code(card, "drift")) << describe(card);
  EXPECT_TRUE(has_code(card, "hbm-differs")) << describe(card);
  EXPECT_TRUE(has_code(card, "much-faster")) << describe(card);
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
}

}  // namespace
