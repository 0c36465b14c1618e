#include "series_section.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

#include "words.hpp"

namespace abgate::history {
namespace {

using text::markup_escaped;

/// The sets of nodes that a series met, lettered in the order in which they came.
class NodeSets {
 public:
  struct Set {
    std::string letter;
    std::string nodes;
    std::size_t gates = 0;
    double log_ratios = 0;
    double baselines = 0;
  };

  explicit NodeSets(const Series& series) {
    for (const Point& point : series.points) {
      const std::size_t place = place_of(point);
      if (!counts(point)) continue;
      Set& set = sets_[place];
      ++set.gates;
      set.log_ratios += std::log(*point.leg->ratio);
      set.baselines += *point.leg->baseline;
    }
  }

  const std::vector<Set>& sets() const { return sets_; }
  std::string letter(const Point& point) { return sets_[place_of(point)].letter; }

 private:
  std::size_t place_of(const Point& point) {
    const std::string nodes = text::join(point.entry->nodes, ", ");
    const auto [found, is_new] = places_.emplace(nodes, sets_.size());
    if (is_new) {
      constexpr std::size_t letters = 26;
      std::string letter(1, static_cast<char>('A' + sets_.size() % letters));
      if (sets_.size() >= letters) letter += std::to_string(sets_.size() / letters);
      sets_.push_back({std::move(letter), nodes});
    }
    return found->second;
  }

  std::map<std::string, std::size_t> places_;
  std::vector<Set> sets_;
};

class Section {
 public:
  Section(const Series& series, const std::string& id)
      : series_(series), id_(id), trend_(trend_of(series)), sets_(series) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      if (!counts(series.points[i])) continue;
      gate_of_[at++] = i;
    }
  }

  std::string render() {
    std::string out =
        fmt::format("<section>\n<h2>{}</h2>\n", markup_escaped(series_title(series_)));
    out += "<p>" + markup_escaped("Ratio: " + signs_text(trend_)) + ".</p>\n";
    if (trend_.creeping) out += "<p class=\"note\">" + creeping_text(trend_) + ".</p>\n";
    out += "<h3>Ratio, candidate / baseline</h3>\n" + changes("Ratio", trend_.ratio);
    out += render_svg(ratio_chart());
    out +=
        "<p class=\"key\">Circle: within the limit. Triangle: below it. Open square: not trusted, "
        "or an A/A gate. Letters: the nodes, see below.</p>\n";
    out += fmt::format("<h3>Throughput in {}</h3>\n", markup_escaped(unit()));
    out += changes("Baseline", trend_.baseline) + changes("Candidate", trend_.candidate);
    out += render_svg(throughput_chart());
    out += "<p class=\"key\">Filled circle: baseline. Open square: candidate.</p>\n";
    return out + node_table() + "</section>\n";
  }

 private:
  std::string unit() const { return series_.unit.empty() ? "the metric's unit" : series_.unit; }

  std::string changes(const std::string& what, const std::vector<Level>& levels) const {
    if (trend_.points.empty()) return "";
    std::string out;
    for (const std::string& change : change_texts(trend_, levels))
      out += fmt::format("<p>{}: {}.</p>\n", markup_escaped(what), markup_escaped(change));
    return out;
  }

  Chart empty_chart(const std::string& kind, const std::string& title) {
    Chart chart;
    chart.id = id_ + kind;
    chart.title = title + ", " + series_title(series_);
    chart.gates = series_.points.size();
    for (const Point& point : series_.points) {
      chart.dates.push_back(date_text(point.entry->started));
      chart.letters.push_back(sets_.letter(point));
    }
    return chart;
  }

  std::string caption(const Point& point, const std::string& value) const {
    return fmt::format("{}  {}  {}  {}", minute_text(point.entry->started), value,
                       text::join(point.entry->nodes, ", "), point.entry->run_id);
  }

