#include <gmock/gmock.h>

#include "config_files.hpp"

namespace abgate::config {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::Pair;

const std::string hcas =
    "bnxt_re0:1,bnxt_re1:1,bnxt_re2:1,bnxt_re3:1,bnxt_re4:1,bnxt_re5:1,bnxt_re6:1,bnxt_re7:1";

// FORMATS 1 and 8.
TEST(Shipped, GptOss) {
  const auto parsed = shipped_workload("gpt-oss-120b-training");
  ASSERT_TRUE(parsed.value) << lines_of(parsed.diagnostics);
  const Workload& w = *parsed.value;
  EXPECT_EQ("gpt-oss-120b-training", w.name);
  EXPECT_NE("", w.description);
  EXPECT_EQ("training", w.kind);
  EXPECT_EQ("GPT-OSS-120B", w.model);
  EXPECT_EQ("primus_pyt_megatron_lm_train_gpt-oss-120b", w.model_card);
  EXPECT_EQ("--model_repo primus_pyt_megatron_lm_train_gpt-oss-120b", w.args);
  EXPECT_EQ("scripts/primus_megatron-lm/run.sh", w.scripts);
  EXPECT_THAT(w.tags, ElementsAre("pyt", "pretrain", "training"));
  EXPECT_EQ("perf_primus-megatron-GPT-OSS-120B.csv", w.results_csv);
  EXPECT_EQ("tok_per_s_per_gpu_avg", w.metric);
  EXPECT_EQ("tok/s/GPU", w.unit);
  EXPECT_THAT(w.precisions, ElementsAre("BF16", "FP8"));
  EXPECT_EQ(15, w.requested_iterations);
  EXPECT_EQ(2, w.warmup_iterations);
  EXPECT_EQ(0.02, w.max_drop);
  EXPECT_THAT(w.validated_nodes, ElementsAre(2));
  EXPECT_EQ(8, w.gpus_per_node);
  EXPECT_EQ(hours(4), w.time_limit);
  EXPECT_EQ(seconds(14400), w.engine_timeout);
  EXPECT_TRUE(w.evidence_required());
  EXPECT_FALSE(w.accept_engine_exit);
  EXPECT_THAT(w.env, ElementsAre(Pair("NCCL_NET_PLUGIN", "none"), Pair("PRIMUS_TRAIN_ITERS", "15"),
                                 Pair("PRIMUS_DISABLE_PROFILE", "1")));
  EXPECT_THAT(w.mounts, ElementsAre());
  EXPECT_THAT(w.docker_options,
              ElementsAre("--privileged", "--group-add", "render", "--shm-size", "64G"));
  EXPECT_EQ("rocm/primus:v26.4", w.baseline_image);
  EXPECT_THAT(w.reference_values, ElementsAre());
}

TEST(Shipped, Llama) {
  const auto parsed = shipped_workload("llama-3.1-70b-training");
  ASSERT_TRUE(parsed.value) << lines_of(parsed.diagnostics);
  const Workload& w = *parsed.value;
  EXPECT_EQ("llama-3.1-70b-training", w.name);
  EXPECT_NE("", w.description);
  EXPECT_EQ("training", w.kind);
  EXPECT_EQ("Llama-3.1-70B", w.model);
  EXPECT_EQ("primus_pyt_megatron_lm_train_llama-3.1-70b", w.model_card);
  EXPECT_EQ("--model_repo primus_pyt_megatron_lm_train_llama-3.1-70b", w.args);
  EXPECT_EQ("scripts/primus_megatron-lm/run.sh", w.scripts);
  EXPECT_THAT(w.tags, ElementsAre("pyt", "pretrain", "training"));
  EXPECT_EQ("perf_primus-megatron-Llama-3.1-70B.csv", w.results_csv);
  EXPECT_EQ("tok_per_s_per_gpu_avg", w.metric);
  EXPECT_EQ("tok/s/GPU", w.unit);
  EXPECT_THAT(w.precisions, ElementsAre("BF16", "FP8"));
  EXPECT_EQ(50, w.requested_iterations);
  EXPECT_EQ(2, w.warmup_iterations);
  EXPECT_EQ(0.02, w.max_drop);
  EXPECT_THAT(w.validated_nodes, ElementsAre(2, 4, 16, 32, 44));
  EXPECT_EQ(8, w.gpus_per_node);
  EXPECT_EQ(hours(4), w.time_limit);
  EXPECT_EQ(seconds(14400), w.engine_timeout);
  EXPECT_TRUE(w.evidence_required());
  EXPECT_FALSE(w.accept_engine_exit);
  EXPECT_THAT(w.env, ElementsAre(Pair("NCCL_NET_PLUGIN", "none")));  // no PRIMUS_* at all
  EXPECT_THAT(w.mounts, ElementsAre());
  EXPECT_THAT(w.docker_options,
              ElementsAre("--privileged", "--group-add", "render", "--shm-size", "64G"));
  EXPECT_EQ("rocm/primus:v26.4", w.baseline_image);
  EXPECT_THAT(w.reference_values,
              ElementsAre(ReferenceValue{"BF16", 2, 1719}, ReferenceValue{"FP8", 2, 2848},
                          ReferenceValue{"BF16", 4, 1600}, ReferenceValue{"BF16", 16, 1685},
                          ReferenceValue{"BF16", 32, 1485}, ReferenceValue{"BF16", 44, 1432}));
}

TEST(Shipped, Demo) {
  const auto parsed = shipped_workload("demo");
  ASSERT_TRUE(parsed.value) << lines_of(parsed.diagnostics);
  const Workload& w = *parsed.value;
  EXPECT_EQ("Demo-1B", w.model);
  EXPECT_THAT(w.precisions, ElementsAre("BF16", "FP8"));
  EXPECT_EQ(12, w.requested_iterations);
  EXPECT_EQ(2, w.warmup_iterations);
  EXPECT_THAT(w.validated_nodes, ElementsAre(1, 2, 4));
  EXPECT_EQ(minutes(10), w.time_limit);
  EXPECT_EQ(seconds(300), w.engine_timeout);
}

// FORMATS 1.
TEST(Shipped, Ruby) {
  const auto parsed = shipped_cluster("ruby");
  ASSERT_TRUE(parsed.value) << lines_of(parsed.diagnostics);
  const Cluster& c = *parsed.value;
  EXPECT_EQ("ruby", c.name);
  EXPECT_NE("", c.description);
  EXPECT_EQ(Launcher::slurm, c.launcher);
  EXPECT_EQ("MI355X", c.gpu);
  EXPECT_EQ("gfx950", c.gpu_target);
  EXPECT_EQ("AMD", c.gpu_vendor);
  EXPECT_THAT(c.render_nodes, ElementsAre(128, 129, 130, 131, 132, 133, 134, 135));
  EXPECT_EQ("UBUNTU", c.guest_os);
  EXPECT_EQ("meta64", c.partition);
  EXPECT_EQ("", c.qos + c.account + c.reservation + c.exclude);
  EXPECT_TRUE(c.exclusive);
  EXPECT_EQ("", c.gres);
  EXPECT_THAT(c.extra_salloc_args, ElementsAre());
  EXPECT_EQ("fenic0", c.network_interface);
  EXPECT_THAT(c.env, ElementsAre(Pair("NCCL_NET", "IB"), Pair("NCCL_IB_DISABLE", "0"),
                                 Pair("NCCL_IB_HCA", hcas), Pair("NCCL_IB_GID_INDEX", "3"),
                                 Pair("NCCL_IB_TC", "104"), Pair("NCCL_IB_QPS_PER_CONNECTION", "4"),
                                 Pair("NCCL_SOCKET_IFNAME", "fenic0"),
                                 Pair("GLOO_SOCKET_IFNAME", "fenic0"), Pair("NCCL_DEBUG", "WARN"),
                                 Pair("NCCL_TIMEOUT", "900"), Pair("IBV_SHOW_WARNINGS", "1")));
  const auto host_copy = [](const std::string& path) { return Mount{path, path, true}; };
  EXPECT_THAT(c.mounts, ElementsAre(host_copy("/usr/lib/x86_64-linux-gnu/libibverbs.so.1"),
                                    host_copy("/usr/lib/x86_64-linux-gnu/libibumad.so.3"),
                                    host_copy("/usr/lib/x86_64-linux-gnu/libibverbs"),
                                    host_copy("/etc/libibverbs.d")));
  EXPECT_THAT(c.docker_options,
              ElementsAre("--device=/dev/infiniband", "--cap-add", "IPC_LOCK", "--ulimit",
                          "memlock=-1", "-v", "/sys:/sys:ro", "-v", "/run/udev:/run/udev:ro"));
  EXPECT_EQ("/var/tmp", c.tmpdir);
  EXPECT_EQ("", c.docker_builds + c.engine + c.scripts_dir + c.results_dir);
}

TEST(Shipped, Suites) {
  const auto nightly = parse_suite(shipped("suites/nightly.json"), "nightly.json");
  const auto weekly = parse_suite(shipped("suites/weekly.json"), "weekly.json");
  ASSERT_TRUE(nightly.value && weekly.value);
  EXPECT_EQ(2U, nightly.value->gates.size());
  EXPECT_EQ(3U, weekly.value->gates.size());
  EXPECT_THAT(weekly.value->gates.front().arguments, ElementsAre("--nodes", "2", "--order", "aba"));
  for (const Suite* suite : {&*nightly.value, &*weekly.value}) {
    for (const SuiteGate& gate : suite->gates) {
      EXPECT_TRUE(shipped_workload(gate.workload).value) << gate.workload;
      EXPECT_TRUE(shipped_cluster(gate.cluster).value) << gate.cluster;
    }
  }
}

}  // namespace
}  // namespace abgate::config
