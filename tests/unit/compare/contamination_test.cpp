#include <gtest/gtest.h>

#include "evidence_builder.hpp"

using namespace abgate;
using namespace abgate::compare::test;

namespace {

// FORMATS 4's real series, ms, with the profiler on.
const std::vector<double> profiled_bf16{121691, 93266,  64215, 65772, 63295,
                                        70850,  207608, 65783, 65116, 63306};
const std::vector<double> profiled_fp8{148723, 132941, 116363, 115813, 119327,
                                       144448, 433676, 116609, 115557, 115749};

/// The same series with typical times in place of the iterations 6, 7 and 8.
std::vector<double> without_profiler(std::vector<double> times, double typical) {
  times[5] = typical * 1.004;
  times[6] = typical * 0.997;
  times[7] = typical * 1.001;
  return times;
}

/// A candidate with these two legs against a baseline of the same magnitude; profiler turned off.
/// No two runs take the same milliseconds.
std::vector<double> later(std::vector<double> times) {
  for (double& time : times)
    time += 12;
  return times;
}

Gate gate_with(const std::vector<double>& bf16, const std::vector<double>& fp8) {
  Gate gate = healthy_gate();
  gate.config.workload.requested_iterations = 10;
  set_times(gate.baseline(), "BF16", without_profiler(profiled_bf16, 64900));
  set_times(gate.baseline(), "FP8", without_profiler(profiled_fp8, 116400));
  set_times(gate.candidate(), "BF16", bf16);
  set_times(gate.candidate(), "FP8", fp8);
  return gate;
}

std::string message_of(const Scorecard& card, const std::string& precision) {
  for (const Reason& reason : card.reasons) {
    if (reason.code == "contaminated" && reason.precision == precision) return reason.message;
  }
  return "";
}

TEST(Contamination, TheRealSeriesWithProfilerIsCaughtInBothLegs) {
  const Scorecard card = gate_with(profiled_bf16, profiled_fp8).score();
  EXPECT_EQ(card.verdict, Verdict::no_verdict);
  EXPECT_NE(message_of(card, "BF16").find("iteration 7 of BF16"), std::string::npos)
      << describe(card);
  EXPECT_NE(message_of(card, "BF16").find("3.17 times"), std::string::npos) << describe(card);
  EXPECT_NE(message_of(card, "FP8").find("iteration 6, 7 of FP8"), std::string::npos)
      << describe(card);
}

TEST(Contamination, TheRealSeriesWithoutProfilerIsClean) {
  const Scorecard card = gate_with(later(without_profiler(profiled_bf16, 65000)),
                                   later(without_profiler(profiled_fp8, 116500)))
                             .score();
  EXPECT_FALSE(has_code(card, "contaminated")) << describe(card);
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
}

TEST(Contamination, TheWarmUpIsNotMeasured) {
  Gate gate = healthy_gate();
  std::vector<double> times = healthy_times(65000, 2);
  times[0] *= 5;
  times[1] *= 3;
  set_times(gate.candidate(), "BF16", times);
  EXPECT_EQ(gate.score().verdict, Verdict::pass) << describe(gate.score());
}

TEST(Contamination, ALongerWarmUpIsRespected) {
  Gate gate = healthy_gate();
  std::vector<double> times = healthy_times(65000, 2);
  times[2] *= 1.6;
  set_times(gate.candidate(), "BF16", times);
  EXPECT_TRUE(has_code(gate.score(), "contaminated"));
  gate.config.workload.warmup_iterations = 3;
  EXPECT_FALSE(has_code(gate.score(), "contaminated")) << describe(gate.score());
}

/// Llama-3.1-70B as it ships: 50 iterations, the profiler's window at 7 on both sides.
Gate llama_gate() {
  Gate gate = healthy_gate();
  gate.config.workload.env.clear();
  gate.config.workload.requested_iterations = 50;
  for (PhaseEvidence& phase : gate.phases) {
    for (const auto& [precision, typical] :
         {std::pair<std::string, double>{"BF16", 152600}, {"FP8", 92100}}) {
      std::vector<double> times = healthy_times(typical, phase.index, 50);
      times[6] = typical * 3.2;
      times[7] = typical * 1.024;
      times[8] = typical * 1.017;
      set_times(phase, precision, times);
    }
  }
  return gate;
}

TEST(Contamination, TheModelsOwnProfilerIsANoteWhenEveryPhaseShowsIt) {
  const Scorecard card = llama_gate().score();
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
  EXPECT_TRUE(has_code(card, "profiler-window")) << describe(card);
}

TEST(Contamination, TheModelsOwnProfilerIsNoExcuse) {
  Gate turned_off = llama_gate();
  turned_off.config.workload.env = {{"PRIMUS_DISABLE_PROFILE", "1"}};
  EXPECT_TRUE(has_code(turned_off.score(), "contaminated"));

  Gate one_side = llama_gate();
  set_times(one_side.candidate(), "FP8", healthy_times(92100, 2, 50));
  EXPECT_TRUE(has_code(one_side.score(), "contaminated"));

  Gate elsewhere = llama_gate();
  std::vector<double> times = healthy_times(92100, 2, 50);
  times[20] *= 3.2;
  set_times(elsewhere.candidate(), "FP8", times);
  EXPECT_TRUE(has_code(elsewhere.score(), "contaminated"));

  Gate short_run = gate_with(profiled_bf16, profiled_fp8);
  short_run.config.workload.env.clear();
  std::vector<double> slower = profiled_bf16;
  for (double& time : slower)
    time *= 1.001;
  set_times(short_run.baseline(), "BF16", slower);
  EXPECT_TRUE(has_code(short_run.score(), "contaminated"))
      << "one of eight is more than one in twenty";
}

TEST(Contamination, AProfilerThatAnnouncesItselfIsSaid) {
  Gate gate = healthy_gate();
  series(gate.candidate(), "BF16").profiler_lines = true;
  EXPECT_TRUE(has_code(gate.score(), "profiler-announced"));
}

}  // namespace
