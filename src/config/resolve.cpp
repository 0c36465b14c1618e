#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/config/resolve.hpp>

#include "merge.hpp"
#include "rules.hpp"

namespace abgate::config {
namespace {

/// Takes over a file's values and where they stood.
template <class T>
void take_file(Merge& merge, const Parsed<T>& parsed, T& target, const std::string& prefix) {
  append(merge.diagnostics, parsed.diagnostics);
  if (!parsed.value) return;
  target = *parsed.value;
  for (const Field<T>& field : fields_of<T>()) {
    if (field.key != "env") merge.origin(fmt::format("{}.{}", prefix, field.key), "default");
  }
  for (const auto& [key, place] : parsed.origins) {
    // A variable's origin is that of the file that wins.
    if (key == "env") continue;
    merge.origin(key.starts_with("env.") ? key : fmt::format("{}.{}", prefix, key), place);
  }
}

/// DESIGN 4: a workload's own value wins for the socket interface names too, and madengine's
/// `network_interface` must be the same (FORMATS 1).
void settle_interface(Merge& merge) {
  constexpr std::string_view nccl = "NCCL_SOCKET_IFNAME";
  Cluster& cluster = merge.gate.cluster;
  if (const std::string* own = find_variable(merge.gate.workload.env, nccl)) {
    cluster.network_interface = *own;
    merge.origin("cluster.network_interface", merge.origin_of(fmt::format("env.{}", nccl)));
  }
  if (cluster.network_interface.empty()) return;
  for (const std::string_view name : {nccl, std::string_view("GLOO_SOCKET_IFNAME")}) {
    if (find_variable(cluster.env, name) != nullptr ||
        find_variable(merge.gate.workload.env, name) != nullptr) {
      continue;
    }
    set_variable(cluster.env, std::string(name), cluster.network_interface);
    merge.origin(fmt::format("env.{}", name), merge.origin_of("cluster.network_interface"));
  }
}

struct DropOption {
  std::string precision;  ///< empty: all
  double value = 0;
};

std::optional<DropOption> read_drop(Merge& merge, const std::string& text) {
  constexpr std::string_view option = "--max-drop";
  const std::size_t equals = text.find('=');
  const std::string number = equals == std::string::npos ? text : text.substr(equals + 1);
  const std::string precision = equals == std::string::npos ? "" : text.substr(0, equals);
  const auto value = number::parse_finite(number);
  if (!value || *value <= 0 || *value >= largest_drop) {
    merge.error(option, fmt::format("\"{}\" is no usable limit", text::printable(number)),
                "give more than 0 and less than 0.5, as 0.02 or BF16=0.02 for 2 %");
    return {};
  }
  const std::vector<std::string>& known = merge.gate.workload.precisions;
  if (equals != std::string::npos && merge.has_workload &&
      std::find(known.begin(), known.end(), precision) == known.end()) {
    merge.error(option,
                fmt::format("\"{}\" is none of the workload's precisions{}",
                            text::printable(precision), text::did_you_mean(precision, known)),
                "give one of " + text::join(known, ", "));
    return {};
  }
  return DropOption{precision, *value};
}

/// A precision's own option wins over the general one, wherever it stands.
void merge_max_drop(Merge& merge) {
  const auto set = [&](const std::string& precision, double value, std::string_view origin) {
    merge.gate.max_drop[precision] = value;
    merge.origin("max_drop." + precision, origin);
  };
  const Workload& workload = merge.gate.workload;
  for (const std::string& precision : workload.precisions)
    set(precision, workload.max_drop, merge.origin_of("workload.max_drop"));
  std::vector<DropOption> drops;
  for (const std::string& text : merge.options.max_drop) {
    if (auto drop = read_drop(merge, text)) drops.push_back(std::move(*drop));
  }
  for (const DropOption& drop : drops) {
    if (!drop.precision.empty()) continue;
    for (const std::string& precision : workload.precisions)
      set(precision, drop.value, "--max-drop");
  }
  for (const DropOption& drop : drops) {
    if (!drop.precision.empty()) set(drop.precision, drop.value, "--max-drop");
  }
}

/// An option that names one of a few values.
template <class T>
void take_choice(Merge& merge, const std::optional<std::string>& text, std::string_view option,
                 const std::string& key, const std::vector<std::string>& allowed,
                 std::optional<T> (*parse)(std::string_view), T& target) {
  if (!text) return;
  const auto value = parse(*text);
  if (!value) {
    return merge.error(option,
                       fmt::format("\"{}\" is not known{}", text::printable(*text),
                                   text::did_you_mean(*text, allowed)),
                       "give one of " + text::join(allowed, ", "));
  }
  target = *value;
  merge.origin(key, option);
}

void take_flag(Merge& merge, bool given, std::string_view option, const std::string& key,
               bool& target) {
  if (!given && merge.gate.origins.contains(key)) return;  // the file says it
  target = target || given;
  merge.origin(key, given ? option : "default");
}

void merge_paths(Merge& merge) {
  const Options& o = merge.options;
  GateConfig& gate = merge.gate;
  const auto path = [&](const std::optional<std::string>& given, std::string_view option,
                        const std::string& key, const std::string& fallback,
                        const std::string& fallback_origin, std::string& target) {
    target = fallback;
    merge.origin(key, fallback_origin);
    merge.take(given, option, shapes::free_text, key, target);
  };
  const bool own_engine = gate.cluster.engine.empty();
  path(o.engine, "--engine", "engine", own_engine ? "madengine" : gate.cluster.engine,
       own_engine ? "default" : merge.origin_of("cluster.engine"), gate.engine);
  path(o.scripts_dir, "--scripts", "scripts_dir", gate.cluster.scripts_dir,
       merge.origin_of("cluster.scripts_dir"), gate.scripts_dir);
  path(o.results_dir, "--results-dir", "results_dir", gate.cluster.results_dir,
       merge.origin_of("cluster.results_dir"), gate.results_dir);
  path(o.work_dir, "--work-dir", "work_dir", "", "default", gate.work_dir);
}

void merge_selectors(Merge& merge) {
  const Options& o = merge.options;
  Cluster& c = merge.gate.cluster;
  merge.take(o.partition, "--partition", shapes::selector, "cluster.partition", c.partition);
  merge.take(o.qos, "--qos", shapes::selector, "cluster.qos", c.qos);
  merge.take(o.account, "--account", shapes::selector, "cluster.account", c.account);
  merge.take(o.reservation, "--reservation", shapes::selector, "cluster.reservation",
             c.reservation);
  for (const std::string& argument : o.salloc_args) {
    if (auto problem = not_free(argument)) {
      merge.error("--salloc-arg", std::move(problem->message), std::move(problem->hint));
    } else {
      c.extra_salloc_args.push_back(argument);
      merge.origin("cluster.extra_salloc_args", "--salloc-arg");
    }
  }
  merge.take(o.exclude, "--exclude", shapes::hosts, "cluster.exclude", c.exclude);
  merge.gate.exclude = c.exclude;
  merge.origin("exclude", merge.origin_of("cluster.exclude"));
  merge.origin("nodelist", "default");
  merge.take(o.nodelist, "--nodelist", shapes::hosts, "nodelist", merge.gate.nodelist);
}

void merge_modes(Merge& merge) {
  const Options& o = merge.options;
  GateConfig& gate = merge.gate;
  merge.origin("order", "default");
  take_choice(merge, o.order, "--order", "order", {"ab", "ba", "aba", "abba"}, parse_order,
              gate.order);
  take_choice(merge, o.launcher, "--launcher", "cluster.launcher", {"slurm", "local"},
              parse_launcher, gate.cluster.launcher);
  gate.launcher = gate.cluster.launcher;
  merge.origin("launcher", merge.origin_of("cluster.launcher"));
  take_flag(merge, o.use_allocation, "--use-allocation", "use_allocation", gate.use_allocation);
  take_flag(merge, o.advisory, "--advisory", "advisory", gate.advisory);
  take_flag(merge, o.allow_log_metric, "--allow-log-metric", "allow_log_metric",
            gate.allow_log_metric);
  take_flag(merge, o.keep_raw_logs, "--keep-raw-logs", "keep_raw_logs", gate.keep_raw_logs);
  merge.origin("max_log_size", o.max_log_size ? "--max-log-size" : "default");
  gate.max_log_size = o.max_log_size.value_or(0);
  take_flag(merge, o.accept_engine_exit, "--accept-engine-exit", "workload.accept_engine_exit",
            gate.workload.accept_engine_exit);
}

}  // namespace

Resolved resolve(const Parsed<Workload>& workload, const Parsed<Cluster>& cluster,
                 const Options& options) {
  Merge merge{options, {}, {}, workload.value.has_value(), cluster.value.has_value()};
  // Cluster first: where both set a variable, the workload's origin replaces the cluster's.
  take_file(merge, cluster, merge.gate.cluster, "cluster");
  take_file(merge, workload, merge.gate.workload, "workload");
  settle_interface(merge);
  merge_modes(merge);
  merge_selectors(merge);
  merge_paths(merge);
  merge_max_drop(merge);
  merge_sides(merge);
  merge_nodes(merge);
  merge_budgets(merge);
  Resolved out{{}, std::move(merge.diagnostics)};
  if (merge.has_workload && merge.has_cluster && !has_errors(out.diagnostics)) {
    out.value = std::move(merge.gate);
  }
  return out;
}

Json to_json(const GateConfig& config) {
  return write_object(config);
}

Result<GateConfig, Diagnostics> from_json(const Json& json, const std::string& file) {
  Diagnostics diagnostics;
  GateConfig config;
  ObjectReader reader(json, file, "", diagnostics);
  if (reader.usable()) {
    Origins ignored;  // the record carries the origins of the files that it was made from
    read_fields(reader, config, diagnostics, ignored);
    reader.finish();
  }
  if (has_errors(diagnostics)) return Unexpected{std::move(diagnostics)};
  return config;
}

}  // namespace abgate::config
