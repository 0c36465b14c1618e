#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/report/render.hpp>
#include <abgate/runner/disk_store.hpp>
#include <abgate/runner/foreign.hpp>
#include <abgate/runner/gate.hpp>
#include <abgate/runner/history_entry.hpp>
#include <abgate/runner/notify.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "load.hpp"
#include "notify_option.hpp"
#include "output.hpp"
#include "publish.hpp"
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

/// History and notification; false when the history could not be written, which has been said.
bool keep_and_tell(GateRecord& record, const Arguments& arguments, const World& world,
                   runner::ArtifactStore& store) {
  std::string kept;
  if (const auto& results = arguments.options.results_dir) {
    auto appended = runner::append_history(store, io::absolute(*results), record);
    if (!appended) {
      print_err("could not be saved: " + text::printable(appended.error()) + "\n");
      return false;
    }
    kept = std::move(*appended);
  }
  if (arguments.notify_command.empty()) return true;
  process::SignalGate signals;
  Console console(arguments.quiet, false);
  const std::string* temporary = find_variable(world.environment, "TMPDIR");
  const auto not_told = runner::notify_from_temporary(
      {notify_argv(arguments), "", ""}, record, world.environment,
      temporary != nullptr && !temporary->empty() ? *temporary : "/tmp", console, signals);
  if (!not_told) return true;
  record.reasons.push_back(*not_told);
  return kept.empty() || store.write(kept, report::render_json(record)).has_value();
}

/// gate.json and every report that a gate leaves; what could not be written has been said.
bool write_reports(const GateRecord& record, const std::string& folder,
                   runner::ArtifactStore& store) {
  bool whole = true;
  const auto keep = [&](const Status<std::string>& status) {
    if (status) return;
    print_err("could not be saved: " + text::printable(status.error()) + "\n");
    whole = false;
  };
  keep(store.make_directories(folder));
  keep(store.write(folder + "/" + runner::record_file, report::render_json(record)));
  for (const report::Format& format : report::formats()) {
    if (format.file.empty()) continue;
    keep(store.write(fmt::format("{}/{}", folder, format.file), format.render(record)));
  }
  return whole;
}

}  // namespace

int score_command(const Arguments& arguments, const World& world) {
  const bool baselines = all_directories(arguments.baseline, "--baseline");
  const bool candidates = all_directories(arguments.candidate, "--candidate");
  if (!baselines || !candidates) return exit_code::usage;
  if (!known_counts(arguments.baseline.size(), arguments.candidate.size())) {
    return exit_code::usage;
  }
  if (!notify_command_found(arguments, world)) return exit_code::usage;
  if (const auto& results = arguments.options.results_dir) {
    auto ready = io::make_directories(*results);
    if (ready) ready = io::probe_writable(*results);
    if (!ready) {
      print_err(text::printable(io::format(ready.error())) + "\n");
      return exit_code::infra;
    }
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
  gate.run_id = make_run_id(clock.now(), world.environment);
  gate.tool_version = version;
  GateRecord record = runner::score_directories(gate, store, clock);
  bool kept = keep_and_tell(record, arguments, world, store);
  const std::string rendered = report::find_format(arguments.format)->render(record);
  if (!arguments.out_dir.empty()) kept = write_reports(record, arguments.out_dir, store) && kept;
  // A job that reads JSON or XML from stdout wants nothing else there.
  const bool for_people = arguments.format == "text" || arguments.format == "markdown";
  const bool printed = for_people ? print_report(record, rendered, world) : print_out(rendered);
  publish_to_github(record,
                    arguments.out_dir.empty() ? "" : io::absolute(arguments.out_dir) + "/gate.json",
                    world);
  return printed && kept ? record.exit_code : say_unwritten(record);
}

}  // namespace abgate::cli
