#include <gmock/gmock.h>

#include <abgate/runner/node_probe.hpp>

#include "support/files.hpp"
#include "support/temp_dir.hpp"

namespace abgate::runner {
namespace {

using test::TempDir;
using test::write_file;
using testing::ElementsAre;
using testing::IsEmpty;

/// A made-up /proc and /sys/class/drm.
class NodeProbe : public testing::Test {
 protected:
  NodeProbe() {
    write_file(directory_ / "proc/sys/kernel/random/boot_id", "4f0c-11\n");
    write_file(directory_ / "proc/loadavg", "0.71 0.63 0.58 3/1045 28771\n");
  }
  void add_process(const std::string& pid, const std::string& program,
                   const std::string& environment) {
    write_file(directory_ / "proc" / pid / "comm", program + "\n");
    write_file(directory_ / "proc" / pid / "environ", environment);
  }
  NodeFacts probe() {
    process::SignalGate gate;
    return probe_node({directory_.path(), environment_, directory_ / "proc", directory_ / "drm"},
                      gate);
  }
  TempDir directory_;
  Environment environment_{{"SLURM_JOB_ID", "42"},
                           {"SLURM_STEP_ID", "7"},
                           {"SLURMD_NODENAME", "node-a"},
                           {"PATH", "/nowhere"}};
};

TEST_F(NodeProbe, TellsWhatTheNodeSays) {
  const NodeFacts facts = probe();
  EXPECT_EQ(facts.node, "node-a");
  EXPECT_EQ(facts.boot_id, "4f0c-11");
  EXPECT_EQ(facts.load, 0.71);
  EXPECT_EQ(facts.running, 3);
  EXPECT_GT(facts.scratch_free.value_or(0), 0);
  EXPECT_FALSE(facts.gpu_memory_used);
  EXPECT_FALSE(facts.containers);
  EXPECT_THAT(facts.leftovers, IsEmpty());
}

TEST_F(NodeProbe, AddsTheMemoryOfAllCards) {
  write_file(directory_ / "drm/card0/device/mem_info_vram_used", "1000\n");
  write_file(directory_ / "drm/card1/device/mem_info_vram_used", "24\n");
  write_file(directory_ / "drm/card1-DP-1/device/mem_info_vram_used", "24\n");
  EXPECT_EQ(probe().gpu_memory_used, 1024);
}

TEST_F(NodeProbe, OnlyOtherStepsOfThisJobOnThisNodeAreLeftovers) {
  const auto of = [](const char* job, const char* step, const char* node) {
    return std::string("SLURM_JOB_ID=") + job + '\0' + "SLURM_STEP_ID=" + step + '\0' +
           "SLURMD_NODENAME=" + node + '\0';
  };
  add_process("100", "python3", of("42", "3", "node-a"));
  add_process("101", "own step", of("42", "7", "node-a"));
  add_process("102", "other node", of("42", "3", "node-b"));
  add_process("103", "other job", of("41", "3", "node-a"));
  add_process("104", "salloc", std::string("SLURM_JOB_ID=42\0SLURMD_NODENAME=node-a\0", 39));
  EXPECT_THAT(probe().leftovers, ElementsAre("100 python3"));
}

TEST_F(NodeProbe, AsksTheContainerEngineThatIsThere) {
  write_file(directory_ / "bin/docker", "#!/bin/sh\nprintf 'train_1\\nother\\n'\n");
  std::filesystem::permissions(directory_ / "bin/docker", std::filesystem::perms::owner_all);
  set_variable(environment_, "PATH", (directory_ / "bin").string() + ":/usr/bin:/bin");
  const NodeFacts facts = probe();
  ASSERT_TRUE(facts.containers);
  EXPECT_THAT(*facts.containers, ElementsAre("train_1", "other"));
}

TEST_F(NodeProbe, AContainerEngineThatFailsTellsNothing) {
  write_file(directory_ / "bin/docker", "#!/bin/sh\necho x; exit 1\n");
  std::filesystem::permissions(directory_ / "bin/docker", std::filesystem::perms::owner_all);
  set_variable(environment_, "PATH", (directory_ / "bin").string() + ":/usr/bin:/bin");
  EXPECT_FALSE(probe().containers);
}

}  // namespace
}  // namespace abgate::runner
