#include "sample_config.hpp"

namespace abgate::plan {
namespace {

Workload workload_of(const std::string& model, const std::string& card) {
  Workload workload;
  workload.kind = "training";
  workload.model = model;
  workload.model_card = card;
  workload.args = "--model_repo " + card;
  workload.scripts = "scripts/primus_megatron-lm/run.sh";
  workload.tags = {"pyt", "pretrain", "training"};
  workload.results_csv = "perf_primus-megatron-" + model + ".csv";
  workload.metric = "tok_per_s_per_gpu_avg";
  workload.unit = "tok/s/GPU";
  workload.precisions = {"BF16", "FP8"};
  workload.warmup_iterations = 2;
  workload.max_drop = 0.02;
  workload.validated_nodes = {2};
  workload.gpus_per_node = 8;
  workload.time_limit = std::chrono::hours(4);
  workload.engine_timeout = std::chrono::seconds(14400);
  workload.env = {{"NCCL_NET_PLUGIN", "none"}};
  workload.docker_options = {"--privileged", "--group-add", "render", "--shm-size", "64G"};
  workload.baseline_image = "rocm/primus:v26.4";
  return workload;
}

Cluster ruby() {
  Cluster cluster;
  cluster.name = "ruby";
  cluster.gpu = "MI355X";
  cluster.gpu_target = "gfx950";
  cluster.gpu_vendor = "AMD";
  cluster.render_nodes = {128, 129, 130, 131, 132, 133, 134, 135};
  cluster.guest_os = "UBUNTU";
  cluster.partition = "meta64";
  cluster.network_interface = "fenic0";
  cluster.env = {
      {"NCCL_NET", "IB"},
      {"NCCL_IB_DISABLE", "0"},
      {"NCCL_IB_HCA",
       "bnxt_re0:1,bnxt_re1:1,bnxt_re2:1,bnxt_re3:1,bnxt_re4:1,bnxt_re5:1,bnxt_re6:1,bnxt_re7:1"},
      {"NCCL_IB_GID_INDEX", "3"},
      {"NCCL_IB_TC", "104"},
      {"NCCL_IB_QPS_PER_CONNECTION", "4"},
      {"NCCL_SOCKET_IFNAME", "fenic0"},
      {"GLOO_SOCKET_IFNAME", "fenic0"},
      {"NCCL_DEBUG", "WARN"},
      {"NCCL_TIMEOUT", "900"},
      {"IBV_SHOW_WARNINGS", "1"}};
  cluster.tmpdir = "/var/tmp";
  return cluster;
}

GateConfig config_of(Workload workload) {
  GateConfig config;
  config.workload = std::move(workload);
  config.cluster = ruby();
  config.baseline.image = config.workload.baseline_image;
  config.candidate.image = "rocm/primus:v26.4-rccl-gfx950-e711c9e";
  config.candidate_rccl = "develop:e711c9e";
  config.nodes = 2;
  config.max_drop = {{"BF16", 0.02}, {"FP8", 0.03}};
  config.engine = "madengine";
  config.budgets = {std::chrono::minutes(90), std::chrono::hours(4), std::chrono::hours(2)};
  const std::string file = "/usr/share/abgate/configs/";
  config.origins = {
      {"order", "default"},
      {"nodes", "--nodes"},
      {"max_drop.BF16", file + "workloads/" + config.workload.name + ".json:21:15"},
      {"max_drop.FP8", "--max-drop"},
      {"workload", file + "workloads/" + config.workload.name + ".json:1:1"},
      {"cluster", file + "clusters/ruby.json:1:1"},
      {"cluster.partition", "--partition"},
      {"env.NCCL_NET_PLUGIN", file + "workloads/" + config.workload.name + ".json:33:24"},
      {"env", file + "clusters/ruby.json:17:10"},
      {"candidate.image", "--candidate-image"}};
  return config;
}

}  // namespace

GateConfig gpt_oss_config() {
  Workload workload = workload_of("GPT-OSS-120B", "primus_pyt_megatron_lm_train_gpt-oss-120b");
  workload.name = "gpt-oss-120b-training";
  workload.requested_iterations = 15;
  workload.env.emplace_back("PRIMUS_TRAIN_ITERS", "15");
  workload.env.emplace_back("PRIMUS_DISABLE_PROFILE", "1");
  return config_of(std::move(workload));
}

GateConfig llama_config() {
  Workload workload = workload_of("Llama-3.1-70B", "primus_pyt_megatron_lm_train_llama-3.1-70b");
  workload.name = "llama-3.1-70b-training";
  workload.requested_iterations = 50;
  return config_of(std::move(workload));
}

void add_mounts(GateConfig& config) {
  const std::string verbs = "/usr/lib/x86_64-linux-gnu/libibverbs.so.1";
  config.cluster.mounts = {{verbs, verbs, true}, {"/etc/libibverbs.d", "/etc/libibverbs.d", true}};
  config.cluster.docker_options = {"--device=/dev/infiniband", "--cap-add", "IPC_LOCK"};
  config.workload.mounts = {{"/data", "/srv/datasets", false}};
  config.candidate.library = "/builds/rccl/librccl.so.1.0";
  const std::string packages = "/opt/venv/lib/python3.12/site-packages/";
  for (const char* target :
       {"_rocm_sdk_libraries/lib/librccl.so.1", "_rocm_sdk_libraries/lib/librccl.so.1.0",
        "_rocm_sdk_devel/lib/librccl.so.1", "_rocm_sdk_devel/lib/librccl.so.1.0"}) {
    config.candidate.library_mounts.push_back({packages + target, config.candidate.library, true});
  }
}

}  // namespace abgate::plan
