#include <string>

#include <gtest/gtest.h>

#include <abgate/base/text.hpp>
#include <abgate/metrics/log_scanner.hpp>

namespace abgate::metrics {
namespace {

const std::string prefix =
    "\x1b[32mINFO\x1b[0m [\x1b[32m20261101 10:00:00\x1b[0m][rank-15/16][DEBUG] [----utils.py:1] : "
    "[2026-11-01 10:00:00.123456] ";
const std::string memory_part =
    " | hip mem usage/free/total/usage_ratio: 182.60GB/105.40GB/288.00GB/63.40%";
const std::string start = "iteration        9/      15 | consumed samples: 18432 | ";
const std::string elapsed = "elapsed time per iteration (ms): 65010.2 | ";
const std::string rest =
    " | learning rate: 1.0E-05 | global batch size:  2048 | lm loss: 1.1E+01 | loss scale: 1.0 | "
    "grad norm: 6.5 | number of skipped iterations:   0 | number of nan iterations:   0";
const std::string whole = start + elapsed +
                          "throughput per GPU (TFLOP/s/GPU): 318.1/317.9  | tokens per GPU "
                          "(tokens/s/GPU): 8064.6/8060.3" +
                          rest + memory_part;

TEST(IterationLine, ReadsEverySegment) {
  const auto it = parse_iteration_line(prefix + whole + "\x1b[0m");
  ASSERT_TRUE(it);
  EXPECT_EQ(it->k, 9);
  EXPECT_EQ(it->total, 15);
  EXPECT_EQ(it->elapsed_ms, 65010.2);
  EXPECT_EQ(it->tflops, 318.1);
  EXPECT_EQ(it->tflops_average, 317.9);
  EXPECT_EQ(it->tokens, 8064.6);
  EXPECT_EQ(it->tokens_average, 8060.3);
  EXPECT_EQ(it->loss, 11.0);
  EXPECT_TRUE(it->loss_present);
  EXPECT_EQ(it->grad_norm, 6.5);
  EXPECT_TRUE(it->grad_norm_present);
  EXPECT_EQ(it->skipped, 0);
  EXPECT_EQ(it->nan, 0);
  EXPECT_EQ(it->global_batch_size, 2048);
  EXPECT_EQ(it->peak_hbm_gb, 182.6);
  EXPECT_EQ(it->shape, "elapsed:i|throughput:i/a|tokens:i/a|batch|loss|grad|skipped|nan|hbm");
}

TEST(IterationLine, ReadsTheFormsOfEveryPrimus) {
  struct Case {
    const char* what;
    std::string middle;
    std::optional<double> tflops, tflops_average, tokens, tokens_average;
    std::string shape;
  };
  const std::vector<Case> cases = {
      {"warm-up, single values",
       "throughput per GPU (TFLOP/s/GPU): 167.0 | tokens per GPU (tokens/s/GPU): 4337.6",
       167.0,
       {},
       4337.6,
       {},
       "elapsed:i|throughput:i|tokens:i"},
      {"warm-up, no token segment",
       "throughput per GPU (TFLOP/s/GPU): 167.0",
       167.0,
       {},
       {},
       {},
       "elapsed:i|throughput:i"},
      {"26.4",
       "throughput per GPU (TFLOP/s/GPU): 318.1/317.9  | tokens per GPU (tokens/s/GPU): 8.5/8.4",
       318.1, 317.9, 8.5, 8.4, "elapsed:i|throughput:i/a|tokens:i/a"},
      {"26.5.0",
       "compute per GPU (TFLOP/s/GPU): 318.1 (avg 317.9) | tokens/s/GPU inst/harmonic mean: "
       "8.5/8.4",
       318.1, 317.9, 8.5, 8.4, "elapsed:i|compute:i(a)|tokens-harmonic:i/a"},
      {"26.5.1",
       "throughput per GPU (TFLOP/s/GPU): 318.1/317.9 | tokens/s/GPU inst/harmonic mean: 8.5/8.4",
       318.1, 317.9, 8.5, 8.4, "elapsed:i|throughput:i/a|tokens-harmonic:i/a"},
      {"an average that was just cleared",
       "throughput per GPU (TFLOP/s/GPU): 318.1/nan | tokens/s/GPU inst/harmonic mean: 8.5/0.0",
       318.1,
       {},
       8.5,
       {},
       "elapsed:i|throughput:i/a|tokens-harmonic:i/a"},
  };
  for (const Case& c : cases) {
    const auto it = parse_iteration_line(start + elapsed + c.middle + rest + memory_part);
    ASSERT_TRUE(it) << c.what;
    EXPECT_EQ(it->elapsed_ms, 65010.2) << c.what;
    EXPECT_EQ(it->tflops, c.tflops) << c.what;
    EXPECT_EQ(it->tflops_average, c.tflops_average) << c.what;
    EXPECT_EQ(it->tokens, c.tokens) << c.what;
    EXPECT_EQ(it->tokens_average, c.tokens_average) << c.what;
    EXPECT_EQ(it->shape, c.shape + "|batch|loss|grad|skipped|nan|hbm") << c.what;
  }
}

TEST(IterationLine, SegmentsMayStandInAnyOrder) {
  const auto it = parse_iteration_line(
      "iteration 9/15 | lm loss: 1.1E+01 | hip mem usage/free/total/usage_ratio: "
      "182.60GB/105.40GB/288.00GB/63.40% | tokens per GPU (tokens/s/GPU): 8064.6/8060.3 | "
      "elapsed time per iteration (ms): 65010.2/65100.0 |");
  ASSERT_TRUE(it);
  EXPECT_EQ(it->elapsed_ms, 65010.2);
  EXPECT_EQ(it->tokens, 8064.6);
  EXPECT_EQ(it->loss, 11.0);
  EXPECT_EQ(it->peak_hbm_gb, 182.6);
  EXPECT_EQ(it->shape, "loss|hbm|tokens:i/a|elapsed:i/a");
}

TEST(IterationLine, WhatALineLacksIsNothingNotZero) {
  const auto it =
      parse_iteration_line("iteration 9/15 | elapsed time per iteration (ms): 65010.2 |");
  ASSERT_TRUE(it);
  EXPECT_EQ(it->tokens, std::nullopt);
  EXPECT_FALSE(it->loss_present);
  EXPECT_FALSE(it->grad_norm_present);
  EXPECT_EQ(it->skipped, std::nullopt);
  EXPECT_EQ(it->nan, std::nullopt);
  EXPECT_EQ(it->global_batch_size, std::nullopt);
  EXPECT_EQ(it->peak_hbm_gb, std::nullopt);
}

TEST(IterationLine, ALossThatIsNotFiniteIsPresentWithoutAValue) {
  for (const std::string written : {"nan", "NaN", "inf", "-inf", "1e999"}) {
    const auto it = parse_iteration_line(start + elapsed + "lm loss: " + written +
                                         " | grad norm: " + written + memory_part);
    ASSERT_TRUE(it) << written;
    EXPECT_TRUE(it->loss_present) << written;
    EXPECT_EQ(it->loss, std::nullopt) << written;
    EXPECT_TRUE(it->grad_norm_present) << written;
    EXPECT_EQ(it->grad_norm, std::nullopt) << written;
  }
}

TEST(IterationLine, ConvertsMemoryUnits) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"182.60GB/105.40GB/288.00GB/63.40%", 182.6},
      {"182.60GiB/1.0GiB/288.0GiB/63.40%", 182.6},
      {"2048.00MB/1.00MB/3.00MB/63.40%", 2.0},
      {"182.60 GB/105.40 GB/288.00 GB/63.40%", 182.6}};
  for (const auto& [written, gigabytes] : cases) {
    const auto it =
        parse_iteration_line(start + elapsed + "hip mem usage/free/total/usage_ratio: " + written);
    ASSERT_TRUE(it) << written;
    EXPECT_EQ(it->peak_hbm_gb, gigabytes) << written;
  }
}

