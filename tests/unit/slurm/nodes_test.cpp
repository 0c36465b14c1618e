#include <gmock/gmock.h>

#include <abgate/slurm/nodes.hpp>

namespace abgate::slurm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Nodes, AreAskedForInOneCall) {
  EXPECT_THAT(node_states_argv({"a1", "a2"}),
              ElementsAre("sinfo", "--noheader", "--Node", "--nodes=a1,a2", "--format=%N %T"));
}

TEST(Nodes, ThatWorkOrWillWorkAgainAreUsable) {
  EXPECT_THAT(unusable_nodes({"a1", "a2", "a3", "a4"},
                             "a1 idle\na1 idle\na2 allocated+\na3 mixed-\na4 completing\n"),
              IsEmpty());
}

TEST(Nodes, ThatAreDownDrainedSilentOrUnknownAreNot) {
  EXPECT_THAT(unusable_nodes({"a1", "a2", "a3", "a4", "a5", "a6"},
                             "a1 idle\na2 down\na3 drained\na4 idle*\na5 draining\n"),
              ElementsAre("a2", "a3", "a4", "a5", "a6"));
  EXPECT_THAT(unusable_nodes({"a1"}, "slurm_load_node error\n"), ElementsAre("a1"));
}

TEST(Nodes, OfAPartitionAreCountedOnce) {
  EXPECT_THAT(usable_nodes("a2 idle\na1 mixed\na1 mixed\na3 down*\n"), ElementsAre("a1", "a2"));
}

}  // namespace
}  // namespace abgate::slurm
