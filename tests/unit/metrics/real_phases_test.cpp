#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <abgate/metrics/layout.hpp>
#include <abgate/metrics/log_scanner.hpp>
#include <abgate/metrics/rows.hpp>
#include <abgate/metrics/traces.hpp>

#include "phase_files.hpp"

namespace abgate::metrics {
namespace {

/// What the last node's log and perf.csv of a phase say.
struct Phase {
  std::map<std::string, LegSeries> legs;
  std::vector<LogFindings> nodes;
  Rows rows;
};

Phase read_phase(const std::string& phase) {
  Phase out;
  const PhaseLayout layout = classify(phase_files::list(phase));
  for (const NodeFiles& node : layout.nodes) {
    out.nodes.push_back(phase_files::scan(phase_files::read(phase + "/" + node.log)));
    for (const LegSeries& leg : out.nodes.back().series)
      out.legs[leg.precision] = leg;
  }
  out.rows = read_perf_csv(phase_files::read(phase + "/" + layout.perf_csv), layout.perf_csv);
  return out;
}

/// Of the instantaneous values behind the warm-up; these runs printed arithmetic means.
double mean(const LegSeries& leg) {
  double sum = 0;
  double count = 0;
  for (const Iteration& it : leg.iterations) {
    if (it.k <= 2) continue;
    sum += it.tokens.value_or(0);
    ++count;
  }
  return sum / count;
}

double score(const Rows& rows, const std::string& precision) {
  for (const MetricRow& row : rows.rows) {
    if (row.precision == precision && row.metric == "tok_per_s_per_gpu_avg") {
      return row.value.value_or(0);
    }
  }
  return 0;
}

class RealPhase : public testing::TestWithParam<std::tuple<const char*, int, const char*>> {};

TEST_P(RealPhase, SeriesAreWholeAndAgreeWithTheCsv) {
  const auto [name, iterations, version] = GetParam();
  const Phase phase = read_phase(name);
  ASSERT_EQ(phase.nodes.size(), 2U);
  ASSERT_EQ(phase.legs.size(), 2U);
  for (const auto& [precision, leg] : phase.legs) {
    EXPECT_EQ(leg.iterations.size(), static_cast<std::size_t>(iterations)) << precision;
    EXPECT_EQ(leg.duplicates, 0);
    EXPECT_EQ(leg.dropped, 0);
    EXPECT_FALSE(leg.non_monotonic);
    EXPECT_EQ(leg.node, "mi355x-1");
    std::int64_t k = 0;
    for (const Iteration& it : leg.iterations) {
      EXPECT_EQ(it.k, ++k);
      EXPECT_EQ(it.total, iterations);
      EXPECT_TRUE(it.loss && it.elapsed_ms && it.tokens && it.peak_hbm_gb);
      // The tokens follow from the time (FORMATS 4); both are rounded to one decimal.
      const double seconds = it.elapsed_ms.value_or(0) / 1000;
      const std::int64_t tokens =
          phase.rows.rows.at(0).seq_len.value_or(0) * it.global_batch_size.value_or(0) / 16;
      EXPECT_NEAR(it.tokens.value_or(0) * seconds / static_cast<double>(tokens), 1, 0.0002)
          << precision << it.k;
    }
    EXPECT_EQ(leg.iterations[0].shape,
              "elapsed:i|throughput:i|tokens:i|batch|loss|grad|skipped|nan|hbm");
    EXPECT_EQ(leg.iterations[2].shape,
              "elapsed:i|throughput:i/a|tokens:i/a|batch|loss|grad|skipped|nan|hbm");
    EXPECT_EQ(leg.iterations.back().tokens_average, score(phase.rows, precision));
    EXPECT_NEAR(mean(leg), score(phase.rows, precision), 0.1) << precision;
  }
  for (const LogFindings& node : phase.nodes) {
    EXPECT_EQ(node.legs_started, (std::vector<std::string>{"BF16", "FP8"}));
    ASSERT_EQ(node.banners.size(), 2U);
    EXPECT_EQ(node.banners[0].precision, "BF16");
    EXPECT_EQ(node.banners[1].precision, "FP8");
    for (const RcclBanner& banner : node.banners) {
      EXPECT_EQ(banner.version, version);
      EXPECT_EQ(banner.host, node.host);
      EXPECT_TRUE(banner.path.ends_with("/librccl.so.1")) << banner.path;
    }
    EXPECT_TRUE(node.markers.empty());
  }
  EXPECT_EQ(phase.nodes[0].host, "mi355x-0");
  EXPECT_TRUE(phase.nodes[0].series.empty()) << "iteration lines come from the last rank";
}

constexpr const char* stock = "2.27.7-HEAD:0d2c4fd";
constexpr const char* candidate = "2.30.4-develop:e711c9e";
INSTANTIATE_TEST_SUITE_P(Fixtures, RealPhase,
                         testing::Values(std::tuple("gptoss-baseline", 15, stock),
                                         std::tuple("gptoss-candidate-ok", 15, candidate),
                                         std::tuple("gptoss-candidate-slow", 15, candidate),
                                         std::tuple("gptoss-candidate-stock-rccl", 15, stock),
                                         std::tuple("gptoss-inplace/1-baseline", 15, stock),
                                         std::tuple("gptoss-inplace/2-candidate", 15, candidate),
                                         std::tuple("llama-baseline", 50, stock),
                                         std::tuple("llama-candidate-ok", 50, candidate)));

TEST(RealPhases, BatchSizesOfTheLegs) {
  const Phase phase = read_phase("gptoss-baseline");
  EXPECT_EQ(phase.legs.at("BF16").micro_batch_size, 2);
  EXPECT_EQ(phase.legs.at("FP8").micro_batch_size, 1);
  EXPECT_EQ(phase.legs.at("FP8").global_batch_size, 2048);
  EXPECT_EQ(phase.legs.at("BF16").iterations[0].peak_hbm_gb, 182.6);
}

TEST(RealPhases, ALegThatNeverRan) {
  const Phase phase = read_phase("gptoss-candidate-no-fp8");
  EXPECT_EQ(phase.legs.size(), 1U);
  EXPECT_EQ(phase.legs.count("BF16"), 1U);
  for (const LogFindings& node : phase.nodes)
    EXPECT_EQ(node.legs_started, (std::vector<std::string>{"BF16"}));
}

TEST(RealPhases, ALegThatDiedAtIterationFiveHasRowsAndAMarker) {
  const Phase phase = read_phase("gptoss-candidate-oom-at-5");
  EXPECT_EQ(phase.legs.at("BF16").iterations.size(), 15U);
  const LegSeries& fp8 = phase.legs.at("FP8");
  ASSERT_EQ(fp8.iterations.size(), 5U);
  EXPECT_EQ(fp8.iterations.back().total, 15);
  EXPECT_EQ(score(phase.rows, "FP8"), 4508.8) << "a row all the same";
  ASSERT_EQ(phase.nodes.size(), 2U);
  ASSERT_EQ(phase.nodes[1].markers.size(), 1U);
  const Marker& oom = phase.nodes[1].markers[0];
  EXPECT_EQ(oom.kind, "oom");
  EXPECT_EQ(oom.precision, "FP8");
  EXPECT_EQ(oom.where.line, 754);
  EXPECT_EQ(oom.text.substr(0, 52), "[rank15]: torch.OutOfMemoryError: HIP out of memory.");
}

}  // namespace
}  // namespace abgate::metrics
