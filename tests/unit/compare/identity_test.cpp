#include <gtest/gtest.h>

#include <abgate/compare/identity.hpp>

using abgate::compare::BuildIdentity;
using abgate::compare::parse_identity;
using abgate::compare::same_build;

namespace {

TEST(Identity, IsReadInAllItsForms) {
  const std::pair<const char*, BuildIdentity> cases[]{
      {"2.30.4-develop:e711c9e", {"2.30.4", "develop", "e711c9e", false}},
      {"2.27.7-HEAD:0d2c4fd+", {"2.27.7", "HEAD", "0d2c4fd", true}},
      {"2.20.5+hip6.2 HEAD:0123abc", {"2.20.5+hip6.2", "HEAD", "0123abc", false}},
      {"2.30.4-users/x/topic-1:e711c9e", {"2.30.4", "users/x/topic-1", "e711c9e", false}},
      {"develop:e711c9e", {"", "develop", "e711c9e", false}},
      {"users/x-y:E711C9E", {"", "users/x-y", "e711c9e", false}},
      {"e711c9e0123456789", {"", "", "e711c9e0123456789", false}},
      {" e711c9e+ ", {"", "", "e711c9e", true}},
  };
  for (const auto& [text, expected] : cases) {
    const auto identity = parse_identity(text);
    ASSERT_TRUE(identity) << text;
    EXPECT_EQ(*identity, expected) << text;
  }
}

TEST(Identity, UnknownIsNone) {
  for (const char* text :
       {"", "Unknown", "2.27.7", "2.20.5+hip6.2 Unknown", "2.30.4-develop:", "develop:abc",
        "develop:e711c9", "develop:e711c9x", "+", ":", "deadbee:"})
    EXPECT_FALSE(parse_identity(text)) << text;
}

TEST(Identity, HashesAgreeByPrefixAndDirtMustMatch) {
  const auto same = [](const char* a, const char* b) {
    return same_build(*parse_identity(a), *parse_identity(b));
  };
  EXPECT_TRUE(same("2.30.4-develop:e711c9e", "HEAD:e711c9e"));
  EXPECT_TRUE(same("develop:e711c9e", "develop:e711c9e0aa11"));
  EXPECT_TRUE(same("develop:e711c9e+", "e711c9e012+"));
  EXPECT_FALSE(same("develop:e711c9e", "develop:e711c9e+"));
  EXPECT_FALSE(same("develop:e711c9e", "develop:e711c9f"));
  EXPECT_FALSE(same("develop:e711c9e0", "develop:e711c9e1"));
}

}  // namespace
