#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifest_traps.hpp"

namespace abgate::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ManifestCheckDeployment, Slurm) {
  expect_traps({
      {"no section", drop({"deployment_config"}, "slurm"), {"E /deployment_config/slurm"}},
      {"another target",
       set({"deployment_config"}, "target", "k8s"),
       {"E /deployment_config/target"},
       "give \"slurm\""},
      {"local beside slurm",
       set({"deployment_config"}, "target", "local"),
       {"E /deployment_config/target"},
       "makes madengine submit a job"},
      {"no nodes", drop(slurm, "nodes"), {error_at(slurm, "nodes")}},
      {"nodes as text", set(slurm, "nodes", "2"), {error_at(slurm, "nodes")}},
      {"nodes and nnodes",
       set(distributed, "nnodes", 4),
       {error_at(distributed, "nnodes")},
       "is 4, but /deployment_config/slurm/nodes is 2"},
      {"nodelist too long",
       set(slurm, "nodelist", "a[1-3]"),
       {error_at(slurm, "nodelist")},
       "names 3 nodes, but nodes is 2"},
      {"nodelist that fits", set(slurm, "nodelist", "a[1,3]"), {}},
      {"nodelist twice", set(slurm, "nodelist", "a1,a1"), {error_at(slurm, "nodelist")}, "twice"},
      {"nodelist malformed", set(slurm, "nodelist", "a["), {error_at(slurm, "nodelist")}},
      {"nodelist as array", set(slurm, "nodelist", Json::array()), {error_at(slurm, "nodelist")}},
      {"absolute output",
       set(slurm, "output_dir", "/shared/out"),
       {error_at(slurm, "output_dir")},
       "an absolute path"},
      {"another output", set(slurm, "output_dir", "out"), {warning_at(slurm, "output_dir")}},
      {"time in minutes", set(slurm, "time", "240"), {error_at(slurm, "time")}},
      {"time as number", set(slurm, "time", 240), {error_at(slurm, "time")}},
      {"time of ours", set(slurm, "time", "4h"), {error_at(slurm, "time")}},
      {"flag as text",
       set(slurm, "skip_gpus_directive", "true"),
       {error_at(slurm, "skip_gpus_directive")},
       "not a boolean"},
      {"exclusive as text", set(slurm, "exclusive", "yes"), {error_at(slurm, "exclusive")}},
      {"node check",
       set(slurm, "enable_node_check", true),
       {warning_at(slurm, "enable_node_check")}},
      {"node check by default",
       drop(slurm, "enable_node_check"),
       {warning_at(slurm, "enable_node_check")}},
      {"typo",
       set(slurm, "node_list", "a1"),
       {warning_at(slurm, "node_list")},
       "did you mean \"nodelist\"?"},
  });
}

TEST(ManifestCheckDeployment, Distributed) {
  expect_traps({
      {"no section",
       drop({"deployment_config"}, "distributed"),
       {"E /deployment_config/distributed"}},
      {"launcher",
       set(distributed, "launcher", "torchrun"),
       {error_at(distributed, "launcher")},
       "give \"primus\""},
      {"backend", set(distributed, "backend", "gloo"), {error_at(distributed, "backend")}},
      {"port", set(distributed, "port", 70000), {error_at(distributed, "port")}},
      {"debug", set({"deployment_config"}, "debug", "no"), {"E /deployment_config/debug"}},
  });
}

TEST(ManifestCheckDeployment, EnvBlocksAgree) {
  expect_traps({
      {"values differ",
       set(outside, "NCCL_IB_TC", "96"),
       {error_at(outside, "NCCL_IB_TC")},
       "is \"96\", but /context/docker_env_vars/NCCL_IB_TC is \"104\""},
      {"NCCL only inside", drop(outside, "NCCL_IB_TC"), {error_at(inside, "NCCL_IB_TC")}},
      {"NCCL only outside",
       drop(inside, "NCCL_IB_TC"),
       {error_at(outside, "NCCL_IB_TC")},
       "does not reach the container"},
      {"GLOO only outside",
       drop(inside, "GLOO_SOCKET_IFNAME"),
       {error_at(inside, "GLOO_SOCKET_IFNAME"), error_at(outside, "GLOO_SOCKET_IFNAME")}},
      {"PRIMUS only outside",
       drop(inside, "PRIMUS_TRAIN_ITERS"),
       {error_at(outside, "PRIMUS_TRAIN_ITERS")},
       "does not reach the container"},
      {"PRIMUS only inside", drop(outside, "PRIMUS_TRAIN_ITERS"), {}},
      {"other only inside",
       set(inside, "OMP_NUM_THREADS", "8"),
       {warning_at(inside, "OMP_NUM_THREADS")}},
      {"other only outside",
       set(outside, "OMP_NUM_THREADS", "8"),
       {warning_at(outside, "OMP_NUM_THREADS")}},
      {"no block", drop({"deployment_config"}, "env_vars"), {"E /deployment_config/env_vars"}},
  });
}

TEST(ManifestCheckDeployment, Variables) {
  expect_traps({
      {"braces",
       set_both("X", "${HOME}/x"),
       {error_at(inside, "X"), error_at(outside, "X")},
       "reaches the container as that literal"},
      {"plain expansion", set_both("X", "$HOME"), {error_at(inside, "X"), error_at(outside, "X")}},
      {"a dollar alone", set_both("X", "5$"), {}},
      {"quote", set_both("X", "a\"b"), {error_at(inside, "X"), error_at(outside, "X")}},
      {"number", set_both("X", 1), {warning_at(inside, "X"), warning_at(outside, "X")}},
      {"boolean", set_both("X", true), {error_at(inside, "X"), error_at(outside, "X")}},
      {"null", set_both("X", nullptr), {error_at(inside, "X"), error_at(outside, "X")}},
      {"name",
       set_both("a-b", "1"),
       {error_at(inside, "a-b"), error_at(outside, "a-b")},
       "not the name of a variable"},
  });
}