TEST(IterationLine, TheDevicesOwnMemoryFigureWins) {
  const auto it = parse_iteration_line(
      whole +
      "  | rocm mem usage/free/total/usage_ratio: 190.00GB/98.00GB/288.00GB/65.97% | rank-3 "
      "rocm max mem usage/usage_ratio: 190.10GB/66.01%");
  ASSERT_TRUE(it);
  EXPECT_EQ(it->peak_hbm_gb, 182.6);
}

TEST(IterationLine, OtherLinesAreNone) {
  for (const std::string line : {"", "saving checkpoint at iteration       9/      15 to /x",
                                 "elapsed time per iteration (ms): 5", "iteration | x: 1",
                                 "iterations 9/15 | elapsed time per iteration (ms): 5.0 |",
                                 "number of nan iterations:   0 | x: 1"}) {
    EXPECT_FALSE(parse_iteration_line(line)) << line;
  }
}

TEST(IterationLine, BrokenLinesGiveNoNumber) {
  const std::vector<std::string> broken = {
      "iteration 16/15 | " + elapsed + "x: 1 |",
      "iteration 0/15 | " + elapsed + "x: 1 |",
      "iteration 99999999999999999999/99999999999999999999 | " + elapsed + "x: 1 |",
      "iteration 9/",
      "iteration 9/15",
      "iteration 9/15 |",
      "iteration 9/15 | consumed samples: 18432 |",
      start + "elapsed time per iteration (ms): nan | x: 1 |",
      start + "elapsed time per iteration (ms): 1e999 | x: 1 |",
      start + "elapsed time per iteration (ms): -5.0 | x: 1 |",
      start + "elapsed time per iteration (ms): 0.0 | x: 1 |",
      start + "elapsed time per iteration (ms): 650",
      start + "elapsed time per iteration (ms): 65010.",
      start + "elapsed time per iteration (ms):",
      start + "elapsed time per iteration (ms)",
      start + elapsed + "tokens per GPU (tokens/s/GPU): nan/8060.3" + memory_part,
      start + elapsed + "tokens per GPU (tokens/s/GPU): 8064.6/80",
      start + elapsed + "tokens per GPU (tokens/s/GPU): 8064.6/",
      start + elapsed + "tokens per GPU (tokens/s/GPU): 8064.6/8060.3/5.0" + memory_part,
      start + elapsed + "tokens per GPU (tokens/s/GPU): 0x1F90" + memory_part,
      start + elapsed + "compute per GPU (TFLOP/s/GPU): 318.1 (avg 31" + memory_part,
      start + elapsed + "lm loss: 1.1E" + memory_part,
      start + elapsed + "lm loss: abc" + memory_part,
      start + elapsed + "number of nan iterations: 0x" + memory_part,
      whole.substr(0, whole.size() - 1),
      whole + whole,
      whole + " | " + elapsed,
      whole + " | lm loss: 2.0E+01 |",
      start + "learning rate: 1.0 (iteration 10/15 | " + elapsed,
      whole + "[2026-11-01 10:00:00] node-a:1:2 [3] /x.cc:517 NCCL WARN Please note that it is old",
      start + elapsed + "learning rate: 1.0E-05[2026-11-01 10:00:00] node-a:1:2 [3] NCCL WARN" +
          memory_part,
      start + elapsed + "learn" + memory_part,
  };
  for (const std::string& line : broken)
    EXPECT_FALSE(parse_iteration_line(line)) << line;
}

TEST(IterationLine, NoCutOfALineGivesAnotherNumber) {
  const auto truth = parse_iteration_line(whole);
  ASSERT_TRUE(truth);
  const auto same = [](const auto& value, const auto& wanted) { return !value || value == wanted; };
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto it = parse_iteration_line(whole.substr(0, length));
    if (!it) continue;
    EXPECT_EQ(it->elapsed_ms, truth->elapsed_ms) << length;
    EXPECT_TRUE(same(it->tokens, truth->tokens)) << length;
    EXPECT_TRUE(same(it->tflops, truth->tflops)) << length;
    EXPECT_TRUE(same(it->peak_hbm_gb, truth->peak_hbm_gb)) << length;
  }
}

}  // namespace
}  // namespace abgate::metrics
