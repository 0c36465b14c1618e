#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/report/format.hpp>
#include <abgate/report/text.hpp>

#include "escape.hpp"
#include "layout.hpp"
#include "view.hpp"

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

std::string alert_lines(const GateRecord& record) {
  std::string out;
  for (const std::string& alert : alerts(record))
    out += wrapped("", indent, alert);
  return out;
}

std::string heading(const GateRecord& record) {
  return fmt::format("{}  exit code {}\n", title(record.verdict), record.exit_code) +
         alert_lines(record) + wrapped("", indent, subject(record));
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
  std::string out;
  for (const Reason& reason : reasons_of(record, notes)) {
    out += wrapped("  * ", indent + 2,
                   fmt::format("{}{} [{}]", shortened(reason.message), shortened(scope(reason)),
                               shortened(reason.code)));
    out += evidence_lines(reason.evidence);
  }
  return out;
}

std::vector<std::string> with_first(std::string first, std::vector<std::string> cells) {
  cells.insert(cells.begin(), std::move(first));
  return cells;
}

std::string measured_lines(const std::vector<LegResult>& legs) {
  using enum Table::Align;
  Table table(indent, {left, right, left, right, right, right, right, right, right, right, right});
  table.add(with_first("leg", measured_heads()));
  Table ratios(indent);
  bool any = false;
  for (const LegResult& leg : legs) {
    for (const PhaseValue& value : leg.phases) {
      any = true;
      table.add(with_first(leg.precision, measured_cells(value)));
    }
    if (leg.median_ratio || leg.harmonic_ratio) {
      ratios.add({leg.precision, "median ratio " + ratio_text(leg.median_ratio),
                  "harmonic ratio " + ratio_text(leg.harmonic_ratio)});
    }
  }
  return (any ? table.render() : "") + ratios.render();
}

std::string phase_lines(const std::vector<PhaseRecord>& phases) {
  Table table(indent);
  for (const PhaseRecord& phase : phases) {
    table.add({std::to_string(phase.index), std::string(name(phase.side)),
               instant_text(phase.start), duration_text(phase.start, phase.end), end_of(phase),
               phase.nodes.empty() ? "-" : text::join(phase.nodes, " ")});
  }
  return table.render();
}

std::string megabytes(std::int64_t bytes) {
  constexpr double mega = 1e6;
  return number::fixed(static_cast<double>(bytes) / mega, 1);
}

/// What became of the logs, where there was anything to do.
std::string log_lines(const std::vector<PhaseRecord>& phases) {
  std::string out;
  for (const PhaseRecord& phase : phases) {
    if (!phase.logs) continue;
    const LogSpace& logs = *phase.logs;
    if (logs.bytes_before != logs.bytes_after) {
      std::string line =
          fmt::format("phase {}: {} -> {} MB, {} lines folded", phase.index,
                      megabytes(logs.bytes_before), megabytes(logs.bytes_after), logs.lines_folded);
      if (!logs.copies.empty()) line += fmt::format(", copies kept once: {}", logs.copies.size());
      if (!logs.removed.empty()) line += fmt::format(", copies removed: {}", logs.removed.size());
      out += paragraph(line);
    }
    for (const std::string& problem : logs.problems)
      out += paragraph(fmt::format("phase {}: {}", phase.index, problem));
  }
  return out;
}

std::string allocation_lines(const GateRecord& record) {
  const std::optional<AllocationRecord>& allocation = record.allocation;
  if (!allocation) return "";
  std::string out;
  for (const std::string& sentence : allocation_sentences(*allocation))
    out += paragraph(sentence);
  for (const std::string& message : unquoted_messages(record))
    out += wrapped("  | ", indent + 2, shortened(message));
  if (!allocation->scrubbed.empty()) {
    out += paragraph("inherited variables that were removed: " +
                     text::join(allocation->scrubbed, " "));
  }
  return out;
}

std::string evidence_section(const GateRecord& record) {
  Table table(indent);
  for (std::vector<std::string>& row : provenance_rows(record))
    table.add(std::move(row));
  return table.render();
}

}  // namespace

std::string render_text(const GateRecord& record) {
  const std::string legs = leg_lines(record.legs);
  return heading(record) + (legs.empty() ? "" : "\n" + legs) +
         section("Reasons", reason_lines(record, false)) +
         section("Measured", measured_lines(record.legs)) +
         section("Phases", phase_lines(record.phases)) + section("Logs", log_lines(record.phases)) +
         section("Allocation", allocation_lines(record)) +
         section("Evidence", evidence_section(record)) +
         section("Notes", reason_lines(record, true)) +
         section("Repeat", repeat_lines(record, indent));
}

}  // namespace abgate::report
