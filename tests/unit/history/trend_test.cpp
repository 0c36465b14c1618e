#include <gmock/gmock.h>

#include <abgate/history/trend.hpp>

#include "sample_entries.hpp"

namespace abgate::history {
namespace {

TEST(TrendTest, ASeriesIsOneLegOnOneKindOfPlace) {
  const History history = test::mixed_history();
  const auto all = series_of(history);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].precision + all[1].precision, "BF16FP8");
  EXPECT_EQ(all[0].nodes, 2U);
  EXPECT_EQ(all[0].points.size(), 6U);
  EXPECT_EQ(all[1].points.size(), 5U);
  EXPECT_EQ(all[2].nodes, 3U);  // the hostile one
}

TEST(TrendTest, WhatIsNotTrustedOrAnAAGateDoesNotCount) {
  const History history = test::mixed_history();
  const Trend trend = trend_of(series_of(history).front());
  ASSERT_EQ(trend.points.size(), 4U);
  EXPECT_EQ(trend.signs.below, 3);
  EXPECT_EQ(trend.signs.above, 1);
  EXPECT_DOUBLE_EQ(trend.signs.p, 10.0 / 16);
  EXPECT_NEAR(*trend.mean_ratio, 0.9875376, 1e-6);
  EXPECT_EQ(trend.ratio.size(), 1U);
  EXPECT_FALSE(trend.creeping);
}

TEST(TrendTest, ASeriesWithoutSoundPointsHasNoTrend) {
  History history;
  history.entries = {test::night(1, 1, 1)};
  history.entries[0].verdict = Verdict::no_verdict;
  const Trend trend = trend_of(series_of(history).front());
  EXPECT_TRUE(trend.points.empty() && trend.ratio.empty() && !trend.mean_ratio);
}

TEST(TrendTest, TheSignTestIsTheBinomialOne) {
  const auto p = [](std::size_t below, std::size_t above) {
    std::vector<double> ratios(below, 0.99);
    ratios.resize(below + above, 1.01);
    return sign_balance(ratios).p;
  };
  EXPECT_DOUBLE_EQ(p(0, 0), 1);
  EXPECT_DOUBLE_EQ(p(1, 0), 1);
  EXPECT_DOUBLE_EQ(p(5, 5), 1);
  EXPECT_DOUBLE_EQ(p(0, 10), 2.0 / 1024);
  EXPECT_NEAR(p(10, 0), 2.0 / 1024, 1e-12);
  EXPECT_NEAR(p(15, 45), 0.000135, 1e-6);  // exact: 2 * sum of C(60, 0..15) / 2^60
  EXPECT_NEAR(p(50000, 50000), 1, 1e-9);
  EXPECT_EQ(sign_balance({1, 1}).equal, 2);
}

TEST(TrendTest, ADropBelowTheLimitOfOneGateIsCreeping) {
  History history;
  history.entries = test::nights(60, [](int n) { return n < 30 ? 1.0 : 0.99; });
  const auto all = series_of(history);
  const Trend bf16 = trend_of(all.at(0));
  ASSERT_EQ(bf16.ratio.size(), 2U);
  EXPECT_NEAR(static_cast<double>(bf16.ratio[1].first), 30, 2);
  EXPECT_EQ(bf16.ratio[0].count + bf16.ratio[1].count, 60U);
  EXPECT_NEAR(bf16.ratio[0].mean, 1, 0.002);
  EXPECT_NEAR(bf16.ratio[1].mean, 0.99, 0.002);
  EXPECT_TRUE(bf16.creeping);
  EXPECT_EQ(bf16.baseline.size(), 1U);
  EXPECT_EQ(bf16.candidate.size(), 2U);
  const Trend fp8 = trend_of(all.at(1));
  EXPECT_EQ(fp8.ratio.size(), 1U);
  EXPECT_FALSE(fp8.creeping);
}

TEST(TrendTest, ABetterLevelIsNotCreepingNorIsARedOne) {
  History history;
  history.entries = test::nights(60, [](int n) { return n < 30 ? 1.0 : 1.01; });
  EXPECT_FALSE(trend_of(series_of(history).front()).creeping);
  history.entries = test::nights(60, [](int n) { return n < 30 ? 1.0 : 0.95; });
  const Trend red = trend_of(series_of(history).front());
  EXPECT_EQ(red.ratio.size(), 2U);
  EXPECT_FALSE(red.creeping);
}

}  // namespace
}  // namespace abgate::history
