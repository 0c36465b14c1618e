#include "cluster/slurm_cluster.hpp"

// Googletest owns the environment; the cluster starts once for all tests of this program.
int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::AddGlobalTestEnvironment(new abgate::test::ClusterEnvironment);
  return RUN_ALL_TESTS();
}
