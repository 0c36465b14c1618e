#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <abgate/base/duration.hpp>

namespace abgate::duration {
namespace {

TEST(ParseDuration, ReadsSlurmsAndPeoplesForms) {
  struct Case {
    std::string_view text;
    long value;
  };
  const Case cases[] = {
      {"04:00:00", 14400},   {"4:00:00", 14400},    {"00:00:00", 0},   {"00:59:59", 3599},
      {"100:00:00", 360000}, {"1-02:00:00", 93600}, {"0-00:00:01", 1}, {"10-23:59:59", 950399},
      {"90m", 5400},         {"2h", 7200},          {"45s", 45},       {"1d", 86400},
      {"1h30m", 5400},       {"1d2h3m4s", 93784},   {"1h5s", 3605},    {"0s", 0},
      {"007m", 420},         {"366d", 31622400}};
  for (const Case& c : cases)
    EXPECT_EQ(parse(c.text), seconds(c.value)) << c.text;
}

TEST(ParseDuration, RefusesWhatCouldBeMeantInTwoWays) {
  for (const std::string_view text :
       {"",           "5",         "14400",   "04:00",      "4:0:0",
        "04:60:00",   "04:00:60",  ":00:00",  "04:00:",     "04:00:00:00",
        "-04:00:00",  "1-",        "1-02:00", "1-24:00:00", "1-2-03:00:00",
        "1000:00:00", "1.5h",      "1h 30m",  "30m1h",      "1h1h",
        "h",          "1x",        "1H",      "-5m",        "+5m",
        " 5m",        "5m ",       "5min",    "1e3s",       "9999999999s",
        "367d",       "unlimited", "０５m",   "04:00:00 "}) {
    EXPECT_EQ(parse(text), std::nullopt) << text;
  }
}

TEST(ToSlurm, WritesWhatSlurmReads) {
  EXPECT_EQ(to_slurm(seconds(0)), "00:00:00");
  EXPECT_EQ(to_slurm(seconds(14400)), "04:00:00");
  EXPECT_EQ(to_slurm(seconds(86399)), "23:59:59");
  EXPECT_EQ(to_slurm(seconds(86400)), "1-00:00:00");
  EXPECT_EQ(to_slurm(seconds(93784)), "1-02:03:04");
  for (const long value : {0L, 1L, 59L, 3600L, 86400L, 950399L, 31622400L})
    EXPECT_EQ(parse(to_slurm(seconds(value))), seconds(value));
}

TEST(ToHuman, SaysItInTwoUnits) {
  struct Case {
    long value;
    std::string_view text;
  };
  const Case cases[] = {{0, "0 s"},    {45, "45 s"},  {60, "1 min"},       {3190, "53 min 10 s"},
                        {3600, "1 h"}, {3659, "1 h"}, {7500, "2 h 5 min"}, {93600, "26 h"},
                        {-45, "-45 s"}};
  for (const Case& c : cases)
    EXPECT_EQ(to_human(seconds(c.value)), c.text);
}

}  // namespace
}  // namespace abgate::duration