TEST(ManifestCheckDeployment, Fabric) {
  expect_traps({
      {"InfiniBand left to the preset",
       drop_both("NCCL_IB_DISABLE"),
       {error_at(inside, "NCCL_IB_DISABLE")},
       "left to madengine's preset for more than one node, which is 1"},
      {"interface left to the preset",
       drop_both("NCCL_SOCKET_IFNAME"),
       {error_at(inside, "NCCL_SOCKET_IFNAME")},
       "which is eth0"},
      {"no interface for gloo",
       drop_both("GLOO_SOCKET_IFNAME"),
       {error_at(inside, "GLOO_SOCKET_IFNAME")}},
      {"sockets on purpose",
       set_both("NCCL_IB_DISABLE", "1"),
       {warning_at(inside, "NCCL_IB_DISABLE")},
       "sockets"},
      {"no adapters", drop_both("NCCL_IB_HCA"), {warning_at(inside, "NCCL_IB_HCA")}},
      {"another interface",
       set(slurm, "network_interface", "eth0"),
       {error_at(slurm, "network_interface")},
       "is \"eth0\", but NCCL_SOCKET_IFNAME is \"fenic0\""},
      {"one node",
       [](Json& m) {
         object_at(m, slurm).set("nodes", 1);
         object_at(m, distributed).set("nnodes", 1);
       },
       {error_at(inside, "NCCL_NET")},
       "with one node"},
      {"one node needs no fabric",
       [](Json& m) {
         object_at(m, slurm).set("nodes", 1);
         object_at(m, distributed).set("nnodes", 1);
         for (const char* key : {"NCCL_NET", "NCCL_IB_DISABLE", "NCCL_IB_HCA"}) {
           remove(m, inside, key);
           remove(m, outside, key);
         }
       },
       {}},
  });
}

TEST(ManifestCheckDeployment, RefusesSecretsAndDoesNotRepeatThem) {
  const std::string token = "hf_" + std::string(34, 'q');
  const std::vector<Trap> traps = {
      {"by name",
       set_both("MAD_SECRETS_HFTOKEN", "qqqq"),
       {error_at(inside, "MAD_SECRETS_HFTOKEN"), error_at(outside, "MAD_SECRETS_HFTOKEN")}},
      {"one block",
       set(inside, "HF_TOKEN", "qqqq"),
       {warning_at(inside, "HF_TOKEN"), error_at(inside, "HF_TOKEN")}},
      {"differing",
       [](Json& m) {
         object_at(m, inside).set("HF_TOKEN", "qqqq");
         object_at(m, outside).set("HF_TOKEN", "qqqqq");
       },
       {error_at(inside, "HF_TOKEN"), error_at(outside, "HF_TOKEN"),
        error_at(outside, "HF_TOKEN")}},
      {"by value", set_both("NOTE", token), {error_at(inside, "NOTE"), error_at(outside, "NOTE")}},
      {"in args",
       set(model, "args", "--model_repo primus_pyt_megatron_lm_train_gpt-oss-120b --key " + token),
       {error_at(model, "args")}},
      {"as an image",
       set(picture, "docker_image", "https://u:qqqq@host/x"),
       {error_at(picture, "docker_image"), error_at(picture, "docker_image"),
        error_at(picture, "registry_image")}},
      {"in an array",
       set(model, "tags", Json::strings({"a", token})),
       {error_at({"built_models", image, "tags"}, "1")}},
  };
  for (const Trap& trap : traps) {
    std::size_t secrets = 0;
    for (const Diagnostic& d : expect_trap(trap, good_manifest())) {
      EXPECT_THAT(format(d), Not(HasSubstr("qqqq"))) << trap.name;
      secrets += d.message.find("looks like a secret") == std::string::npos ? 0U : 1U;
    }
    EXPECT_GE(secrets, 1U) << trap.name;
  }
}

TEST(ManifestCheckDeployment, SaysWhere) {
  Json manifest = good_manifest();
  object_at(manifest, slurm).set("output_dir", "/x\x1b[2J");
  const Diagnostics found = findings_of(manifest);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(format(found.front()),
              HasSubstr("m.json:75:21: /deployment_config/slurm/output_dir: is \"/x\\x1b[2J\", an "
                        "absolute path"));
}

TEST(ManifestCheckDeployment, ReportsEverythingAtOnceInOrder) {
  Json manifest = good_manifest();
  object_at(manifest, model).set("timeout", 0);
  object_at(manifest, slurm).set("nodes", 3);
  object_at(manifest, picture).set("local_image", 1);
  std::vector<std::string> pointers;
  int line = 0;
  for (const Diagnostic& d : findings_of(manifest)) {
    pointers.push_back(d.pointer);
    EXPECT_GE(d.position.line, line);
    line = d.position.line;
  }
  EXPECT_THAT(pointers,
              ElementsAre(pointer_text(picture, "local_image"), pointer_text(model, "timeout"),
                          pointer_text(distributed, "nnodes")));
}

}  // namespace
}  // namespace abgate::plan
