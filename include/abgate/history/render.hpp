#pragma once

#include <string>

#include <abgate/history/trend.hpp>

namespace abgate::history {

// Every renderer is a function of the history alone; text from outside can drive no terminal, no
// spreadsheet and no browser (LESSONS 34).

/// One line a gate, oldest first, and a count of the verdicts.
std::string render_table(const History& history);

/// RFC 4180 with a header; one row a leg, and one for a gate without legs. A text that a
/// spreadsheet would take for a formula gets an apostrophe in front.
std::string render_csv(const History& history);

/// `{"schema_version": 1, "entries": […], "damaged": [{"line", "problem"}]}`; entries as in
/// history.jsonl.
std::string render_json(const History& history);

/// A paragraph a series: sign balance, levels and changes.
std::string render_trend(const History& history);
/// `{"schema_version": 1, "series": […]}`.
std::string render_trend_json(const History& history);

/// The newest gates that the page draws; a browser stays quick with them.
inline constexpr std::size_t page_gates = 1000;
/// A self-contained page: verdict strip, ratio and throughput over time a leg, node pairs, gates.
std::string render_page(const History& history);

}  // namespace abgate::history
