#include <algorithm>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/report/repeat.hpp>

#include "view.hpp"

namespace abgate::report {
namespace {

using Argv = std::vector<std::string>;

/// The configuration file of an origin `path:line:column`; empty when it is none.
std::string file_of(const GateRecord& record, std::string_view key) {
  std::string origin = config_text(record, {"origins", key});
  for (int part = 0; part < 2; ++part) {
    const std::size_t colon = origin.find_last_of(':');
    if (colon == std::string::npos || !number::parse_integer(origin.substr(colon + 1))) return "";
    origin.resize(colon);
  }
  return origin;
}

/// A file where it is known, as a name may mean another one elsewhere.
void add_config(Argv& argv, const GateRecord& record, const std::string& kind) {
  std::string value = file_of(record, kind + ".name");
  if (value.empty()) value = config_text(record, {kind, "name"});
  if (value.empty() || value == "unknown") return;
  argv.insert(argv.end(), {"--" + kind, value});
}

void add_flag(Argv& argv, bool given, const char* option) {
  if (given) argv.emplace_back(option);
}

bool config_flag(const GateRecord& record, std::initializer_list<std::string_view> path) {
  const Json* value = record.config.at(path);
  return value != nullptr && value->as_boolean();
}

void add_limits(Argv& argv, const GateRecord& record) {
  const Json* drops = record.config.find("max_drop");
  if (drops == nullptr) return;
  for (const Json::Member& drop : drops->members()) {
    if (!drop.value.is_numeric()) continue;
    argv.insert(argv.end(),
                {"--max-drop", drop.key + "=" + number::shortest(drop.value.as_number())});
  }
}

bool validated(const GateRecord& record, std::int64_t nodes) {
  const Json* counts = record.config.at({"workload", "validated_nodes"});
  if (counts == nullptr) return true;
  return std::any_of(counts->items().begin(), counts->items().end(),
                     [&](const Json& count) { return count.as_integer() == nodes; });
}

void add_nodes(Argv& argv, const GateRecord& record) {
  const Json* nodes = record.config.find("nodes");
  if (nodes == nullptr || !nodes->is_integer()) return;
  argv.insert(argv.end(), {"--nodes", std::to_string(nodes->as_integer())});
  add_flag(argv, !validated(record, nodes->as_integer()), "--allow-unvalidated-nodes");
}

Argv score_argv(const GateRecord& record) {
  Argv argv{"abgate", "score"};
  add_config(argv, record, "workload");
  add_config(argv, record, "cluster");
  add_nodes(argv, record);
  add_limits(argv, record);
  if (const std::string rccl = config_text(record, {"candidate_rccl"}); !rccl.empty()) {
    argv.insert(argv.end(), {"--candidate-rccl", rccl});
  }
  add_flag(argv, config_flag(record, {"same_build"}), "--same-build");
  add_flag(argv, config_flag(record, {"allow_log_metric"}), "--allow-log-metric");
  add_flag(argv, config_flag(record, {"workload", "accept_engine_exit"}), "--accept-engine-exit");
  add_flag(argv, record.advisory, "--advisory");
  for (const Side side : {Side::baseline, Side::candidate}) {
    for (const PhaseRecord& phase : record.phases) {
      if (phase.side != side) continue;
      argv.insert(argv.end(), {"--" + std::string(name(side)), phase.directory});
    }
  }
  return argv;
}

}  // namespace

std::vector<std::string> nodes_of(const GateRecord& record) {
  std::vector<std::string> nodes;
  if (record.allocation) nodes = record.allocation->nodes;
  for (const PhaseRecord& phase : record.phases) {
    if (nodes.empty()) nodes = phase.nodes;
  }
  return nodes;
}

std::vector<std::string> repeat_argv(const GateRecord& record) {
  if (record.command == "score") return score_argv(record);
  const std::string work_dir = config_text(record, {"work_dir"});
  Argv argv{"abgate", "run", "--from", work_dir.empty() ? "gate.json" : work_dir + "/gate.json"};
  const bool local = config_text(record, {"launcher"}) == "local";
  const bool inside = config_flag(record, {"use_allocation"});
  if (const Argv nodes = nodes_of(record); !nodes.empty() && !local && !inside) {
    argv.insert(argv.end(), {"--nodelist", text::join(nodes, ",")});
  }
  return argv;
}

}  // namespace abgate::report
