#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/report/format.hpp>
#include <abgate/report/markdown.hpp>

#include "escape.hpp"
#include "markdown_table.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

/// Items one below the other, as many as fit; then how many are left.
std::string listed(const std::vector<std::string>& items, std::size_t room, std::string_view noun) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (out.size() + items[i].size() > room) {
      return out + fmt::format("\n_{} more not shown; gate.json has them._\n",
                               plural(items.size() - i, noun));
    }
    out += items[i];
  }
  return out;
}

std::string section(std::string_view title, const std::string& body) {
  return body.empty() ? "" : fmt::format("\n### {}\n\n{}", title, body);
}

std::string heading(const GateRecord& record) {
  std::string out = fmt::format("## {}\n\nexit code {} · {}\n", title(record.verdict),
                                record.exit_code, markdown_text(shortened(subject(record))));
  for (const std::string& alert : alerts(record))
    out += fmt::format("\n**{}**\n", markdown_text(shortened(alert)));
  return out;
}

std::string leg_table(const std::vector<LegResult>& legs) {
  if (legs.empty()) return "";
  MarkdownTable table({"leg", "outcome", "ratio", "change", "limit", "baseline", "candidate"}, 2);
  for (const LegResult& leg : legs) {
    const LegText shown = leg_text(leg);
    table.add({leg.precision, std::string(name(leg.outcome)), shown.ratio, shown.change,
               shown.limit, shown.baseline, fmt::format("{} {}", shown.candidate, leg.unit)});
  }
  return "\n" + table.render(100'000);
}

std::string place_text(const GateRecord& record, const Location& place) {
  const std::string label = markdown_code(shortened(format(place), 500));
  const std::string url = relative_url(path_in_work_dir(record, place));
  return url.empty() ? label : fmt::format("[{}]({})", label, url);
}

std::vector<std::string> reason_items(const GateRecord& record, bool notes) {
  constexpr std::size_t most_places = 8;
  std::vector<std::string> items;
  for (const Reason& reason : reasons_of(record, notes)) {
    std::string item = fmt::format("- **{}**: {}{}\n", markdown_text(shortened(reason.code, 200)),
                                   markdown_text(shortened(reason.message)),
                                   markdown_text(shortened(scope(reason), 500)));
    for (std::size_t i = 0; i < std::min(reason.evidence.size(), most_places); ++i)
      item += fmt::format("  - {}\n", place_text(record, reason.evidence[i]));
    if (reason.evidence.size() > most_places) {
      item += fmt::format("  - and {} more places\n", reason.evidence.size() - most_places);
    }
    items.push_back(std::move(item));
  }
  return items;
}

std::string measured(const LegResult& leg) {
  if (leg.phases.empty()) return "";
  MarkdownTable table(measured_heads(), 2);
  for (const PhaseValue& value : leg.phases)
    table.add(measured_cells(value));
  return section(markdown_text(shortened(leg.precision, 200)), table.render(50'000)) +
         fmt::format("\nmedian ratio {}, harmonic ratio {}\n", ratio_text(leg.median_ratio),
                     ratio_text(leg.harmonic_ratio));
}

std::string phase_table(const GateRecord& record) {
  if (record.phases.empty()) return "";
  MarkdownTable table({"phase", "side", "start", "took", "end", "nodes", "directory"}, 7);
  for (const PhaseRecord& phase : record.phases) {
    table.add({std::to_string(phase.index), std::string(name(phase.side)),
               instant_text(phase.start), duration_text(phase.start, phase.end), end_of(phase),
               text::join(phase.nodes, " "), phase.directory});
  }
  return table.render(100'000);
}

std::string allocation(const GateRecord& record) {
  if (!record.allocation) return "";
  std::vector<std::string> items;
  for (const std::string& sentence : allocation_sentences(*record.allocation))
    items.push_back(fmt::format("- {}\n", markdown_text(shortened(sentence))));
  for (const std::string& message : unquoted_messages(record))
    items.push_back(fmt::format("- {}\n", markdown_code(shortened(message))));
  return listed(items, 100'000, "line");
}

std::string provenance(const GateRecord& record) {
  MarkdownTable table({"what", "where"}, 2);
  for (std::vector<std::string>& row : provenance_rows(record))
    table.add(std::move(row));
  return table.render(100'000);
}

}  // namespace

std::string render_markdown(const GateRecord& record) {
  std::vector<std::string> parts{
      heading(record), leg_table(record.legs),
      section("Reasons", listed(reason_items(record, false), 200'000, "reason"))};
  for (const LegResult& leg : record.legs)
    parts.push_back(measured(leg));
  parts.push_back(section("Phases", phase_table(record)));
  parts.push_back(section("Allocation", allocation(record)));
  parts.push_back(section("Evidence", provenance(record)));
  parts.push_back(section("Notes", listed(reason_items(record, true), 100'000, "note")));
  const std::string last = section("Repeat", markdown_block(repeat_lines(record, 0), "sh"));
  std::string out;
  bool whole = true;
  for (const std::string& part : parts) {
    constexpr std::size_t room_for_a_word = 200;
    const bool fits = out.size() + part.size() + last.size() + room_for_a_word < largest_markdown;
    if (fits) out += part;
    whole = whole && fits;
  }
  if (!whole) out += "\n_Parts of this report did not fit; report.html has them._\n";
  return out + last;
}

}  // namespace abgate::report
