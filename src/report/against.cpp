#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/report/against.hpp>
#include <abgate/report/format.hpp>
#include <abgate/report/repeat.hpp>

#include "config_rows.hpp"
#include "escape.hpp"
#include "layout.hpp"
#include "markdown_table.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

/// One thing that both records say something about.
struct Row {
  std::string what;
  std::string one;
  std::string other;
  std::string change;  ///< from one to the other, in per cent; may be empty
};

std::string change_text(const std::optional<double>& one, const std::optional<double>& other) {
  if (!one || !other || !(*one > 0)) return "";
  return percent_text(*other / *one - 1, 2);
}

std::string shown(const std::optional<double>& value) {
  return value ? value_text(*value) : "-";
}

const LegResult* find_leg(const GateRecord& record, const std::string& precision) {
  const auto found = std::find_if(record.legs.begin(), record.legs.end(),
                                  [&](const LegResult& leg) { return leg.precision == precision; });
  return found == record.legs.end() ? nullptr : &*found;
}

std::vector<std::string> precisions_of(const Pair& pair) {
  std::vector<std::string> out;
  for (const GateRecord* record : {&pair.one, &pair.other}) {
    for (const LegResult& leg : record->legs) {
      if (std::find(out.begin(), out.end(), leg.precision) == out.end()) {
        out.push_back(leg.precision);
      }
    }
  }
  return out;
}

std::vector<Row> result_rows(const Pair& pair) {
  std::vector<Row> rows{
      {"verdict", std::string(title(pair.one.verdict)), std::string(title(pair.other.verdict)), ""},
      {"exit code", std::to_string(pair.one.exit_code), std::to_string(pair.other.exit_code), ""}};
  static const LegResult none;
  for (const std::string& precision : precisions_of(pair)) {
    const LegResult* one = find_leg(pair.one, precision);
    const LegResult* other = find_leg(pair.other, precision);
    const LegResult& a = one != nullptr ? *one : none;
    const LegResult& b = other != nullptr ? *other : none;
    rows.push_back(
        {precision + " outcome", std::string(name(a.outcome)), std::string(name(b.outcome)), ""});
    rows.push_back({precision + " ratio", ratio_text(a.ratio), ratio_text(b.ratio),
                    change_text(a.ratio, b.ratio)});
    rows.push_back({precision + " baseline", shown(a.baseline), shown(b.baseline),
                    change_text(a.baseline, b.baseline)});
    rows.push_back({precision + " candidate", shown(a.candidate), shown(b.candidate),
                    change_text(a.candidate, b.candidate)});
  }
  return rows;
}

void add_difference(std::vector<Row>& rows, std::string what, std::string one, std::string other) {
  if (one != other) rows.push_back({std::move(what), std::move(one), std::move(other), ""});
}

/// What each gate says of itself, apart from its results and its configuration.
std::vector<Row> run_rows(const Pair& pair) {
  std::vector<Row> rows;
  const auto nodes = [](const GateRecord& record) { return text::join(nodes_of(record), " "); };
  add_difference(rows, "run", pair.one.run_id, pair.other.run_id);
  add_difference(rows, "started", instant_text(pair.one.started), instant_text(pair.other.started));
  add_difference(rows, "nodes", nodes(pair.one), nodes(pair.other));
  add_difference(rows, "abgate", pair.one.tool_version, pair.other.tool_version);
  return rows;
}

std::vector<Row> config_differences(const Pair& pair) {
  std::map<std::string, std::string> others;
  for (const auto& row : config_rows(pair.other.config))
    others[row[0]] = row[1];
  std::vector<Row> rows;
  for (const auto& row : config_rows(pair.one.config)) {
    const auto found = others.find(row[0]);
    add_difference(rows, row[0], row[1], found == others.end() ? "(absent)" : found->second);
    if (found != others.end()) others.erase(found);
  }
  for (const auto& [key, value] : others)
    add_difference(rows, key, "(absent)", value);
  return rows;
}

std::string text_part(std::string_view title, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::size_t widest = 0;
  for (const Row& row : rows)
    widest = std::max({widest, columns(row.one), columns(row.other)});
  constexpr std::size_t side_by_side = 30;
  std::string out = fmt::format("\n{}\n", title);
  if (widest <= side_by_side) {
    Table table(2);
    for (const Row& row : rows)
      table.add({row.what, row.one, row.other, row.change});
    return out + table.render();
  }
  for (const Row& row : rows) {
    out += wrapped("  ", 2, row.what) + wrapped("    one    ", 11, row.one) +
           wrapped("    other  ", 11, row.other);
  }
  return out;
}

std::string markdown_part(std::string_view title, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  MarkdownTable table({title == "Results" ? "what" : "differs", "one", "other", "change"}, 4);
  for (const Row& row : rows)
    table.add({row.what, row.one, row.other, row.change});
  return fmt::format("\n### {}\n\n{}", title, table.render(300'000));
}

}  // namespace

std::string render_pair_text(const Pair& pair) {
  return wrapped("one:   ", 7, subject(pair.one)) + wrapped("other: ", 7, subject(pair.other)) +
         text_part("Results", result_rows(pair)) + text_part("Runs", run_rows(pair)) +
         text_part("Configuration", config_differences(pair)) +
         fmt::format("\nRepeat one\n{}\nRepeat other\n{}", repeat_lines(pair.one, 2),
                     repeat_lines(pair.other, 2));
}

std::string render_pair_markdown(const Pair& pair) {
  return fmt::format("## {} and {}\n\none: {}  \nother: {}\n", title(pair.one.verdict),
                     title(pair.other.verdict), markdown_text(shortened(subject(pair.one))),
                     markdown_text(shortened(subject(pair.other)))) +
         markdown_part("Results", result_rows(pair)) + markdown_part("Runs", run_rows(pair)) +
         markdown_part("Configuration", config_differences(pair)) + "\n### Repeat\n\n" +
         markdown_block(repeat_lines(pair.one, 0) + repeat_lines(pair.other, 0), "sh");
}

}  // namespace abgate::report
