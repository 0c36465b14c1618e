#include "view.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/report/format.hpp>
#include <abgate/report/repeat.hpp>

#include "layout.hpp"

namespace abgate::report {
namespace {

std::string optional_text(const std::optional<double>& value, std::string (*show)(double)) {
  return value ? show(*value) : "-";
}

/// A reason quotes this line of Slurm's already.
bool is_quoted(const std::string& message, const std::vector<Reason>& reasons) {
  return std::any_of(reasons.begin(), reasons.end(), [&](const Reason& reason) {
    return reason.message.find(message) != std::string::npos;
  });
}

}  // namespace

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string config_text(const GateRecord& record, std::initializer_list<std::string_view> path) {
  const Json* value = record.config.at(path);
  return value != nullptr ? value->as_string() : "";
}

std::string subject(const GateRecord& record) {
  std::vector<std::string> parts;
  const std::string workload = config_text(record, {"workload", "name"});
  const std::string cluster = config_text(record, {"cluster", "name"});
  const Json* nodes = record.config.find("nodes");
  if (!workload.empty()) {
    parts.push_back(workload + (cluster.empty() ? "" : " on " + cluster));
  }
  if (nodes != nullptr && nodes->as_integer() > 0) {
    parts.push_back(plural(static_cast<std::size_t>(nodes->as_integer()), "node"));
  }
  parts.push_back(fmt::format("order {}", name(record.order)));
  return text::join(parts, ", ");
}

std::vector<std::string> alerts(const GateRecord& record) {
  std::vector<std::string> out;
  if (record.signal) {
    out.push_back(fmt::format("STOPPED by {}: nothing after step \"{}\" was done.",
                              signal_text(*record.signal), record.step));
  } else if (!record.finished) {
    out.push_back(
        fmt::format("UNFINISHED: the record ends at step \"{}\"; what follows was not "
                    "done, or was not recorded.",
                    record.step));
  }
  if (record.advisory && record.exit_code != code_of(record.verdict) && !record.signal) {
    out.push_back(
        fmt::format("ADVISORY: the exit code is {} only because the gate is advisory; "
                    "the verdict {} would give {}.",
                    record.exit_code, title(record.verdict), code_of(record.verdict)));
  }
  return out;
}

std::string scope(const Reason& reason) {
  std::vector<std::string> parts;
  if (reason.side) parts.emplace_back(name(*reason.side));
  if (reason.phase) parts.push_back(fmt::format("phase {}", *reason.phase));
  if (!reason.precision.empty()) parts.push_back(reason.precision);
  if (!reason.node.empty()) parts.push_back("node " + reason.node);
  const std::string said = text::to_lower(reason.message);
  std::erase_if(parts, [&](const std::string& part) {
    return said.find(text::to_lower(part)) != std::string::npos;
  });
  return parts.empty() ? "" : fmt::format(" ({})", text::join(parts, ", "));
}

std::vector<Reason> reasons_of(const GateRecord& record, bool notes) {
  std::vector<Reason> reasons = record.reasons;
  sort_by_weight(reasons);
  std::erase_if(reasons,
                [&](const Reason& reason) { return (reason.weight == Weight::note) != notes; });
  return reasons;
}

std::vector<std::string> allocation_sentences(const AllocationRecord& allocation) {
  std::vector<std::string> out;
  std::string what = allocation.job_id.empty() ? "no job" : "job " + allocation.job_id;
  if (allocation.nodes.empty()) {
    what += ", no nodes";
  } else {
    what += fmt::format(" on {}: {}", plural(allocation.nodes.size(), "node"),
                        text::join(allocation.nodes, " "));
  }
  out.push_back(what);
  if (allocation.granted) {
    out.push_back(fmt::format("granted {} (waited {}), held {}", instant_text(allocation.granted),
                              duration_text(allocation.submitted, allocation.granted),
                              duration_text(allocation.granted, allocation.ended)));
  } else if (!allocation.foreign) {
    out.emplace_back("never granted");
  }
  if (allocation.foreign) out.emplace_back("not ours (--use-allocation): it was left alone");
  return out;
}

std::vector<std::string> unquoted_messages(const GateRecord& record) {
  std::vector<std::string> out;
  if (!record.allocation) return out;
  for (const std::string& message : record.allocation->messages) {
    if (!is_quoted(message, record.reasons)) out.push_back(message);
  }
  return out;
}

std::string end_of(const PhaseRecord& phase) {
  return phase.exit ? end_text(*phase.exit) : text::replace_all(phase.state, "_", " ");
}

std::string repeat_lines(const GateRecord& record, std::size_t indent) {
  constexpr std::size_t longest = 32'000;
  const std::vector<std::string> argv = repeat_argv(record);
  std::size_t bytes = 0;
  for (const std::string& argument : argv)
    bytes += argument.size();
  if (bytes <= longest) return command_lines(indent, argv);
  return std::string(indent, ' ') + "# too long for a page: config in gate.json says what ran\n";
}

std::vector<std::vector<std::string>> provenance_rows(const GateRecord& record) {
  std::vector<std::vector<std::string>> rows;
  for (const PhaseRecord& phase : record.phases) {
    rows.push_back({fmt::format("{} {}", phase.index, name(phase.side)),
                    fmt::format("{}{}", phase.directory.empty() ? "-" : phase.directory,
                                phase.proof.empty() ? "" : fmt::format("  ({})", phase.proof))});
  }
  if (!record.legs.empty()) {
    rows.push_back({"metric", fmt::format("{} from {}", record.legs.front().metric,
                                          record.source ? name(*record.source) : "no source")});
  }
  rows.push_back({"run", fmt::format("{} ({}), abgate {}", record.run_id, record.command,
                                     record.tool_version)});
  if (record.started) {
    rows.push_back({"time", fmt::format("{}, took {}", instant_text(record.started),
                                        duration_text(record.started, record.finished))});
  }
  return rows;
}

std::string path_in_work_dir(const GateRecord& record, const Location& place) {
  if (place.file.empty()) return "";
  for (const PhaseRecord& phase : record.phases) {
    const std::size_t slash = phase.directory.find_last_of('/');
    if (phase.directory.starts_with('/') || slash == std::string::npos) continue;
    if (place.file.starts_with(phase.directory.substr(slash + 1) + "/")) {
      return phase.directory.substr(0, slash + 1) + place.file;
    }
  }
  return "";
}

const std::vector<std::string>& measured_heads() {
  static const std::vector<std::string> heads{"phase",  "side",      "value", "harmonic",
                                              "median", "spread",    "drift", "HBM GB",
                                              "loss",   "iterations"};
  return heads;
}

std::vector<std::string> measured_cells(const PhaseValue& value) {
  const auto percent = [](double fraction) { return percent_text(fraction, 2); };
  return {std::to_string(value.phase),
          std::string(name(value.side)),
          optional_text(value.value, value_text),
          optional_text(value.harmonic_mean, value_text),
          optional_text(value.median, value_text),
          optional_text(value.spread, percent),
          optional_text(value.drift, percent),
          optional_text(value.peak_hbm_gb, value_text),
          optional_text(value.last_loss, value_text),
          std::to_string(value.measured_iterations)};
}

}  // namespace abgate::report
