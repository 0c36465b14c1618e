#include <cmath>
#include <random>

#include <gmock/gmock.h>

#include <abgate/history/change_points.hpp>

namespace abgate::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double noise = 0.003;  // LESSONS 14: the same pair repeats to 0.02-0.25 %

/// Values around `mean(i)`; the draw is made here, since that of the library may change.
template <class Mean>
std::vector<double> noisy(int count, unsigned seed, const Mean& mean) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] {
    return (static_cast<double>(random() >> 11U) + 0.5) / 9007199254740992;
  };
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double normal = std::sqrt(-2 * std::log(uniform())) * std::cos(2 * M_PI * uniform());
    values.push_back(mean(i) + noise * normal);
  }
  return values;
}

struct Quiet {
  int nights;
  int most_alarms;  ///< in 2000 histories of pure noise
};

class NoChange : public testing::TestWithParam<Quiet> {};

TEST_P(NoChange, RaisesNoAlarm) {
  int alarms = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const auto values = noisy(GetParam().nights, seed, [](int) { return 1.0; });
    alarms += change_points(values).empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, GetParam().most_alarms);
}

INSTANTIATE_TEST_SUITE_P(ChangePoints, NoChange,
                         testing::Values(Quiet{10, 2}, Quiet{14, 4}, Quiet{30, 2}, Quiet{60, 2},
                                         Quiet{120, 1}, Quiet{365, 0}),
                         [](const auto& test) { return std::to_string(test.param.nights); });

struct Step {
  int nights;
  int at;
  double size;
  int found_of_200;  ///< exactly one change, at most two nights off
};

class OneStep : public testing::TestWithParam<Step> {};

TEST_P(OneStep, IsFoundWhereItIs) {
  const Step step = GetParam();
  int found = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto points = change_points(
        noisy(step.nights, seed, [&](int i) { return i < step.at ? 1.0 : 1.0 - step.size; }));
    const bool near =
        points.size() == 1 && std::abs(static_cast<int>(points.front()) - step.at) <= 2;
    found += near ? 1 : 0;
  }
  EXPECT_GE(found, step.found_of_200);
}

INSTANTIATE_TEST_SUITE_P(ChangePoints, OneStep,
                         testing::Values(Step{60, 30, 0.01, 196}, Step{60, 30, -0.01, 196},
                                         Step{60, 50, 0.01, 180}, Step{120, 60, 0.01, 196},
                                         Step{365, 340, 0.01, 196}, Step{30, 15, 0.02, 198}));

TEST(ChangePoints, ASlowDriftBelowTheLimitIsFound) {
  int found = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    // 1.5 % in eight weeks; no night is near to a limit of 2 %.
    const auto values = noisy(56, seed, [](int i) { return 1 - 0.015 * i / 55; });
    found += change_points(values).empty() ? 0 : 1;
  }
  EXPECT_GE(found, 196);
}

TEST(ChangePoints, TwoStepsAreTold) {
  const auto points = change_points(noisy(90, 5, [](int i) {
    if (i < 30) return 1.0;
    return i < 60 ? 0.985 : 1.0;
  }));
  ASSERT_EQ(points.size(), 2U);
  EXPECT_NEAR(static_cast<double>(points[0]), 30, 2);
  EXPECT_NEAR(static_cast<double>(points[1]), 60, 2);
}

TEST(ChangePoints, SingleOutliersAreNoChange) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    auto values = noisy(60, seed, [](int) { return 1.0; });
    values[20] = 0.9;
    values[41] = 1.2;
    EXPECT_THAT(change_points(values), IsEmpty()) << seed;
  }
}

TEST(ChangePoints, ShortOrConstantSeriesHaveNone) {
  EXPECT_THAT(change_points({}), IsEmpty());
  EXPECT_THAT(change_points({1, 1, 1, 1, 2, 2, 2, 2, 2}), IsEmpty());
  EXPECT_THAT(change_points(std::vector<double>(1000, 0.97)), IsEmpty());
  EXPECT_THAT(change_points(std::vector<double>(1000, 0)), IsEmpty());
}

TEST(ChangePoints, AStepWithoutNoiseIsExact) {
  for (const std::size_t nights : {20U, 37U, 40U, 80U, 200U}) {
    for (std::size_t at = shortest_level; at + shortest_level <= nights; ++at) {
      std::vector<double> values(nights, 1.0);
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(at), values.end(), 0.995);
      EXPECT_THAT(change_points(values), ElementsAre(at)) << nights;
    }
  }
}

TEST(ChangePoints, DoesNotDependOnTheUnit) {
  const auto ratios = noisy(80, 9, [](int i) { return i < 50 ? 1.0 : 0.99; });
  std::vector<double> throughputs;
  for (const double ratio : ratios)
    throughputs.push_back(8281.75 * ratio);
  EXPECT_EQ(change_points(ratios), change_points(throughputs));
}

}  // namespace
}  // namespace abgate::history
