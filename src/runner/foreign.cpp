#include <algorithm>

#include <abgate/config/resolve.hpp>
#include <abgate/runner/foreign.hpp>
#include <abgate/runner/score.hpp>

namespace abgate::runner {
namespace {

Environment strings_of(const Json* object) {
  Environment out;
  if (object == nullptr) return out;
  for (const Json::Member& member : object->members()) {
    if (member.value.is_string()) out.emplace_back(member.key, member.value.as_string());
  }
  return out;
}

std::vector<Mount> mounts_of(const Json* object) {
  std::vector<Mount> out;
  for (const auto& [container, host] : strings_of(object)) {
    constexpr std::string_view read_only = ":ro";
    const bool ro = container.ends_with(read_only);
    out.push_back(
        {ro ? container.substr(0, container.size() - read_only.size()) : container, host, ro});
  }
  return out;
}

struct Directory {
  std::string path;
  Side side = Side::baseline;
  PhaseEvidence evidence;
};

/// In the order in which they ran where the proofs tell it, else baselines first.
std::vector<Directory> in_running_order(std::vector<Directory> directories) {
  std::vector<std::pair<int, std::size_t>> order;
  for (std::size_t i = 0; i < directories.size(); ++i) {
    const auto& proof = directories[i].evidence.proof;
    order.emplace_back(proof ? proof->index : 0, i);
  }
  const bool told =
      std::all_of(order.begin(), order.end(), [](const auto& entry) { return entry.first > 0; });
  if (told) std::sort(order.begin(), order.end());
  std::vector<Directory> sorted;
  for (const auto& [index, place] : order) {
    sorted.push_back(std::move(directories[place]));
    sorted.back().evidence.index = static_cast<int>(sorted.size());
  }
  return sorted;
}

PhaseRecord phase_record(const Directory& directory) {
  PhaseRecord entry;
  entry.index = directory.evidence.index;
  entry.side = directory.side;
  entry.state = "done";
  entry.directory = directory.path;
  entry.proof = "no phase proof";
  if (const auto& proof = directory.evidence.proof) {
    entry.proof = "phase.json";
    entry.start = proof->started;
    entry.end = proof->ended;
    entry.exit = proof->end;
    entry.nodes = proof->nodes;
    entry.manifest_sha256 = proof->manifest_sha256;
    entry.nodes_before = proof->before;
    entry.nodes_after = proof->after;
  } else {
    if (directory.evidence.engine_exit) {
      entry.exit = ProcessEnd{"exited", *directory.evidence.engine_exit, ""};
    }
    for (const NodeTrace& node : directory.evidence.nodes) {
      if (!node.host.empty()) entry.nodes.push_back(node.host);
    }
  }
  return entry;
}

}  // namespace

std::optional<ForeignSide> read_side(ArtifactStore& store, const std::string& directory) {
  const auto text = store.read(directory + "/manifest.json");
  if (!text) return {};
  const auto manifest = parse_json(*text, directory + "/manifest.json", {.duplicates = true});
  if (!manifest) return {};
  const Json* images = manifest->find("built_images");
  if (images == nullptr || images->members().empty()) return {};
  ForeignSide out;
  out.side.image = images->members().front().key;
  out.side.env = strings_of(manifest->at({"context", "docker_env_vars"}));
  out.side.library_mounts = mounts_of(manifest->at({"context", "docker_mounts"}));
  if (const Json* nodes = manifest->at({"deployment_config", "slurm", "nodes"})) {
    out.nodes = nodes->as_integer();
  }
  return out;
}

GateRecord score_directories(const ForeignGate& gate, ArtifactStore& store, WallClock& clock) {
  std::vector<Directory> directories;
  const auto add = [&](const std::vector<std::string>& paths, Side side) {
    for (const std::string& path : paths) {
      directories.push_back({path, side, gather(store, path, 0, side, gate.config.workload)});
    }
  };
  add(gate.baseline, Side::baseline);
  add(gate.candidate, Side::candidate);
  directories = in_running_order(std::move(directories));

  GateRecord record;
  record.run_id = gate.run_id;
  record.command = "score";
  record.tool_version = gate.tool_version;
  record.step = "finished";
  record.started = clock.now();
  record.advisory = gate.config.advisory;
  GateConfig config = gate.config;
  for (const Order order : {Order::ab, Order::ba, Order::aba, Order::abba}) {
    const auto sides = sides_of(order);
    if (sides.size() != directories.size()) continue;
    if (std::equal(sides.begin(), sides.end(), directories.begin(),
                   [](Side side, const Directory& d) { return side == d.side; })) {
      config.order = order;
    }
  }
  record.order = config.order;
  record.config = config::to_json(config);
  std::vector<PhaseEvidence> evidence;
  for (Directory& directory : directories) {
    record.phases.push_back(phase_record(directory));
    evidence.push_back(std::move(directory.evidence));
  }
  score_into(record, config, evidence, compare::Context{}, {});
  record.finished = clock.now();
  record.exit_code = exit_code_of(record);
  return record;
}

}  // namespace abgate::runner
