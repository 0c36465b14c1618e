#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include <abgate/history/change_points.hpp>
#include <abgate/history/trend.hpp>

namespace abgate::history {
namespace {

/// Levels of the values; all points must have one.
std::vector<Level> levels_of(const std::vector<double>& values) {
  std::vector<Level> levels;
  if (values.empty()) return levels;
  std::vector<std::size_t> bounds = change_points(values);
  bounds.insert(bounds.begin(), 0);
  bounds.push_back(values.size());
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(bounds[i]);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(bounds[i + 1]);
    const std::size_t count = bounds[i + 1] - bounds[i];
    levels.push_back(
        {bounds[i], count, std::accumulate(begin, end, 0.0) / static_cast<double>(count)});
  }
  return levels;
}

std::vector<double> values_of(const std::vector<Point>& points, std::optional<double> Leg::*value) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const Point& point : points)
    values.push_back((point.leg->*value).value_or(0));
  return values;
}

/// P(X <= k) of `n` tosses of a fair coin.
double lower_tail(std::int64_t k, std::int64_t n) {
  double log_term = -static_cast<double>(n) * std::log(2.0);  // of i = 0
  double sum = 0;
  for (std::int64_t i = 0; i <= k; ++i) {
    sum += std::exp(log_term);
    log_term += std::log(static_cast<double>(n - i) / static_cast<double>(i + 1));
  }
  return sum;
}

bool is_creeping(const Trend& trend) {
  if (trend.ratio.size() < 2) return false;
  const double now = trend.ratio.back().mean;
  const double best =
      std::max_element(trend.ratio.begin(), trend.ratio.end(), [](const Level& a, const Level& b) {
        return a.mean < b.mean;
      })->mean;
  const double limit = 1 - trend.points.back().leg->max_drop.value_or(1);
  return now < best && now >= limit;
}

}  // namespace

bool counts(const Point& point) {
  const Leg& leg = *point.leg;
  const bool judged = leg.outcome == LegOutcome::pass || leg.outcome == LegOutcome::regression;
  // A gate that is distrusted as a whole says nothing, however sound a leg looks.
  const bool sound =
      point.entry->verdict == Verdict::pass || point.entry->verdict == Verdict::regression;
  return judged && sound && !point.entry->same_build && leg.ratio && leg.baseline && leg.candidate;
}

std::vector<Series> series_of(const History& history) {
  using Key = std::tuple<std::string_view, std::string_view, std::size_t, std::string_view,
                         std::string_view, std::string_view>;
  std::map<Key, std::size_t> places;
  std::vector<Series> all;
  for (const Entry& entry : history.entries) {
    for (const Leg& leg : entry.legs) {
      if (!leg.ratio) continue;
      const Key key{entry.workload, entry.cluster, entry.nodes.size(),
                    leg.precision,  leg.metric,    leg.unit};
      const auto [place, is_new] = places.emplace(key, all.size());
      if (is_new) {
        all.push_back(
            {entry.workload, entry.cluster, entry.nodes.size(), leg.precision, leg.unit, {}});
      }
      all[place->second].points.push_back({&entry, &leg});
    }
  }
  return all;
}

SignBalance sign_balance(const std::vector<double>& ratios) {
  SignBalance out;
  for (const double ratio : ratios) {
    if (ratio < 1) ++out.below;
    if (ratio > 1) ++out.above;
    if (ratio == 1) ++out.equal;
  }
  out.p = std::min(1.0, 2 * lower_tail(std::min(out.below, out.above), out.below + out.above));
  return out;
}

Trend trend_of(const Series& series) {
  Trend out;
  std::copy_if(series.points.begin(), series.points.end(), std::back_inserter(out.points), counts);
  if (out.points.empty()) return out;
  const std::vector<double> ratios = values_of(out.points, &Leg::ratio);
  out.signs = sign_balance(ratios);
  double logs = 0;
  for (const double ratio : ratios)
    logs += std::log(ratio);
  out.mean_ratio = std::exp(logs / static_cast<double>(ratios.size()));
  out.ratio = levels_of(ratios);
  out.baseline = levels_of(values_of(out.points, &Leg::baseline));
  out.candidate = levels_of(values_of(out.points, &Leg::candidate));
  out.creeping = is_creeping(out);
  return out;
}

}  // namespace abgate::history