  void add_levels(Chart& chart, const std::vector<Level>& levels) const {
    for (const Level& level : levels) {
      chart.rules.push_back({gate_of_.at(level.first), gate_of_.at(level.first + level.count - 1),
                             level.mean, "level", ""});
    }
  }

  /// The axis covers what counts and the lines; something wild that is not trusted does not squeeze
  /// the rest.
  static void fit(Chart& chart, std::vector<double> values) {
    for (const Rule& rule : chart.rules)
      values.push_back(rule.value);
    if (values.empty()) return;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double least = 0.001 * std::abs(*high);
    const double margin = std::max(least, 0.08 * (*high - *low));
    chart.low = *low - margin;
    chart.high = *high + margin;
  }

  Chart ratio_chart() {
    Chart chart = empty_chart("r", "Ratio over time");
    chart.description = signs_text(trend_);
    const std::size_t last = chart.gates - 1;
    chart.rules.push_back({0, last, 1, "even", "equal"});
    if (const auto& drop = series_.points.back().leg->max_drop) {
      chart.rules.push_back({0, last, 1 - *drop, "limit", "limit " + number::shortest(1 - *drop)});
    }
    add_levels(chart, trend_.ratio);
    std::vector<double> values;
    for (std::size_t i = 0; i < series_.points.size(); ++i) {
      const Point& point = series_.points[i];
      const bool red = point.leg->outcome == LegOutcome::regression;
      const std::string sound = red ? "red" : "pass";
      chart.marks.push_back({i, *point.leg->ratio, counts(point) ? sound : "open",
                             caption(point, ratio_text(*point.leg) + mark_of(*point.leg))});
      if (counts(point)) values.push_back(*point.leg->ratio);
    }
    fit(chart, std::move(values));
    return chart;
  }

  Chart throughput_chart() {
    Chart chart = empty_chart("t", "Throughput over time");
    chart.description = "Baseline and candidate of " + count_text(chart.gates, "gate");
    if (const auto& reference = series_.points.back().leg->reference) {
      chart.rules.push_back({0, chart.gates - 1, *reference, "reference", "reference"});
    }
    add_levels(chart, trend_.baseline);
    std::vector<double> values;
    for (std::size_t i = 0; i < series_.points.size(); ++i) {
      const Point& point = series_.points[i];
      for (const auto& [css, value] : {std::pair{"baseline", point.leg->baseline},
                                       std::pair{"candidate", point.leg->candidate}}) {
        if (!value) continue;
        chart.marks.push_back(
            {i, *value, css, caption(point, fmt::format("{} {}", css, value_text(*value)))});
        if (counts(point)) values.push_back(*value);
      }
    }
    fit(chart, std::move(values));
    chart.decimals = std::max(0, number::value_decimals(chart.high) - 1);
    return chart;
  }

  std::string node_table() const {
    std::string out =
        "<h3>Nodes</h3>\n<div class=\"scroll\" "
        "tabindex=\"0\"><table>\n<thead><tr><th>Letter</th><th>Nodes</th>"
        "<th>Gates</th><th>Mean ratio</th><th>Mean baseline</th></tr></thead>\n<tbody>\n";
    for (const NodeSets::Set& set : sets_.sets()) {
      const auto gates = static_cast<double>(set.gates);
      const bool none = set.gates == 0;
      out += fmt::format(
          "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td>"
          "<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
          set.letter, markup_escaped(set.nodes), set.gates,
          none ? "-" : number::fixed(std::exp(set.log_ratios / gates), 4),
          none ? "-" : value_text(set.baselines / gates));
    }
    return out + "</tbody></table></div>\n";
  }

  const Series& series_;
  const std::string& id_;
  Trend trend_;
  NodeSets sets_;
  std::map<std::size_t, std::size_t> gate_of_;  ///< of a point that counts, on the x axis
};

}  // namespace

std::string render_series(const Series& series, const std::string& id) {
  return Section(series, id).render();
}

}  // namespace abgate::history
