#pragma once

#include <optional>
#include <string>
#include <vector>

#include <abgate/config/parse.hpp>

namespace abgate::config {

/// The command line options that change a gate; unset means: the configuration decides.
struct Options {
  std::optional<std::int64_t> nodes;
  std::optional<std::string> order;
  std::vector<std::string> max_drop;  ///< `0.02` or `BF16=0.03`
  bool advisory = false;
  std::optional<std::string> baseline_image;
  std::optional<std::string> candidate_image;
  bool baseline_image_local = false;
  bool candidate_image_local = false;
  std::optional<std::string> candidate_library;
  /// Entries of the library directory (file names), read by the caller: resolving does no I/O. For
  /// a single file: its own name.
  std::vector<std::string> candidate_library_files;
  std::vector<std::string> baseline_env;   ///< `K=V`
  std::vector<std::string> candidate_env;  ///< `K=V`
  std::optional<std::string> candidate_rccl;
  bool same_build = false;
  std::optional<std::string> launcher;
  std::optional<std::string> engine;
  std::optional<std::string> scripts_dir;
  std::optional<std::string> nodelist;
  std::optional<std::string> exclude;
  std::optional<std::string> partition, qos, account, reservation, time_limit;
  std::vector<std::string> salloc_args;  ///< behind those of the cluster
  bool use_allocation = false;
  bool allow_unvalidated_nodes = false;
  bool allow_log_metric = false;
  bool keep_raw_logs = false;
  std::optional<std::int64_t> max_log_size;  ///< bytes
  bool accept_engine_exit = false;
  std::optional<std::string> work_dir;
  std::optional<std::string> results_dir;
  std::optional<std::string> queue_timeout, run_timeout, phase_timeout, progress_timeout;
};

struct Resolved {
  std::optional<GateConfig> value;  ///< absent when there are errors
  Diagnostics diagnostics;
};

/// Merges workload, cluster and options, checks what only shows in the whole (node count validated,
/// sides differ or --same-build, budgets nested: phase <= run <= time limit) and records every
/// origin.
Resolved resolve(const Parsed<Workload>& workload, const Parsed<Cluster>& cluster,
                 const Options& options);

/// The effective configuration with origins, for the record and for `plan --format json`.
Json to_json(const GateConfig& config);

/// Reads back what `to_json` wrote; the inner process and `score` on a finished work directory use
/// it.
Result<GateConfig, Diagnostics> from_json(const Json& json, const std::string& file);

/// The configuration of a gate that ran, to run it again. Of the options only the nodes, the work
/// directory and the results directory count. A value that the record holds redacted is an error.
Resolved repeat(const Json& config, const std::string& file, const Options& options);

}  // namespace abgate::config
