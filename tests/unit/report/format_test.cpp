#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <abgate/base/number.hpp>
#include <abgate/report/format.hpp>

#include "sample_records.hpp"

namespace abgate::report {
namespace {

LegResult leg_with(double ratio, double max_drop) {
  LegResult leg;
  leg.ratio = ratio;
  leg.max_drop = max_drop;
  return leg;
}

/// The number in front of ` %`.
double percent_in(const std::string& text) {
  return number::parse_finite(text.substr(text.front() == '+' ? 1 : 0,
                                          text.size() - 2 - (text.front() == '+' ? 1 : 0)))
      .value();
}

TEST(LegText, RatioAndLimit) {
  struct Case {
    double ratio;
    double max_drop;
    std::string_view shown;
    std::string_view change;
    std::string_view limit;
  };
  const Case cases[] = {
      {0.9993, 0.02, "0.9993", "-0.07 %", "-2.0 %"},
      {0.9924, 0.02, "0.9924", "-0.76 %", "-2.0 %"},
      {1.0213, 0.02, "1.0213", "+2.13 %", "-2.0 %"},
      {1, 0.02, "1.0000", "0.00 %", "-2.0 %"},
      {0.999999, 0.02, "1.0000", "0.00 %", "-2.0 %"},
      {0.98, 0.02, "0.9800", "-2.00 %", "-2.0 %"},
      {0.5, 0.05, "0.5000", "-50.00 %", "-5.0 %"},
      {0.99, 0.0125, "0.9900", "-1.00 %", "-1.25 %"},
      // A red ratio never reads as the limit, nor a green one as below it.
      {0.97999, 0.02, "0.97999", "-2.001 %", "-2.0 %"},
      {0.9799999, 0.02, "0.9799999", "-2.00001 %", "-2.0 %"},
      {0.98001, 0.02, "0.9800", "-2.00 %", "-2.0 %"},
      {0.987442, 0.01256, "0.98744", "-1.256 %", "-1.256 %"},
      {0.99999, 0, "0.99999", "-0.001 %", "0.0 %"},
  };
  for (const Case& c : cases) {
    const LegText text = leg_text(leg_with(c.ratio, c.max_drop));
    EXPECT_EQ(text.ratio, c.shown) << c.ratio;
    EXPECT_EQ(text.change, c.change) << c.ratio;
    EXPECT_EQ(text.limit, c.limit) << c.ratio;
  }
}

TEST(LegText, RoundingNeverChangesTheColour) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-14, -2);
  for (const double max_drop : {0.02, 0.03, 0.05, 0.0125, 0.007, 0.07, 0.1}) {
    const double limit = 1 - max_drop;
    for (int i = 0; i < 2000; ++i) {
      const double distance = std::pow(10, exponent(random));
      const double ratio = i % 2 == 0 ? limit - distance : limit + distance;
      const bool red = ratio < limit;
      const LegText text = leg_text(leg_with(ratio, max_drop));
      ASSERT_EQ(number::parse_finite(text.ratio).value() < limit, red)
          << number::shortest(ratio) << " shown as " << text.ratio;
      ASSERT_EQ(percent_in(text.change) < percent_in(text.limit), red)
          << number::shortest(ratio) << " shown as " << text.change;
    }
    EXPECT_LT(
        number::parse_finite(leg_text(leg_with(std::nextafter(limit, 0), max_drop)).ratio).value(),
        limit);
  }
}

TEST(LegText, ValuesShareTheirDecimals) {
  LegResult leg;
  EXPECT_EQ(leg_text(leg).ratio, "-");
  EXPECT_EQ(leg_text(leg).change, "-");
  EXPECT_EQ(leg_text(leg).baseline, "-");
  EXPECT_EQ(leg_text(leg).candidate, "-");
  leg.baseline = 8281.84;
  EXPECT_EQ(leg_text(leg).baseline, "8281.8");
  leg.candidate = 0.012345;
  EXPECT_EQ(leg_text(leg).candidate, "0.01235");
  EXPECT_EQ(leg_text(leg).baseline, "8281.84000");
}

TEST(ValueText, ShowsFourSignificantDigits) {
  EXPECT_EQ(value_text(8281.84), "8281.8");
  EXPECT_EQ(value_text(318.14), "318.1");
  EXPECT_EQ(value_text(31.814), "31.81");
  EXPECT_EQ(value_text(3.18144), "3.181");
  EXPECT_EQ(value_text(0.0318144), "0.03181");
  EXPECT_EQ(value_text(0), "0.0");
  EXPECT_EQ(value_text(-3), "-3.0");
  EXPECT_EQ(value_text(1e300), "1e+300");
  EXPECT_EQ(value_text(1e-300), "0.000000000000");
}

TEST(PercentText, HasNoNegativeZero) {
  EXPECT_EQ(percent_text(0.0123, 1), "1.2 %");
  EXPECT_EQ(percent_text(-0.0007, 2), "-0.07 %");
  EXPECT_EQ(percent_text(-0.00000001, 2), "0.00 %");
}

TEST(EndText, NamesEveryEnd) {
  EXPECT_EQ(end_text({"exited", 3, ""}), "exit 3");
  EXPECT_EQ(end_text({"signaled", 9, ""}), "signal 9 (SIGKILL)");
  EXPECT_EQ(end_text({"signaled", 40, ""}), "signal 40");
  EXPECT_EQ(end_text({"timed_out", 0, "phase budget"}), "timed out (phase budget)");
  EXPECT_EQ(end_text({"interrupted", 15, ""}), "interrupted");
  EXPECT_EQ(end_text({"spawn_failed", 2, "exec"}), "not started, errno 2 (exec)");
}

TEST(TimeText, ShowsSecondsOrADash) {
  EXPECT_EQ(instant_text(test::minutes_in(0.09)), "2026-11-01 10:00:05Z");
  EXPECT_EQ(instant_text({}), "-");
  EXPECT_EQ(duration_text(test::minutes_in(0), test::minutes_in(53.17)), "53 min 10 s");
  EXPECT_EQ(duration_text({}, test::minutes_in(1)), "-");
  EXPECT_EQ(duration_text(test::minutes_in(1), {}), "-");
}

}  // namespace
}  // namespace abgate::report
