#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/report/format.hpp>
#include <abgate/report/html.hpp>

#include "charts.hpp"
#include "config_rows.hpp"
#include "escape.hpp"
#include "html_style.hpp"
#include "html_table.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

constexpr std::string_view policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

std::string short_xml(std::string_view text) {
  return xml_text(shortened(text));
}

/// A part of the page with its heading; nothing when it has no body.
std::string section(std::string_view id, std::string_view title, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format(
      "<section aria-labelledby=\"h-{0}\">\n<h2 id=\"h-{0}\">{1}</h2>\n{2}"
      "</section>\n",
      id, xml_text(title), body);
}

std::string figure(const std::string& drawing, std::string_view caption) {
  if (drawing.empty()) return "";
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", drawing, caption);
}

std::string heading(const GateRecord& record) {
  std::string out = fmt::format("<header class=\"v-{}\">\n<h1>{}</h1>\n<p>exit code {} · {}</p>\n",
                                text::to_lower(name(record.verdict)), title(record.verdict),
                                record.exit_code, short_xml(subject(record)));
  for (const std::string& alert : alerts(record))
    out += fmt::format("<p class=\"alert\">{}</p>\n", short_xml(alert));
  return out + "</header>\n";
}

constexpr std::string_view ratio_caption =
    "Diamond: candidate / baseline. Red line: the limit; in the shaded part a ratio is a "
    "regression. Grey bar: 95 % interval from the scatter of iterations within the runs; the noise "
    "between runs comes on top of it.";

std::string ratios(const GateRecord& record) {
  std::vector<std::vector<std::string>> rows;
  for (const LegResult& leg : record.legs) {
    const LegText shown = leg_text(leg);
    rows.push_back({leg.precision, std::string(name(leg.outcome)), shown.ratio, shown.change,
                    shown.limit, shown.baseline, shown.candidate, leg.unit});
  }
  return figure(ratio_chart(record.legs), ratio_caption) +
         html_table("Ratios",
                    {"leg", "outcome", "ratio", "change", "limit", "baseline", "candidate", "unit"},
                    rows, {2, 7});
}

std::string place_xml(const GateRecord& record, const Location& place) {
  const std::string label = fmt::format("<code>{}</code>", short_xml(format(place)));
  const std::string url = relative_url(path_in_work_dir(record, place));
  return url.empty() ? label : fmt::format("<a href=\"{}\">{}</a>", url, label);
}

std::string reason_xml(const GateRecord& record, const Reason& reason) {
  constexpr std::size_t most = 20;
  std::string out = fmt::format("<li><strong>{}</strong>: {}{}", short_xml(reason.code),
                                short_xml(reason.message), short_xml(scope(reason)));
  if (!reason.evidence.empty()) {
    out += "\n<ul>\n";
    for (std::size_t i = 0; i < std::min(reason.evidence.size(), most); ++i)
      out += fmt::format("<li>{}</li>\n", place_xml(record, reason.evidence[i]));
    if (reason.evidence.size() > most) {
      out += fmt::format("<li>and {} more places</li>\n", reason.evidence.size() - most);
    }
    out += "</ul>\n";
  }
  return out + "</li>\n";
}

std::string reasons(const GateRecord& record, bool notes) {
  constexpr std::size_t most = 500;
  const std::vector<Reason> all = reasons_of(record, notes);
  if (all.empty()) return "";
  std::string out = "<ul>\n";
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i)
    out += reason_xml(record, all[i]);
  if (all.size() > most) out += fmt::format("<li>and {} more</li>\n", all.size() - most);
  return out + "</ul>\n";
}

constexpr std::string_view curve_caption =
    "<span class=\"key k-baseline\"></span>baseline, circles; <span class=\"key k-candidate\">"
    "</span>candidate, squares; dashed from the third phase on. Hollow: warm-up, not counted. "
    "Cross: contaminated. Triangle: lies beyond the edge.";

std::string curves(const GateRecord& record) {
  std::string out;
  for (std::size_t i = 0; i < record.legs.size(); ++i) {
    const LegResult& leg = record.legs[i];
    std::vector<std::vector<std::string>> rows;
    for (const PhaseValue& value : leg.phases)
      rows.push_back(measured_cells(value));
    out += fmt::format("<h3>{}</h3>\n", short_xml(leg.precision)) +
           figure(curve_chart(leg, i), curve_caption) +
           html_table(fmt::format("Measured, {}", shortened(leg.precision, 24)), measured_heads(),
                      rows, {2, measured_heads().size()}) +
           fmt::format("<p class=\"soft\">median ratio {}, harmonic ratio {}</p>\n",
                       ratio_text(leg.median_ratio), ratio_text(leg.harmonic_ratio));
  }
  return out;
}

