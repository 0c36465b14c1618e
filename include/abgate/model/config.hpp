#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <abgate/model/terms.hpp>

namespace abgate {

/// Environment variables in the order in which they were written.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// A host path that a container sees.
struct Mount {
  std::string container;
  std::string host;
  bool read_only = false;
  friend bool operator==(const Mount&, const Mount&) = default;
};

/// A value measured elsewhere that a leg can be held against; informational, never a verdict.
struct ReferenceValue {
  std::string precision;
  std::int64_t nodes = 0;
  double value = 0;  ///< in the workload's metric, tok/s/GPU
  friend bool operator==(const ReferenceValue&, const ReferenceValue&) = default;
};

/// Lines of a log that come again and again; folded after each phase
/// (abgate/condense/condense.hpp).
struct LogKind {
  std::string name;
  std::string pattern;  ///< of the whole line
  friend bool operator==(const LogKind&, const LogKind&) = default;
};

/// What is trained (DESIGN 1, 4). Source: `configs/workloads/*.json`.
struct Workload {
  std::string name;
  std::string description;
  std::string kind;        ///< `training` or `inference`
  std::string model;       ///< as in `Running: <Model> - BF16 - pretrain`: `GPT-OSS-120B`
  std::string model_card;  ///< madengine's model name; names its folders and logs
  std::string args;        ///< `--model_repo <card>`
  std::string scripts;  ///< run script inside a MAD checkout: `scripts/primus_megatron-lm/run.sh`
  std::vector<std::string> tags;
  std::string results_csv;  ///< exact name of the per-model CSV, e.g.
                            ///< `perf_primus-megatron-GPT-OSS-120B.csv`
  std::string metric;       ///< column `metric` of the row that is scored: `tok_per_s_per_gpu_avg`
  std::string unit;         ///< of the metric: `tok/s/GPU`
  std::vector<std::string> precisions;    ///< expected legs, in order
  std::int64_t requested_iterations = 0;  ///< N of the last line `iteration N/N`
  std::int64_t warmup_iterations = 0;     ///< printed lines that are not measured
  double max_drop = 0;                    ///< fraction: 0.02 allows a ratio down to 0.98
  std::vector<std::int64_t> validated_nodes;
  std::int64_t gpus_per_node = 0;
  std::chrono::seconds time_limit{};      ///< of the allocation
  std::chrono::seconds engine_timeout{};  ///< `timeout` of the manifest; always positive
  std::string evidence = "required";      ///< `optional`: a verdict without a series is possible
  bool accept_engine_exit = false;        ///< the one opt-in exception of LESSONS 11
  Environment env;
  std::vector<Mount> mounts;
  std::vector<std::string> docker_options;
  std::string baseline_image;
  std::vector<ReferenceValue> reference_values;
  std::vector<LogKind> log_kinds;

  bool evidence_required() const { return evidence != "optional"; }
};

/// Where it is trained. Source: `configs/clusters/*.json`.
struct Cluster {
  std::string name;
  std::string description;
  Launcher launcher = Launcher::slurm;
  std::string gpu;                         ///< `MI355X`
  std::string gpu_target;                  ///< `gfx950`
  std::string gpu_vendor;                  ///< `AMD`
  std::vector<std::int64_t> render_nodes;  ///< /dev/dri/renderD<N>
  std::string guest_os;                    ///< of the container: `UBUNTU`

  std::string partition, qos, account, reservation, exclude;
  bool exclusive = true;
  /// GRES policy: empty means the cluster has no GPU GRES, so no GPU option may be given (LESSONS
  /// 26); else the option, e.g. `--gres=gpu:8`.
  std::string gres;
  std::vector<std::string> extra_salloc_args;

  std::string network_interface;
  Environment env;
  std::vector<Mount> mounts;  ///< host libraries over the container's
  std::vector<std::string> docker_options;

  std::string
      docker_builds;   ///< MAD_DOCKER_BUILDS, shared by all nodes; empty: inside the work directory
  std::string tmpdir;  ///< SLURM_TMPDIR; empty: left alone
  std::string engine;  ///< the engine's path or name; empty: `madengine`
  std::string scripts_dir;  ///< a MAD checkout's `scripts`; empty: must be given
  std::string results_dir;  ///< history; empty: none
  std::vector<LogKind> log_kinds;
};

struct SuiteGate {
  std::string name;
  std::string workload;
  std::string cluster;
  std::vector<std::string> arguments;  ///< further options of `abgate run`
};

/// Gates that run one after another. Source: `configs/suites/*.json`.
struct Suite {
  std::string name;
  std::string description;
  std::vector<SuiteGate> gates;
};

/// What distinguishes one side.
struct SideConfig {
  std::string image;
  bool local_image = false;  ///< only on this host; shared as a tar through MAD_DOCKER_BUILDS
  Environment env;
  std::string library;  ///< host path of the overlaid RCCL (file or directory); empty: none
  std::vector<Mount> library_mounts;  ///< derived from `library`
};

struct Budgets {
  std::chrono::seconds queue{};     ///< submit to grant
  std::chrono::seconds run{};       ///< from the grant
  std::chrono::seconds phase{};     ///< one phase
  std::chrono::seconds progress{};  ///< between two signs of life of a phase
};

/// Everything that decides what a gate does: workload, cluster and options merged.
struct GateConfig {
  Workload workload;
  Cluster cluster;
  SideConfig baseline;
  SideConfig candidate;
  std::string candidate_rccl;  ///< the build that must be seen at run time, `<ref>:<hash>` or a
                               ///< hash; may be empty
  bool same_build = false;     ///< an A/A gate: both sides are meant to be one build
  std::int64_t nodes = 0;
  Order order = Order::ab;
  std::map<std::string, double> max_drop;  ///< by precision; every expected precision has an entry
  Launcher launcher = Launcher::slurm;
  std::string engine;  ///< path of madengine or of the stand-in
  std::string scripts_dir;
  std::string nodelist;  ///< a Slurm host list; empty: any
  std::string exclude;
  bool use_allocation = false;
  bool advisory = false;
  bool allow_log_metric = false;
  bool keep_raw_logs = false;     ///< logs are not condensed after each phase
  std::int64_t max_log_size = 0;  ///< bytes of logs that the gate may leave; 0: any
  std::string work_dir;
  std::string results_dir;
  Budgets budgets;
  /// Where each effective value came from: key path (`workload.max_drop.BF16`) to
  /// `configs/workloads/x.json:12:5`, `--max-drop` or `default`.
  std::map<std::string, std::string> origins;

  const SideConfig& side(Side s) const { return s == Side::baseline ? baseline : candidate; }
  /// The environment of a side's container: cluster < workload < side (DESIGN 4). Later wins; order
  /// of first appearance.
  Environment environment_of(Side s) const;
};

/// Sets or replaces a variable.
void set_variable(Environment& env, const std::string& key, const std::string& value);
const std::string* find_variable(const Environment& env, std::string_view key);

}  // namespace abgate
