#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/report/format.hpp>
#include <abgate/report/text.hpp>

#include "layout.hpp"

namespace abgate::report {
namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t deeper = 6;
constexpr std::string_view margin = "  ";

/// A titled part of the report; nothing when it has no lines.
std::string section(std::string_view title, const std::string& lines) {
  return lines.empty() ? "" : fmt::format("\n{}\n{}", title, lines);
}

std::string paragraph(std::string_view text) {
  return wrapped(margin, indent, text);
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// What the gate compared, as far as the record's configuration says.
std::string subject(const GateRecord& record) {
  std::vector<std::string> parts;
  const Json* workload = record.config.at({"workload", "name"});
  const Json* cluster = record.config.at({"cluster", "name"});
  const Json* nodes = record.config.find("nodes");
  if (workload != nullptr && workload->is_string()) {
    parts.push_back(workload->as_string());
    if (cluster != nullptr && cluster->is_string()) parts.back() += " on " + cluster->as_string();
  }
  if (nodes != nullptr && nodes->is_integer() && nodes->as_integer() > 0) {
    parts.push_back(plural(static_cast<std::size_t>(nodes->as_integer()), "node"));
  }
  parts.push_back(fmt::format("order {}", name(record.order)));
  return text::join(parts, ", ");
}

/// What a reader must not overlook: how the gate ended, when it did not end by itself, and an exit
/// code that is not the verdict's.
std::string alerts(const GateRecord& record) {
  std::string out;
  if (record.signal) {
    out += wrapped("", indent,
                   fmt::format("STOPPED by {}: nothing after step \"{}\" was done.",
                               signal_text(*record.signal), record.step));
  } else if (!record.finished) {
    out += wrapped("", indent,
                   fmt::format("UNFINISHED: the record ends at step \"{}\"; what follows was not "
                               "done, or was not recorded.",
                               record.step));
  }
  if (record.advisory && record.exit_code != code_of(record.verdict) && !record.signal) {
    out += wrapped("", indent,
                   fmt::format("ADVISORY: the exit code is {} only because the gate is advisory; "
                               "the verdict {} would give {}.",
                               record.exit_code, title(record.verdict), code_of(record.verdict)));
  }
  return out;
}

std::string heading(const GateRecord& record) {
  return fmt::format("{}  exit code {}\n", title(record.verdict), record.exit_code) +
         alerts(record) + wrapped("", indent, subject(record));
}

std::string leg_lines(const std::vector<LegResult>& legs) {
  std::vector<LegText> texts;
  std::size_t baseline_width = 0;
  std::size_t candidate_width = 0;
  for (const LegResult& leg : legs) {
    const LegText& shown = texts.emplace_back(leg_text(leg));
    baseline_width = std::max(baseline_width, shown.baseline.size());
    candidate_width = std::max(candidate_width, shown.candidate.size());
  }
  Table table(0);
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const LegText& shown = texts[i];
    std::vector<std::string> row{
        legs[i].precision,
        shown.ratio == "-" ? "ratio -" : fmt::format("ratio {} ({})", shown.ratio, shown.change),
        fmt::format("baseline {:>{}}", shown.baseline, baseline_width),
        fmt::format("candidate {:>{}} {}", shown.candidate, candidate_width, legs[i].unit),
        "limit " + shown.limit};
    if (legs[i].outcome != LegOutcome::pass) row.emplace_back(name(legs[i].outcome));
    table.add(std::move(row));
  }
  return table.render();
}

/// Where a reason applies, as far as its own sentence does not say it.
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

std::string evidence_lines(const std::vector<Location>& evidence) {
  constexpr std::size_t most = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(evidence.size(), most); ++i)
    out += wrapped("    at ", deeper + 1, format(evidence[i]));
  if (evidence.size() > most) {
    out += wrapped("    ", deeper, fmt::format("and {} more places", evidence.size() - most));
  }
  return out;
}

std::string reason_lines(const GateRecord& record, bool notes) {
  std::vector<Reason> reasons = record.reasons;
  sort_by_weight(reasons);
  std::string out;
  for (const Reason& reason : reasons) {
    if ((reason.weight == Weight::note) != notes) continue;
    out += wrapped("  * ", indent + 2,
                   fmt::format("{}{} [{}]", reason.message, scope(reason), reason.code));
    out += evidence_lines(reason.evidence);
  }
  return out;
}

std::string optional_text(const std::optional<double>& value, std::string (*show)(double)) {
  return value ? show(*value) : "-";
}

