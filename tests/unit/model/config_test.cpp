#include <gtest/gtest.h>

#include <abgate/model/config.hpp>

namespace abgate {
namespace {

TEST(SetVariable, ReplacesInPlaceOrAppends) {
  Environment env;
  set_variable(env, "A", "1");
  set_variable(env, "B", "2");
  set_variable(env, "A", "3");
  set_variable(env, "a", "4");
  EXPECT_EQ(env, (Environment{{"A", "3"}, {"B", "2"}, {"a", "4"}}));
}

TEST(FindVariable, GivesTheValueOrNothing) {
  const Environment env{{"A", "1"}, {"B", ""}};
  ASSERT_NE(find_variable(env, "B"), nullptr);
  EXPECT_EQ(*find_variable(env, "B"), "");
  EXPECT_EQ(find_variable(env, "C"), nullptr);
  EXPECT_EQ(find_variable({}, "A"), nullptr);
}

TEST(EnvironmentOf, ClusterThenWorkloadThenSide) {
  GateConfig config;
  config.cluster.env = {{"IFNAME", "cluster"}, {"ONLY_C", "c"}, {"SIDE", "c"}, {"ALL", "c"}};
  config.workload.env = {{"ONLY_W", "w"}, {"IFNAME", "workload"}, {"ALL", "w"}};
  config.baseline.env = {{"SIDE", "a"}, {"ALL", "a"}};
  config.candidate.env = {{"ONLY_B", "b"}, {"ALL", "b"}};
  EXPECT_EQ(
      config.environment_of(Side::baseline),
      (Environment{
          {"IFNAME", "workload"}, {"ONLY_C", "c"}, {"SIDE", "a"}, {"ALL", "a"}, {"ONLY_W", "w"}}));
  EXPECT_EQ(config.environment_of(Side::candidate), (Environment{{"IFNAME", "workload"},
                                                                 {"ONLY_C", "c"},
                                                                 {"SIDE", "c"},
                                                                 {"ALL", "b"},
                                                                 {"ONLY_W", "w"},
                                                                 {"ONLY_B", "b"}}));
}

TEST(SideOf, NamesTheRightOne) {
  GateConfig config;
  config.baseline.image = "a";
  config.candidate.image = "b";
  EXPECT_EQ(config.side(Side::baseline).image, "a");
  EXPECT_EQ(config.side(Side::candidate).image, "b");
}

}  // namespace
}  // namespace abgate
