#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abgate/plan/manifest_check.hpp>
#include <abgate/plan/plan.hpp>

#include "../src/plan/differences.hpp"
#include "sample_config.hpp"
#include "support/golden.hpp"

namespace abgate::plan {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string fixture(const std::string& phase) {
  std::ifstream file(ABGATE_SOURCE_DIR "/tests/data/phases/" + phase + "/manifest.json");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string text_at(const Json& manifest, std::initializer_list<std::string_view> path) {
  const Json* value = manifest.at(path);
  if (value == nullptr) return "(absent)";
  return value->is_string() ? value->as_string() : value->dump_line();
}

/// Every value below `value`, by pointer.
void collect_pointers(const Json& value, const std::string& pointer,
                      std::vector<std::string>& out) {
  out.push_back(pointer);
  for (const Json::Member& member : value.members())
    collect_pointers(member.value, pointer_join(pointer, member.key), out);
}

TEST(Manifest, IsByteForByteWhatMadengineWasGivenBefore) {
  const struct {
    std::string phase;
    GateConfig config;
    Side side;
  } cases[] = {
      {"gptoss-baseline", gpt_oss_config(), Side::baseline},
      {"gptoss-candidate-ok", gpt_oss_config(), Side::candidate},
      {"gptoss-inplace/2-candidate", gpt_oss_config(), Side::candidate},
      {"llama-baseline", llama_config(), Side::baseline},
      {"llama-candidate-ok", llama_config(), Side::candidate},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(make_manifest(c.config, c.side).dump(), fixture(c.phase) + "\n") << c.phase;
  }
}

TEST(Manifest, MatchesTheGoldenFiles) {
  for (GateConfig config : {gpt_oss_config(), llama_config()}) {
    add_mounts(config);
    for (const Side side : {Side::baseline, Side::candidate}) {
      test::expect_golden("plan/" + config.workload.name + "-" + std::string(name(side)) + ".json",
                          make_manifest(config, side).dump());
    }
  }
}

TEST(Manifest, OfOursHasNothingToComplainAbout) {
  for (GateConfig config : {gpt_oss_config(), llama_config()}) {
    for (const bool mounted : {false, true}) {
      if (mounted) add_mounts(config);
      for (const std::int64_t nodes : {1, 2, 4}) {
        for (const Launcher launcher : {Launcher::slurm, Launcher::local}) {
          for (const Side side : {Side::baseline, Side::candidate}) {
            config.nodes = nodes;
            config.launcher = launcher;
            const std::string text = make_manifest(config, side).dump();
            const auto parsed = parse_json(text, "manifest.json");
            ASSERT_TRUE(parsed);
            for (const Diagnostic& d : check_manifest(*parsed, "manifest.json"))
              ADD_FAILURE() << format(d);
          }
        }
      }
    }
  }
}

TEST(Manifest, OfTheTwoSidesDiffersOnlyWhereItMay) {
  GateConfig config = gpt_oss_config();
  add_mounts(config);
  config.candidate.env = {{"RCCL_TEST", "1"}, {"NCCL_DEBUG", "INFO"}};
  config.candidate.local_image = true;
  const auto found =
      differences(make_manifest(config, Side::baseline), make_manifest(config, Side::candidate));
  EXPECT_EQ(found.size(), 13U);  // names 2, image 3, mounts 4, variables 2 in 2 blocks
  for (const Difference& difference : found) {
    EXPECT_THAT(difference.pointer, AnyOf(Eq("/built_models"), StartsWith("/built_images"),
                                          StartsWith("/context/docker_mounts/"),
                                          StartsWith("/context/docker_env_vars/"),
                                          StartsWith("/deployment_config/env_vars/")));
  }
}

TEST(Manifest, OfEqualSidesIsEqual) {
  GateConfig config = llama_config();
  config.candidate = config.baseline;
  EXPECT_EQ(make_manifest(config, Side::baseline).dump(),
            make_manifest(config, Side::candidate).dump());
}

TEST(Manifest, LeavesTheEnginesOwnVariablesOut) {
  std::vector<std::string> pointers;
  GateConfig config = gpt_oss_config();
  config.cluster.docker_builds = "/shared/builds";
  collect_pointers(make_manifest(config, Side::baseline), "", pointers);
  EXPECT_GT(pointers.size(), 60U);
  for (const std::string& pointer : pointers) {
    EXPECT_THAT(pointer, Not(HasSubstr("SLURM_TMPDIR")));
    EXPECT_THAT(pointer, Not(HasSubstr("MAD_DOCKER_BUILDS")));
  }
}

TEST(Manifest, NeedsNoKnobForLlama) {
  std::vector<std::string> pointers;
  collect_pointers(make_manifest(llama_config(), Side::candidate), "", pointers);
  for (const std::string& pointer : pointers)
    EXPECT_THAT(pointer, Not(HasSubstr("PRIMUS_")));
}

TEST(Manifest, SharesALocalImageWithoutARegistry) {
  GateConfig config = gpt_oss_config();
  config.candidate.local_image = true;
  const Json manifest = make_manifest(config, Side::candidate);
  const Json* image = manifest.at({"built_images", config.candidate.image});
  ASSERT_NE(image, nullptr);
  EXPECT_TRUE(image->find("local_image")->as_boolean());
  EXPECT_EQ(image->find("registry_image"), nullptr);
}

TEST(Manifest, MountsReadOnlyByTheContainersPath) {
  GateConfig config = gpt_oss_config();
  config.cluster.mounts = {{"/a", "/host/a", true}, {"/b", "/host/b", true}};
  config.workload.mounts = {{"/b", "/other/b", false}};
  config.candidate.library_mounts = {{"/a", "/lib/a", true}};
  EXPECT_EQ(text_at(make_manifest(config, Side::baseline), {"context", "docker_mounts"}),
            R"({"/a:ro":"/host/a","/b":"/other/b"})");
  EXPECT_EQ(text_at(make_manifest(config, Side::candidate), {"context", "docker_mounts"}),
            R"({"/a:ro":"/lib/a","/b":"/other/b"})");
}

TEST(Manifest, SetsWhatThePresetOrTheImageWouldDecide) {
  GateConfig config = llama_config();
  config.cluster.env.clear();
  config.workload.env.clear();
  config.candidate.library_mounts = {{"/opt/x/librccl.so.1", "/lib/x", true}};
  for (const Side side : {Side::baseline, Side::candidate}) {
    const Json manifest = make_manifest(config, side);
    const std::string wanted =
        R"({"NCCL_SOCKET_IFNAME":"fenic0","GLOO_SOCKET_IFNAME":"fenic0","NCCL_NET_PLUGIN":"none",)"
        R"("NCCL_IB_DISABLE":"0"})";
    EXPECT_EQ(text_at(manifest, {"context", "docker_env_vars"}), wanted);
    EXPECT_EQ(text_at(manifest, {"deployment_config", "env_vars"}), wanted);
  }
}

TEST(Manifest, FollowsTheWorkloadsOwnInterface) {
  GateConfig config = llama_config();
  config.workload.env.emplace_back("NCCL_SOCKET_IFNAME", "eno7");
  const Json manifest = make_manifest(config, Side::baseline);
  EXPECT_EQ(text_at(manifest, {"context", "docker_env_vars", "NCCL_SOCKET_IFNAME"}), "eno7");
  EXPECT_EQ(text_at(manifest, {"deployment_config", "slurm", "network_interface"}), "eno7");
}

TEST(Manifest, DropsTheNetworkOfOneNode) {
  GateConfig config = llama_config();
  config.nodes = 1;
  const Json manifest = make_manifest(config, Side::baseline);
  EXPECT_EQ(text_at(manifest, {"context", "docker_env_vars", "NCCL_NET"}), "(absent)");
  EXPECT_EQ(text_at(manifest, {"deployment_config", "env_vars", "NCCL_NET"}), "(absent)");
  EXPECT_EQ(text_at(manifest, {"deployment_config", "distributed", "nnodes"}), "1");
}

TEST(Manifest, NamesSelectorsOnlyWhenTheyAreSet) {
  GateConfig config = llama_config();
  config.cluster.qos = "high";
  config.cluster.account = "rccl";
  config.cluster.reservation = "gate";
  config.exclude = "a9";
  config.cluster.gres = "--gres=gpu:8";
  const Json manifest = make_manifest(config, Side::baseline, {"a1", "a2"});
  EXPECT_EQ(text_at(manifest, {"deployment_config", "slurm"}),
            R"({"partition":"meta64","nodes":2,"gpus_per_node":8,"time":"04:00:00",)"
            R"("output_dir":"slurm_output","exclusive":true,"enable_node_check":false,)"
            R"("network_interface":"fenic0","skip_gpus_directive":false,"qos":"high",)"
            R"("account":"rccl","reservation":"gate","nodelist":"a1,a2","exclude":"a9"})");
}

TEST(Manifest, TakesAConfiguredNodeListOnlyWhenItFits) {
  const struct {
    std::string list;
    std::string wanted;
  } cases[] = {{"a[1-2]", "a1,a2"}, {"a[1-3]", "(absent)"}, {"a[", "(absent)"}, {"", "(absent)"}};
  for (const auto& c : cases) {
    GateConfig config = llama_config();
    config.nodelist = c.list;
    EXPECT_EQ(
        text_at(make_manifest(config, Side::baseline), {"deployment_config", "slurm", "nodelist"}),
        c.wanted)
        << c.list;
  }
}

TEST(Manifest, AsksForNoJobWithTheLocalLauncher) {
  GateConfig config = llama_config();
  config.launcher = Launcher::local;
  const Json manifest = make_manifest(config, Side::baseline);
  EXPECT_EQ(text_at(manifest, {"deployment_config", "target"}), "local");
  EXPECT_EQ(text_at(manifest, {"deployment_config", "slurm"}), "(absent)");
}

}  // namespace
}  // namespace abgate::plan
