#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/plan/plan.hpp>

#include "differences.hpp"
#include "effective_values.hpp"
#include "layout.hpp"
#include "render_values.hpp"

namespace abgate::plan {
namespace {

constexpr int schema_version = 1;

std::string manifest_path(const PhasePlan& phase) {
  return phase.directory + "/manifest.json";
}

std::string heading(std::string_view title) {
  return fmt::format("\n{}\n", title);
}

/// What stands in a manifest at a place, for people.
std::string shown(const std::optional<Json>& value) {
  if (!value) return "(absent)";
  return value->is_string() ? value->as_string() : value->dump_line();
}

std::string sides_in_order(Order order) {
  std::vector<std::string> names;
  for (const Side side : sides_of(order))
    names.emplace_back(name(side));
  return text::join(names, ", then ");
}

std::string allowed_drops(const GateConfig& config) {
  std::vector<std::string> drops;
  for (const std::string& precision : config.workload.precisions) {
    const auto found = config.max_drop.find(precision);
    const double drop = found == config.max_drop.end() ? config.workload.max_drop : found->second;
    drops.push_back(fmt::format("{} {} %", precision, number::shortest(drop * 100)));
  }
  return text::join(drops, ", ");
}

std::string nodes_line(const GateConfig& config) {
  std::string line =
      fmt::format("{} with {} GPUs each", config.nodes, config.workload.gpus_per_node);
  if (!config.cluster.gpu.empty()) line += ", " + config.cluster.gpu;
  if (!config.nodelist.empty()) line += "; only " + config.nodelist;
  if (!config.exclude.empty()) line += "; never " + config.exclude;
  return line;
}

std::string render_head(const GateConfig& config) {
  const std::vector<std::vector<std::string>> rows = {
      {"Workload", config.workload.name},
      {"Cluster", config.cluster.name},
      {"Order", fmt::format("{}: {}", name(config.order), sides_in_order(config.order))},
      {"Nodes", nodes_line(config)},
      {"Scored", fmt::format("{} [{}]", config.workload.metric, config.workload.unit)},
      {"May drop", allowed_drops(config)},
  };
  return "abgate plan: nothing is taken, nothing is run\n\n" + table(rows, {10, 86}, "");
}

std::string render_phases(const GatePlan& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const PhasePlan& phase : plan.phases) {
    rows.push_back({std::to_string(phase.index), std::string(name(phase.side)),
                    manifest_path(phase), "sha256 " + phase.manifest_sha256.substr(0, 12)});
  }
  return heading("Phases") + table(rows, {3, 10, 50, 20}, "  ");
}

std::string render_differences(const GateConfig& config) {
  const std::vector<Difference> found =
      differences(make_manifest(config, Side::baseline), make_manifest(config, Side::candidate));
  if (found.empty()) return heading("The manifests of the two sides are equal.");
  std::string out = heading("The manifests of the two sides differ in");
  for (const Difference& difference : found) {
    out += table({{difference.pointer}}, {page_width - 2}, "  ");
    out += table(
        {{"baseline", shown(difference.baseline)}, {"candidate", shown(difference.candidate)}},
        {9, page_width - 17}, "    ");
  }
  return out;
}

std::string render_allocation(const GatePlan& plan) {
  const GateConfig& config = plan.config;
  if (config.launcher == Launcher::local) {
    return heading("Allocation: none, the phases run on this host");
  }
  if (config.use_allocation) {
    return heading("Allocation: none, the phases run inside the one that is there");
  }
  return heading("Allocation, one for all phases") + command(plan.salloc_argv, "  ");
}

std::string render_budgets(const GateConfig& config) {
  std::vector<std::vector<std::string>> rows = {
      {"run", duration::to_human(config.budgets.run), "from the grant to the end"},
      {"phase", duration::to_human(config.budgets.phase), "each"},
      {"progress", duration::to_human(config.budgets.progress), "without a new iteration"},
      {"engine", duration::to_human(config.workload.engine_timeout),
       "madengine's own timeout for a model"},
  };
  if (config.launcher == Launcher::slurm) {
    rows.insert(rows.begin(), {{"queue", duration::to_human(config.budgets.queue),
                                "from the request to the grant"}});
    rows.push_back(
        {"allocation", duration::to_human(config.workload.time_limit), "Slurm's own time limit"});
  }
  return heading("Budgets") + table(rows, {10, 30, 50}, "  ");
}

Json json_of(const PhasePlan& phase) {
  Json out = Json::object();
  out.set("index", phase.index);
  out.set("side", name(phase.side));
  out.set("directory", phase.directory);
  out.set("manifest_path", manifest_path(phase));
  out.set("manifest_sha256", phase.manifest_sha256);
  return out;
}

Json json_of(const Difference& difference) {
  Json out = Json::object();
  out.set("pointer", difference.pointer);
  out.set("baseline", difference.baseline.value_or(nullptr));
  out.set("candidate", difference.candidate.value_or(nullptr));
  return out;
}

Json json_of(const EffectiveValue& value) {
  Json out = Json::object();
  out.set("key", value.key);
  out.set("value", value.value);
  out.set("origin", value.origin);
  return out;
}

Json budgets_json(const GateConfig& config) {
  Json out = Json::object();
  out.set("queue_seconds", std::int64_t{config.budgets.queue.count()});
  out.set("run_seconds", std::int64_t{config.budgets.run.count()});
  out.set("phase_seconds", std::int64_t{config.budgets.phase.count()});
  out.set("progress_seconds", std::int64_t{config.budgets.progress.count()});
  out.set("engine_seconds", std::int64_t{config.workload.engine_timeout.count()});
  out.set("allocation_seconds", std::int64_t{config.workload.time_limit.count()});
  return out;
}

}  // namespace

std::string render_text(const GatePlan& plan) {
  return render_head(plan.config) + render_phases(plan) + render_differences(plan.config) +
         render_allocation(plan) + heading("Engine, in each phase's directory") +
         command(plan.engine_argv, "  ") + render_budgets(plan.config) + render_values(plan.config);
}

Json render_json(const GatePlan& plan, const Json& effective_config) {
  const GateConfig& config = plan.config;
  Json out = Json::object();
  out.set("schema_version", schema_version);
  out.set("order", name(config.order));
  Json& phases = out.set("phases", Json::array());
  for (const PhasePlan& phase : plan.phases) {
    Json entry = json_of(phase);
    const auto manifest = parse_json(phase.manifest, manifest_path(phase));
    entry.set("manifest", manifest ? *manifest : Json());
    phases.push_back(std::move(entry));
  }
  Json& found = out.set("differences", Json::array());
  for (const Difference& difference :
       differences(make_manifest(config, Side::baseline), make_manifest(config, Side::candidate)))
    found.push_back(json_of(difference));
  out.set("salloc_argv", Json::strings(plan.salloc_argv));
  out.set("engine_argv", Json::strings(plan.engine_argv));
  out.set("budgets", budgets_json(config));
  Json& values = out.set("values", Json::array());
  for (const EffectiveValue& value : effective_values(config))
    values.push_back(json_of(value));
  out.set("config", effective_config);
  return out;
}

}  // namespace abgate::plan
