#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <abgate/base/time.hpp>

namespace abgate::time {
namespace {

using std::chrono::milliseconds;

Instant at(long long since_epoch) {
  return Instant(milliseconds(since_epoch));
}

TEST(Rfc3339, WritesUtcWithMilliseconds) {
  EXPECT_EQ(to_rfc3339(at(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_rfc3339(at(1793527205007)), "2026-11-01T10:00:05.007Z");
  EXPECT_EQ(to_rfc3339(at(-1)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(to_rfc3339(at(951782400000)), "2000-02-29T00:00:00.000Z");
}

TEST(Rfc3339, ReadsOffsetsAndFractions) {
  struct Case {
    std::string_view text;
    long long value;
  };
  const Case cases[] = {{"2026-11-01T10:00:05Z", 1793527205000},
                        {"2026-11-01T10:00:05.007Z", 1793527205007},
                        {"2026-11-01T10:00:05.5Z", 1793527205500},
                        {"2026-11-01T10:00:05.0079999Z", 1793527205007},
                        {"2026-11-01T12:00:05+02:00", 1793527205000},
                        {"2026-11-01T04:30:05-05:30", 1793527205000},
                        {"2026-11-01T10:00:05.1+00:00", 1793527205100},
                        {"2000-02-29T00:00:00Z", 951782400000}};
  for (const Case& c : cases)
    EXPECT_EQ(parse_rfc3339(c.text), at(c.value)) << c.text;
  for (const long long value : {0LL, 1LL, 999LL, 1793527205007LL, -62135596800000LL})
    EXPECT_EQ(parse_rfc3339(to_rfc3339(at(value))), at(value));
}

TEST(Rfc3339, RefusesEverythingElse) {
  for (const std::string_view text : {"",
                                      "2026-11-01",
                                      "2026-11-01T10:00:05",
                                      "2026-11-01 10:00:05Z",
                                      "2026-11-01T10:00Z",
                                      "2026-13-01T10:00:05Z",
                                      "2026-02-30T10:00:05Z",
                                      "2025-02-29T00:00:00Z",
                                      "2026-11-00T10:00:05Z",
                                      "2026-11-01T24:00:00Z",
                                      "2026-11-01T10:60:05Z",
                                      "2026-11-01T10:00:60Z",
                                      "2026-11-01T10:00:05.Z",
                                      "2026-11-01T10:00:05.5",
                                      "2026-11-01T10:00:05z",
                                      "2026-11-01T10:00:05+0200",
                                      "2026-11-01T10:00:05+2:00",
                                      "2026-11-01T10:00:05+24:00",
                                      "2026-11-01T10:00:05+01:60",
                                      "2026-11-01T10:00:05+-5:00",
                                      "2026-11-01T10:00:05+02:-0",
                                      "2026-11-01T10:00:05Zx",
                                      " 2026-11-01T10:00:05Z",
                                      "+026-11-01T10:00:05Z",
                                      "2026-11-01T10:00:-5Z"}) {
    EXPECT_EQ(parse_rfc3339(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace abgate::time
