#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/report/text.hpp>
#include <abgate/runner/disk_store.hpp>
#include <abgate/runner/foreign.hpp>

#include "commands.hpp"
#include "load.hpp"
#include "output.hpp"
#include "version.hpp"

namespace abgate::cli {
namespace {

bool all_directories(const std::vector<std::string>& paths, const char* option) {
  bool sound = true;
  for (const std::string& path : paths) {
    if (io::is_directory(path)) continue;
    print_err(fmt::format("{}: {} is no directory\n", option, text::printable(path)));
    sound = false;
  }
  return sound;
}

/// The orders of DESIGN 1 are the ones that can be scored.
bool known_counts(std::size_t baselines, std::size_t candidates) {
  const bool known = (candidates == 1 && (baselines == 1 || baselines == 2)) ||
                     (candidates == 2 && baselines == 2);
  if (!known) {
    print_err(
        fmt::format("{} baseline and {} candidate directories make no known order; give 1 "
                    "and 1 (ab), 2 and 1 (aba) or 2 and 2 (abba)\n",
                    baselines, candidates));
  }
  return known;
}

/// Without --cluster nothing is known of the place; what the directories say must be enough.
config::Parsed<Cluster> unknown_cluster() {
  config::Parsed<Cluster> parsed;
  parsed.value = Cluster{};
  parsed.value->name = "unknown";
  return parsed;
}

std::optional<GateConfig> resolve_score(const Arguments& arguments, const World& world,
                                        runner::ArtifactStore& store) {
  const auto workload = load_workload(arguments, world);
  const auto cluster =
      arguments.cluster.empty() ? std::optional(unknown_cluster()) : load_cluster(arguments, world);
  if (!workload || !cluster) return {};
  const auto baseline = runner::read_side(store, arguments.baseline.front());
  const auto candidate = runner::read_side(store, arguments.candidate.front());
  config::Options options = arguments.options;
  if (!options.nodes && baseline && baseline->nodes > 0) options.nodes = baseline->nodes;
  // Whether the sides differ is told by the directories, not by options.
  options.same_build = true;
  auto resolved = config::resolve(*workload, *cluster, options);
  print_diagnostics(resolved.diagnostics);
  if (!resolved.value) return {};
  resolved.value->same_build = arguments.options.same_build;
  if (baseline && candidate) {
    resolved.value->baseline = baseline->side;
    resolved.value->candidate = candidate->side;
  } else {
    // Half a comparison of environments would take what is not known for a difference.
    print_err(fmt::format(
        "{} has no manifest.json that can be read: what the sides were meant to "
        "be is not known\n",
        text::printable((baseline ? arguments.candidate : arguments.baseline).front())));
  }
  return std::move(resolved.value);
}

}  // namespace

int score_command(const Arguments& arguments, const World& world) {
  const bool baselines = all_directories(arguments.baseline, "--baseline");
  const bool candidates = all_directories(arguments.candidate, "--candidate");
  if (!baselines || !candidates) return exit_code::usage;
  if (!known_counts(arguments.baseline.size(), arguments.candidate.size())) {
    return exit_code::usage;
  }
  runner::DiskStore store;
  runner::SystemClock clock;
  auto config = resolve_score(arguments, world, store);
  if (!config) return exit_code::usage;

  runner::ForeignGate gate;
  for (const std::string& path : arguments.baseline)
    gate.baseline.push_back(io::absolute(path));
  for (const std::string& path : arguments.candidate)
    gate.candidate.push_back(io::absolute(path));
  gate.config = std::move(*config);
  gate.run_id = make_run_id(clock.now());
  gate.tool_version = version;
  const GateRecord record = runner::score_directories(gate, store, clock);
  const std::string rendered =
      arguments.format == "json" ? report::render_json(record) : report::render_text(record);
  if (!print_out(rendered)) {
    print_err(fmt::format("abgate: {} (exit code {}), the report could not be written\n",
                          title(record.verdict), record.exit_code));
    return record.exit_code == exit_code::pass ? exit_code::infra : record.exit_code;
  }
  return record.exit_code;
}

}  // namespace abgate::cli
