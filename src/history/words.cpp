#include "words.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/history/change_points.hpp>

namespace abgate::history {
namespace {

constexpr int ratio_decimals = 4;

std::string change_text(const Trend& trend, const Level& before, const Level& after) {
  const Entry& first = *trend.points.at(after.first).entry;
  const double change = (after.mean / before.mean - 1) * 100;
  const bool is_ratio = before.mean < 10;
  const auto shown = [&](double value) {
    return is_ratio ? number::fixed(value, ratio_decimals) : value_text(value);
  };
  return fmt::format("changed by {} on {}, from {} ({}) to {} ({}), first in {}",
                     number::signed_percent(change, 2), date_text(first.started),
                     shown(before.mean), count_text(before.count, "gate"), shown(after.mean),
                     count_text(after.count, "gate"), first.run_id);
}

}  // namespace

std::string minute_text(const std::optional<time::Instant>& instant) {
  if (!instant) return "-";
  std::string text = time::to_rfc3339(*instant).substr(0, 16);
  text[10] = ' ';
  return text;
}

std::string date_text(const std::optional<time::Instant>& instant) {
  return minute_text(instant).substr(0, 10);
}

std::string ratio_text(const Leg& leg) {
  if (!leg.ratio) return "-";
  if (!leg.max_drop) return number::value_with(*leg.ratio, ratio_decimals);
  const double limit = 1 - *leg.max_drop;
  return number::value_with(
      *leg.ratio, number::telling_decimals(*leg.ratio, *leg.ratio < limit, limit, ratio_decimals));
}

std::string mark_of(const Leg& leg) {
  if (leg.outcome == LegOutcome::regression) return "!";
  return leg.outcome == LegOutcome::untrusted ? "?" : "";
}

std::string value_text(double value) {
  return number::value_with(value, number::value_decimals(value));
}

std::string count_text(std::size_t count, const std::string& one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string verdicts_text(const History& history) {
  constexpr std::array all{Verdict::pass, Verdict::regression, Verdict::no_verdict, Verdict::infra};
  std::string text = count_text(history.entries.size(), "gate");
  std::string_view before = ": ";
  for (const Verdict verdict : all) {
    const auto count = std::count_if(history.entries.begin(), history.entries.end(),
                                     [&](const Entry& entry) { return entry.verdict == verdict; });
    if (count == 0) continue;
    text += fmt::format("{}{} {}", before, count, title(verdict));
    before = ", ";
  }
  return text;
}

std::string series_title(const Series& series) {
  return fmt::format("{} on {}, {}, {}", series.workload, series.cluster,
                     count_text(series.nodes, "node"), series.precision);
}

std::string signs_text(const Trend& trend) {
  if (!trend.mean_ratio) return "no gate with a trusted ratio";
  const SignBalance& signs = trend.signs;
  constexpr double remarkable = 0.01;
  std::string_view balance = "balanced";
  if (signs.p < remarkable) {
    balance = signs.below > signs.above ? "more often below than chance explains"
                                        : "more often above than chance explains";
  }
  return fmt::format("{}, geometric mean {}; {} below 1, {} above, {} equal: {} (p = {:.2g})",
                     count_text(trend.points.size(), "gate"),
                     number::fixed(*trend.mean_ratio, ratio_decimals), signs.below, signs.above,
                     signs.equal, balance, signs.p);
}

std::vector<std::string> change_texts(const Trend& trend, const std::vector<Level>& levels) {
  if (trend.points.size() < 2 * shortest_level) {
    return {fmt::format("too few gates to look for a change ({} of {})", trend.points.size(),
                        2 * shortest_level)};
  }
  if (levels.size() < 2) {
    return {fmt::format("no change in {}", count_text(trend.points.size(), "gate"))};
  }
  std::vector<std::string> texts;
  for (std::size_t i = 1; i < levels.size(); ++i)
    texts.push_back(change_text(trend, levels[i - 1], levels[i]));
  return texts;
}

std::string creeping_text(const Trend& trend) {
  if (!trend.creeping) return "";
  const double limit = 1 - trend.points.back().leg->max_drop.value_or(1);
  return fmt::format(
      "slow drift: the ratio now stands at {}, within the limit of {}, "
      "so no gate alone reports it",
      number::fixed(trend.ratio.back().mean, ratio_decimals), number::shortest(limit));
}

}  // namespace abgate::history
