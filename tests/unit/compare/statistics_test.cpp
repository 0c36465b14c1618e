#include "../../../src/compare/statistics.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "../../../src/compare/images.hpp"
#include "../../../src/compare/outliers.hpp"

namespace stats = abgate::compare;

namespace {

TEST(Statistics, MeansAndMedians) {
  EXPECT_DOUBLE_EQ(*stats::arithmetic_mean({1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(*stats::harmonic_mean({2, 6}), 3);
  EXPECT_DOUBLE_EQ(*stats::geometric_mean({2, 8}), 4);
  EXPECT_EQ(*stats::geometric_mean({0.1}), 0.1) << "one value comes back exactly";
  EXPECT_DOUBLE_EQ(*stats::median({9, 1, 5}), 5);
  EXPECT_DOUBLE_EQ(*stats::median({9, 1, 5, 7}), 6);
  EXPECT_DOUBLE_EQ(*stats::median_deviation({1, 1, 2, 2, 4, 6, 9}), 1);
  EXPECT_DOUBLE_EQ(*stats::spread({9, 11}), std::sqrt(2.0) / 10);
}

TEST(Statistics, NothingComesOfTooLittle) {
  EXPECT_FALSE(stats::arithmetic_mean({}));
  EXPECT_FALSE(stats::harmonic_mean({}));
  EXPECT_FALSE(stats::geometric_mean({}));
  EXPECT_FALSE(stats::median({}));
  EXPECT_FALSE(stats::median_deviation({}));
  EXPECT_FALSE(stats::spread({1}));
  EXPECT_FALSE(stats::drift({1, 2, 3, 4, 5}));
  EXPECT_FALSE(stats::autocorrelation({1, 2}));
  EXPECT_FALSE(stats::autocorrelation({2, 2, 2}));
}

TEST(Statistics, DriftIsBetweenThirdsAndIgnoresOneOutlier) {
  EXPECT_DOUBLE_EQ(*stats::drift({100, 100, 100, 7, 7, 7, 90, 90, 90}), 90.0 / 100 - 1);
  EXPECT_DOUBLE_EQ(*stats::drift({100, 30, 100, 100, 100, 100, 100, 100, 100}), 0);
}

TEST(Statistics, AutocorrelationAtLagOne) {
  EXPECT_LT(*stats::autocorrelation({1, -1, 1, -1, 1, -1}), -0.8);
  EXPECT_GT(*stats::autocorrelation({1, 2, 3, 4, 5, 6, 7, 8}), 0.6);
}

TEST(Outliers, HealthyJitterIsNone) {
  EXPECT_TRUE(stats::outliers({}).empty());
  EXPECT_TRUE(stats::outliers({65, 65.1, 64.9, 65.2, 64.8}).empty());
  EXPECT_TRUE(stats::outliers({64215, 65772, 63295, 70850, 65116, 63306}).empty());
  // A noisy machine: 12 % off is within its noise.
  EXPECT_TRUE(stats::outliers({100, 106, 94, 112, 97, 91, 104}).empty());
}

TEST(Outliers, AreFoundInBothDirections) {
  EXPECT_EQ(stats::outliers({100, 100, 100, 160, 100}), std::vector<std::size_t>{3});
  EXPECT_EQ(stats::outliers({100, 100, 100, 60, 100}), std::vector<std::size_t>{3});
  EXPECT_EQ(stats::outliers({100, 100.1, 99.9, 115, 100}), std::vector<std::size_t>{3});
}

TEST(ImageFamily, IsTheRepositoryWithoutHostTagAndDigest) {
  for (const char* image :
       {"rocm/primus:v26.4", "rocm/primus", "registry.example:5000/rocm/primus:x",
        "localhost/rocm/primus", "rocm/primus@sha256:00", "ROCm/Primus:v1"})
    EXPECT_EQ(stats::image_family(image), "rocm/primus") << image;
  EXPECT_EQ(stats::image_family("primus:v1"), "primus");
  EXPECT_EQ(stats::image_family(""), "");
}

}  // namespace
