#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <abgate/base/number.hpp>

namespace abgate::number {
namespace {

TEST(ParseFinite, ReadsDecimalNumbers) {
  struct Case {
    std::string_view text;
    double value;
  };
  const Case cases[] = {{"0", 0},        {"-1", -1},        {"8281.8", 8281.8}, {"1E3", 1000},
                        {"1e-3", 0.001}, {"1.0E-05", 1e-5}, {".5", 0.5},        {"5.", 5},
                        {"007", 7},      {"1e308", 1e308},  {"5e-324", 5e-324}, {"0e-999", 0},
                        {"0.1", 0.1}};
  for (const Case& c : cases)
    EXPECT_EQ(parse_finite(c.text), c.value) << c.text;
}

TEST(ParseFinite, RefusesEverythingElse) {
  // 1e-400 is not zero, so zero would be a wrong value: it is refused like 1e999.
  for (const std::string_view text : {"",
                                      " ",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1\n",
                                      "0x10",
                                      "0x1p3",
                                      "nan",
                                      "NaN",
                                      "-nan",
                                      "nan(1)",
                                      "inf",
                                      "-inf",
                                      "Infinity",
                                      "1e999",
                                      "-1e999",
                                      "1e-400",
                                      "-1e-400",
                                      "1,5",
                                      "1.234,5",
                                      "1'000",
                                      "1_000",
                                      "1 000",
                                      "1e",
                                      "1e+",
                                      "e5",
                                      ".",
                                      "-",
                                      "--1",
                                      "1.2.3",
                                      "8281.8 tok/s",
                                      "12abc",
                                      "1f",
                                      "\xC2\xA0"
                                      "1",
                                      "一"}) {
    EXPECT_EQ(parse_finite(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_finite(std::string_view("1\0", 2)), std::nullopt);
  EXPECT_EQ(parse_finite(std::string_view()), std::nullopt);
}

TEST(ParseInteger, ReadsWholeNumbersOnly) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-12"), -12);
  EXPECT_EQ(parse_integer("0015"), 15);
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  for (const std::string_view text : {"", "+1", " 1", "1 ", "2.0", "2,0", "1e3", "0x1", "-", "a",
                                      "9223372036854775808", "-9223372036854775809"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(ParseCount, AlsoReadsWhatPandasMadeOfAnInteger) {
  EXPECT_EQ(parse_count("2"), 2);
  EXPECT_EQ(parse_count("2.0"), 2);
  EXPECT_EQ(parse_count("2.000"), 2);
  EXPECT_EQ(parse_count("1e3"), 1000);
  EXPECT_EQ(parse_count("-4.0"), -4);
  EXPECT_EQ(parse_count("9223372036854775807"), INT64_MAX);
  for (const std::string_view text :
       {"", "2.5", "nan", "inf", "1e30", "9223372036854775808.0", "2.0 ", "1e-400", "two"}) {
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
  }
}

TEST(Fixed, ShowsSoManyDecimals) {
  EXPECT_EQ(fixed(8281.84, 1), "8281.8");
  EXPECT_EQ(fixed(0.99925, 4), "0.9992");  // the double lies below the tie
  EXPECT_EQ(fixed(-1.5, 0), "-2");
  EXPECT_EQ(fixed(1e20, 1), "100000000000000000000.0");
  EXPECT_EQ(fixed(0, 2), "0.00");
}

TEST(TellingDecimals, ShowOnWhichSideOfALimitAValueIs) {
  EXPECT_EQ(telling_decimals(0.9993, false, 0.98, 4), 4);
  EXPECT_EQ(telling_decimals(0.97999, true, 0.98, 4), 5);
  EXPECT_EQ(telling_decimals(0.97999999, true, 0.98, 4), 8);
  EXPECT_EQ(telling_decimals(0.98000001, false, 0.98, 4), 4);
}

TEST(ValueDecimals, KeepFourSignificantDigits) {
  EXPECT_EQ(value_with(8281.75, value_decimals(8281.75)), "8281.8");
  EXPECT_EQ(value_with(0.0123456, value_decimals(0.0123456)), "0.01235");
  EXPECT_EQ(value_with(1e16, 1), "1e+16");
}

TEST(SignedPercent, ZeroHasNoSign) {
  EXPECT_EQ(signed_percent(0.123, 2), "+0.12 %");
  EXPECT_EQ(signed_percent(-2, 1), "-2.0 %");
  EXPECT_EQ(signed_percent(-0.001, 2), "0.00 %");
}

TEST(Shortest, ReadsBackAsTheSameDouble) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(2), "2");
  EXPECT_EQ(shortest(0.02), "0.02");
  for (const double value :
       {1.0 / 3, 8281.8, 5e-324, 1e22, 0.9799999999999999, std::numeric_limits<double>::max()}) {
    EXPECT_EQ(parse_finite(shortest(value)), value);
  }
}

}  // namespace
}  // namespace abgate::number
