#include "effective_values.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/secret.hpp>
#include <abgate/base/text.hpp>

#include "environment.hpp"

namespace abgate::plan {
namespace {

class Table {
 public:
  explicit Table(const GateConfig& config) : config_(config) {}

  std::vector<EffectiveValue> take() { return std::move(rows_); }

  void add(const std::string& key, const std::string& value) {
    if (!value.empty()) rows_.push_back({key, value, origin_of(key)});
  }
  void add(const std::string& key, bool value) { add(key, std::string(value ? "true" : "false")); }
  void add(const std::string& key, std::int64_t value) { add(key, std::to_string(value)); }
  void add(const std::string& key, duration::seconds value) { add(key, duration::to_slurm(value)); }
  void add(const std::string& key, const std::vector<std::string>& values, const char* separator) {
    add(key, text::join(values, separator));
  }
  void add(const std::string& key, const std::vector<std::int64_t>& values) {
    add(key, fmt::format("{}", fmt::join(values, ", ")));
  }
  void add(const std::string& key, const std::vector<Mount>& mounts) {
    for (std::size_t i = 0; i < mounts.size(); ++i) {
      const Mount& mount = mounts[i];
      add(fmt::format("{}.{}", key, i), fmt::format("{} from {}{}", mount.container, mount.host,
                                                    mount.read_only ? ", read-only" : ""));
    }
  }
  void add(const std::string& key, const std::vector<LogKind>& kinds) {
    for (std::size_t i = 0; i < kinds.size(); ++i)
      add(fmt::format("{}.{}", key, i), fmt::format("{}: {}", kinds[i].name, kinds[i].pattern));
  }
  void add_variable(const std::string& section, const std::string& name, const std::string& value) {
    const std::string key = section + "." + name;
    const std::string shown = looks_secret(name, value) ? "(hidden)" : value;
    rows_.push_back({key, shown.empty() ? "(empty)" : shown, origin_of(key)});
  }
  void add_derived(const std::string& key, const std::string& value) {
    rows_.push_back({key, value, "derived"});
  }

 private:
  /// The origin of the key, or of what holds it: a list may be known as a whole.
  std::string origin_of(std::string key) const {
    while (true) {
      const auto found = config_.origins.find(key);
      if (found != config_.origins.end()) return found->second;
      const std::size_t dot = key.rfind('.');
      if (dot == std::string::npos) return "default";
      key.resize(dot);
    }
  }

