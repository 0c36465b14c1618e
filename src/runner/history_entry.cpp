#include "history_entry.hpp"

#include <abgate/report/record_json.hpp>

namespace abgate::runner {
namespace {

Json history_line(const GateRecord& record) {
  const auto text = [&](std::initializer_list<std::string_view> path) {
    const Json* value = record.config.at(path);
    return value != nullptr && value->is_string() ? Json(value->as_string()) : Json();
  };
  Json line = Json::object();
  line.set("schema_version", 1);
  line.set("run_id", record.run_id);
  line.set("started", record.started ? Json(time::to_rfc3339(*record.started)) : Json());
  line.set("workload", text({"workload", "name"}));
  line.set("cluster", text({"cluster", "name"}));
  line.set("verdict", name(record.verdict));
  line.set("exit_code", record.exit_code);
  line.set("nodes", record.allocation ? Json::strings(record.allocation->nodes) : Json::array());
  Json legs = Json::array();
  for (const LegResult& leg : record.legs) {
    Json entry = Json::object();
    entry.set("precision", leg.precision);
    entry.set("metric", leg.metric);
    entry.set("baseline", leg.baseline ? Json(*leg.baseline) : Json());
    entry.set("candidate", leg.candidate ? Json(*leg.candidate) : Json());
    entry.set("ratio", leg.ratio ? Json(*leg.ratio) : Json());
    entry.set("outcome", name(leg.outcome));
    legs.push_back(std::move(entry));
  }
  line.set("legs", std::move(legs));
  return line;
}

}  // namespace

Status<std::string> append_history(ArtifactStore& store, const std::string& results_dir,
                                   const GateRecord& record) {
  const std::string folder = results_dir + "/runs/" + record.run_id;
  if (auto made = store.make_directories(folder); !made) return made;
  if (auto written = store.write(folder + "/gate.json", report::render_json(record)); !written) {
    return written;
  }
  return store.append_line(results_dir + "/history.jsonl", history_line(record).dump_line());
}

}  // namespace abgate::runner