std::string phases(const GateRecord& record) {
  std::vector<std::vector<std::string>> rows;
  for (const PhaseRecord& phase : record.phases) {
    rows.push_back({std::to_string(phase.index), std::string(name(phase.side)),
                    instant_text(phase.start), duration_text(phase.start, phase.end), end_of(phase),
                    text::join(phase.nodes, " ")});
  }
  return figure(timeline_chart(record), "To scale, from the start of the gate to its end.") +
         html_table("Phases", {"phase", "side", "start", "took", "end", "nodes"}, rows);
}

std::string allocation(const GateRecord& record) {
  if (!record.allocation) return "";
  std::string out;
  for (const std::string& sentence : allocation_sentences(*record.allocation))
    out += fmt::format("<p>{}</p>\n", short_xml(sentence));
  std::string lines;
  for (const std::string& message : unquoted_messages(record))
    lines += shortened(message) + "\n";
  if (!lines.empty()) {
    out += fmt::format("<pre>{}</pre>\n", xml_lines(shortened(lines, 20'000)));
  }
  if (!record.allocation->scrubbed.empty()) {
    out += fmt::format("<p class=\"soft\">inherited variables that were removed: {}</p>\n",
                       short_xml(text::join(record.allocation->scrubbed, " ")));
  }
  return out;
}

std::string provenance(const GateRecord& record) {
  std::vector<std::vector<std::string>> rows;
  for (const Side side : {Side::baseline, Side::candidate}) {
    for (const std::string_view key : {"image", "library"}) {
      const std::string value = config_text(record, {name(side), key});
      if (!value.empty()) rows.push_back({fmt::format("{} {}", name(side), key), value});
    }
  }
  const std::string rccl = config_text(record, {"candidate_rccl"});
  if (!rccl.empty()) rows.push_back({"candidate RCCL", rccl});
  for (std::vector<std::string>& row : provenance_rows(record))
    rows.push_back(std::move(row));
  for (const PhaseRecord& phase : record.phases) {
    if (phase.manifest_sha256.empty()) continue;
    rows.push_back({fmt::format("manifest {}", phase.index), "sha256 " + phase.manifest_sha256});
  }
  return html_table("Provenance", {"what", "where"}, rows);
}

std::string configuration(const GateRecord& record) {
  const std::string table =
      html_table("Effective configuration", {"key", "value", "from"}, config_rows(record.config));
  if (table.empty()) return "";
  return "<details open=\"open\">\n<summary>Every value, and where it came from</summary>\n" +
         table + "</details>\n";
}

std::string repeat(const GateRecord& record) {
  return fmt::format(
      "<p>On the same nodes, with the same images and settings:</p>\n<pre>{}</pre>\n",
      xml_lines(repeat_lines(record, 0)));
}

}  // namespace

std::string render_html(const GateRecord& record) {
  const std::string page_title = fmt::format("{}: {}", title(record.verdict), subject(record));
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
             "<meta charset=\"utf-8\"/>\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
             "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
             policy, xml_text(shortened(page_title, 200)), html_style) +
         heading(record) + "<main>\n" + section("reasons", "Reasons", reasons(record, false)) +
         section("ratios", "Ratios", ratios(record)) +
         section("curves", "Iterations", curves(record)) +
         section("memory", "Peak memory",
                 figure(memory_chart(record.legs), "Of a GPU, in GB, from 0.")) +
         section("phases", "Phases", phases(record)) +
         section("allocation", "Allocation", allocation(record)) +
         section("notes", "Notes", reasons(record, true)) +
         section("provenance", "Provenance", provenance(record)) +
         section("config", "Configuration", configuration(record)) +
         section("repeat", "Repeat", repeat(record)) +
         fmt::format(
             "</main>\n<footer class=\"soft\"><p>abgate {}, run {}</p></footer>\n</body>\n"
             "</html>\n",
             short_xml(record.tool_version), short_xml(record.run_id));
}

}  // namespace abgate::report
