#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <abgate/base/result.hpp>

namespace abgate {
namespace {

Result<int, std::string> half_of(int value) {
  if (value % 2 != 0) return Unexpected{"odd"};
  return value / 2;
}

Status<std::string> check(bool good) {
  if (!good) return Unexpected{std::string("bad")};
  return {};
}

TEST(ResultType, HoldsAValueOrAnError) {
  const auto good = half_of(4);
  ASSERT_TRUE(good);
  EXPECT_TRUE(good.has_value());
  EXPECT_EQ(*good, 2);
  const auto bad = half_of(3);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error(), "odd");
  EXPECT_EQ(bad.value_or(7), 7);
  EXPECT_EQ(good.value_or(7), 2);
}

TEST(ResultType, KeepsValueAndErrorOfOneTypeApart) {
  const Result<std::string, std::string> good = std::string("x");
  const Result<std::string, std::string> bad = Unexpected{std::string("x")};
  EXPECT_TRUE(good);
  EXPECT_FALSE(bad);
}

TEST(ResultType, GivesAwayWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>, int> result = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(ResultTypeDeathTest, ReadingTheWrongSideEndsTheProgram) {
  EXPECT_DEATH((void)*half_of(3), "");
  EXPECT_DEATH((void)half_of(4).error(), "");
  EXPECT_DEATH((void)check(true).error(), "");
}

TEST(StatusType, IsSuccessOrAnError) {
  EXPECT_TRUE(check(true));
  ASSERT_FALSE(check(false));
  EXPECT_EQ(check(false).error(), "bad");
}

}  // namespace
}  // namespace abgate
