#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/history/render.hpp>

#include "page_style.hpp"
#include "series_section.hpp"
#include "words.hpp"

namespace abgate::history {
namespace {

using text::markup_escaped;

std::string letter_of(Verdict verdict) {
  return std::string(name(verdict).substr(0, 1));
}

std::string strip(const History& history) {
  std::vector<Cell> cells;
  for (const Entry& entry : history.entries) {
    std::string caption = fmt::format("{}  {}  {}  {}", minute_text(entry.started),
                                      title(entry.verdict), entry.workload, entry.run_id);
    if (!entry.reason.empty()) caption += "  " + entry.reason;
    cells.push_back({std::string(name(entry.verdict)), letter_of(entry.verdict), caption});
  }
  return render_strip("Verdicts, oldest first. " + verdicts_text(history), cells);
}

std::string gate_row(const Entry& entry) {
  std::string legs;
  for (const Leg& leg : entry.legs) {
    legs += fmt::format("{}{} {}{}", legs.empty() ? "" : ", ", leg.precision, ratio_text(leg),
                        mark_of(leg));
  }
  std::string row = "<tr>";
  for (const std::string& cell :
       {minute_text(entry.started), std::string(title(entry.verdict)), entry.workload,
        entry.cluster, text::join(entry.nodes, ", "), legs, entry.reason, entry.run_id}) {
    row += "<td>" + markup_escaped(cell) + "</td>";
  }
  return row + "</tr>\n";
}

std::string gate_table(const History& history) {
  constexpr std::ptrdiff_t most = 50;
  const auto& entries = history.entries;
  const auto shown = std::min<std::ptrdiff_t>(most, std::ssize(entries));
  std::string out = fmt::format(
      "<h2>The last {}</h2>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th>Started "
      "(UTC)</th>"
      "<th>Verdict</th><th>Workload</th><th>Cluster</th><th>Nodes</th><th>Ratios</th>"
      "<th>Reason</th><th>Run</th></tr></thead>\n<tbody>\n",
      count_text(static_cast<std::size_t>(shown), "gate"));
  for (auto entry = entries.rbegin(); entry != entries.rbegin() + shown; ++entry)
    out += gate_row(*entry);
  return out +
         "</tbody></table></div>\n<p class=\"key\">! a ratio below its limit, ? a ratio that is "
         "not trusted</p>\n";
}

/// The newest gates, and what is said about the others.
History newest(const History& history, std::string& said) {
  History drawn = history;
  if (drawn.entries.size() <= page_gates) return drawn;
  said = fmt::format("<p>The newest {} of {} gates are shown.</p>\n", page_gates,
                     drawn.entries.size());
  drawn.entries.erase(drawn.entries.begin(),
                      drawn.entries.end() - static_cast<std::ptrdiff_t>(page_gates));
  return drawn;
}

}  // namespace

std::string render_page(const History& history) {
  std::string said;
  const History drawn = newest(history, said);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>abgate history</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>abgate history</h1>\n<p>{}.</p>\n",
      page_style, verdicts_text(drawn));
  out += said;
  if (!history.damaged.empty()) {
    out += "<p class=\"note\">" + markup_escaped(damage_text(history.damaged)) + "</p>\n";
  }
  if (!drawn.entries.empty()) {
    out += fmt::format(
        "<p class=\"soft\">{} to {}, oldest first; P PASS, R REGRESSION, "
        "N NO VERDICT, I INFRA</p>\n",
        date_text(drawn.entries.front().started), date_text(drawn.entries.back().started));
    out += strip(drawn);
  }
  const auto all = series_of(drawn);
  for (std::size_t i = 0; i < all.size(); ++i)
    out += render_series(all[i], fmt::format("s{}", i + 1));
  if (!drawn.entries.empty()) out += gate_table(drawn);
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace abgate::history