std::string measured_lines(const std::vector<LegResult>& legs) {
  using enum Table::Align;
  Table table(indent, {left, right, left, right, right, right, right, right, right, right, right});
  table.add({"leg", "phase", "side", "value", "harmonic", "median", "spread", "drift", "HBM GB",
             "loss", "iterations"});
  const auto percent = [](double fraction) { return percent_text(fraction, 2); };
  Table ratios(indent);
  bool any = false;
  for (const LegResult& leg : legs) {
    for (const PhaseValue& value : leg.phases) {
      any = true;
      table.add(
          {leg.precision, std::to_string(value.phase), std::string(name(value.side)),
           optional_text(value.value, value_text), optional_text(value.harmonic_mean, value_text),
           optional_text(value.median, value_text), optional_text(value.spread, percent),
           optional_text(value.drift, percent), optional_text(value.peak_hbm_gb, value_text),
           optional_text(value.last_loss, value_text), std::to_string(value.measured_iterations)});
    }
    if (leg.median_ratio || leg.harmonic_ratio) {
      const auto ratio = [](double value) { return fmt::format("{:.4f}", value); };
      ratios.add({leg.precision, "median ratio " + optional_text(leg.median_ratio, ratio),
                  "harmonic ratio " + optional_text(leg.harmonic_ratio, ratio)});
    }
  }
  return (any ? table.render() : "") + ratios.render();
}

std::string phase_lines(const std::vector<PhaseRecord>& phases) {
  Table table(indent);
  for (const PhaseRecord& phase : phases) {
    const std::string state = text::replace_all(phase.state, "_", " ");
    table.add({std::to_string(phase.index), std::string(name(phase.side)),
               instant_text(phase.start), duration_text(phase.start, phase.end),
               phase.exit ? end_text(*phase.exit) : state,
               phase.nodes.empty() ? "-" : text::join(phase.nodes, " ")});
  }
  return table.render();
}

/// A reason quotes this line of Slurm's already.
bool is_quoted(const std::string& message, const std::vector<Reason>& reasons) {
  return std::any_of(reasons.begin(), reasons.end(), [&](const Reason& reason) {
    return reason.message.find(message) != std::string::npos;
  });
}

std::string allocation_lines(const GateRecord& record) {
  const std::optional<AllocationRecord>& allocation = record.allocation;
  if (!allocation) return "";
  std::string what = allocation->job_id.empty() ? "no job" : "job " + allocation->job_id;
  if (allocation->nodes.empty()) {
    what += ", no nodes";
  } else {
    what += fmt::format(" on {}: {}", plural(allocation->nodes.size(), "node"),
                        text::join(allocation->nodes, " "));
  }
  std::string out = paragraph(what);
  if (allocation->granted) {
    out +=
        paragraph(fmt::format("granted {} (waited {}), held {}", instant_text(allocation->granted),
                              duration_text(allocation->submitted, allocation->granted),
                              duration_text(allocation->granted, allocation->ended)));
  } else if (!allocation->foreign) {
    out += paragraph("never granted");
  }
  if (allocation->foreign) out += paragraph("not ours (--use-allocation): it was left alone");
  for (const std::string& message : allocation->messages) {
    if (!is_quoted(message, record.reasons)) out += wrapped("  | ", indent + 2, message);
  }
  if (!allocation->scrubbed.empty()) {
    out += paragraph("inherited variables that were removed: " +
                     text::join(allocation->scrubbed, " "));
  }
  return out;
}

std::string evidence_section(const GateRecord& record) {
  Table table(indent);
  for (const PhaseRecord& phase : record.phases) {
    table.add({fmt::format("{} {}", phase.index, name(phase.side)),
               fmt::format("{}{}", phase.directory.empty() ? "-" : phase.directory,
                           phase.proof.empty() ? "" : fmt::format("  ({})", phase.proof))});
  }
  if (!record.legs.empty()) {
    table.add({"metric", fmt::format("{} from {}", record.legs.front().metric,
                                     record.source ? name(*record.source) : "no source")});
  }
  table.add({"run", fmt::format("{} ({}), abgate {}", record.run_id, record.command,
                                record.tool_version)});
  if (record.started)
    table.add({"time", fmt::format("{}, took {}", instant_text(record.started),
                                   duration_text(record.started, record.finished))});
  return table.render();
}

}  // namespace

std::string render_text(const GateRecord& record) {
  const std::string legs = leg_lines(record.legs);
  return heading(record) + (legs.empty() ? "" : "\n" + legs) +
         section("Reasons", reason_lines(record, false)) +
         section("Measured", measured_lines(record.legs)) +
         section("Phases", phase_lines(record.phases)) +
         section("Allocation", allocation_lines(record)) +
         section("Evidence", evidence_section(record)) +
         section("Notes", reason_lines(record, true));
}

}  // namespace abgate::report