  const GateConfig& config_;
  std::vector<EffectiveValue> rows_;
};

void add_gate(Table& table, const GateConfig& config) {
  table.add("order", std::string(name(config.order)));
  table.add("nodes", config.nodes);
  for (const auto& [precision, drop] : config.max_drop)
    table.add("max_drop." + precision, number::shortest(drop));
  table.add("launcher", std::string(name(config.launcher)));
  table.add("engine", config.engine);
  table.add("scripts_dir", config.scripts_dir);
  table.add("nodelist", config.nodelist);
  table.add("exclude", config.exclude);
  table.add("use_allocation", config.use_allocation);
  table.add("advisory", config.advisory);
  table.add("allow_log_metric", config.allow_log_metric);
  table.add("keep_raw_logs", config.keep_raw_logs);
  table.add("max_log_size", config.max_log_size);
  table.add("same_build", config.same_build);
  table.add("candidate_rccl", config.candidate_rccl);
  table.add("work_dir", config.work_dir);
  table.add("results_dir", config.results_dir);
  table.add("budgets.queue", config.budgets.queue);
  table.add("budgets.run", config.budgets.run);
  table.add("budgets.phase", config.budgets.phase);
  table.add("budgets.progress", config.budgets.progress);
}

void add_side(Table& table, const std::string& section, const SideConfig& side) {
  table.add(section + ".image", side.image);
  table.add(section + ".local_image", side.local_image);
  table.add(section + ".library", side.library);
  table.add(section + ".library_mounts", side.library_mounts);
  for (const auto& [name, value] : side.env)
    table.add_variable(section + ".env", name, value);
}

void add_workload(Table& table, const GateConfig& config) {
  const Workload& workload = config.workload;
  table.add("workload.name", workload.name);
  table.add("workload.kind", workload.kind);
  table.add("workload.model", workload.model);
  table.add("workload.model_card", workload.model_card);
  table.add("workload.args", workload.args);
  table.add("workload.scripts", workload.scripts);
  table.add("workload.tags", workload.tags, ", ");
  table.add("workload.results_csv", workload.results_csv);
  table.add("workload.metric", workload.metric);
  table.add("workload.unit", workload.unit);
  table.add("workload.precisions", workload.precisions, ", ");
  table.add("workload.requested_iterations", workload.requested_iterations);
  table.add("workload.warmup_iterations", workload.warmup_iterations);
  table.add("workload.validated_nodes", workload.validated_nodes);
  table.add("workload.gpus_per_node", workload.gpus_per_node);
  table.add("workload.time_limit", workload.time_limit);
  table.add("workload.engine_timeout", workload.engine_timeout);
  table.add("workload.evidence", workload.evidence);
  table.add("workload.accept_engine_exit", workload.accept_engine_exit);
  table.add("workload.mounts", workload.mounts);
  table.add("workload.docker_options", workload.docker_options, " ");
  table.add("workload.log_kinds", workload.log_kinds);
}

void add_cluster(Table& table, const GateConfig& config) {
  const Cluster& cluster = config.cluster;
  table.add("cluster.name", cluster.name);
  table.add("cluster.gpu", cluster.gpu);
  table.add("cluster.gpu_target", cluster.gpu_target);
  table.add("cluster.gpu_vendor", cluster.gpu_vendor);
  table.add("cluster.render_nodes", cluster.render_nodes);
  table.add("cluster.guest_os", cluster.guest_os);
  table.add("cluster.partition", cluster.partition);
  table.add("cluster.qos", cluster.qos);
  table.add("cluster.account", cluster.account);
  table.add("cluster.reservation", cluster.reservation);
  table.add("cluster.exclusive", cluster.exclusive);
  table.add("cluster.gres", cluster.gres);
  table.add("cluster.extra_salloc_args", cluster.extra_salloc_args, " ");
  table.add("cluster.log_kinds", cluster.log_kinds);
  table.add("cluster.network_interface", cluster.network_interface);
  table.add("cluster.mounts", cluster.mounts);
  table.add("cluster.docker_options", cluster.docker_options, " ");
  table.add("cluster.docker_builds", cluster.docker_builds);
  table.add("cluster.tmpdir", cluster.tmpdir);
}

/// What the sides share; a variable that both of them replace is not effective.
void add_environment(Table& table, const GateConfig& config) {
  Environment shared = config.cluster.env;
  for (const auto& [name, value] : config.workload.env)
    set_variable(shared, name, value);
  for (const auto& [name, value] : shared) {
    const bool replaced = find_variable(config.baseline.env, name) != nullptr &&
                          find_variable(config.candidate.env, name) != nullptr;
    if (!replaced) table.add_variable("env", name, value);
  }
  // Variables that no configuration states and the manifests hold nevertheless.
  const Environment stated = config.environment_of(Side::baseline);
  for (const auto& [name, value] : manifest_environment(config, Side::baseline)) {
    if (find_variable(stated, name) == nullptr) table.add_derived("env." + name, value);
  }
}

}  // namespace

std::vector<EffectiveValue> effective_values(const GateConfig& config) {
  Table table(config);
  add_gate(table, config);
  add_side(table, "baseline", config.baseline);
  add_side(table, "candidate", config.candidate);
  add_workload(table, config);
  add_cluster(table, config);
  add_environment(table, config);
  return table.take();
}

}  // namespace abgate::plan
