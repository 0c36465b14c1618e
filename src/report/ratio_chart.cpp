#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/report/format.hpp>

#include "charts.hpp"
#include "escape.hpp"
#include "interval.hpp"
#include "svg.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

constexpr double row_height = 46;
constexpr double left = 8;
constexpr double right = Svg::width - 8;

/// The values that must be seen: the line of 1, the limits, ratios and intervals.
Scale scale_of(const std::vector<LegResult>& legs) {
  double low = 1;
  double high = 1;
  const auto include = [&](double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const LegResult& leg : legs) {
    include(1 - leg.max_drop);
    if (leg.ratio) include(*leg.ratio);
    if (const auto interval = scatter_interval(leg)) {
      include(interval->low);
      include(interval->high);
    }
  }
  const double room = std::max(high - low, 0.001) * 0.12;
  return {low - room, high + room, left, right};
}

void draw_axis(Svg& svg, const Scale& x, double bottom) {
  const double step = round_step(x.to - x.from, 6);
  for (const double tick : ticks(x.from, x.to, step)) {
    svg.line(x(tick), 4, x(tick), bottom, "grid");
    svg.text(x(tick), bottom + 12, number::fixed(tick, step_decimals(step)), "t small",
             Svg::Anchor::middle);
  }
  svg.line(x(1), 4, x(1), bottom, "axis");
}

void draw_leg(Svg& svg, const Scale& x, const LegResult& leg, double top) {
  const LegText shown = leg_text(leg);
  const double middle = top + 30;
  const double limit = x(1 - leg.max_drop);
  svg.text(left, top + 12, shortened(leg.precision, 24), "t strong");
  svg.text(right, top + 12,
           fmt::format("{} ({}), limit {}", shown.ratio, shown.change, shown.limit), "t",
           Svg::Anchor::end);
  svg.rect(left, middle - 8, limit - left, 16, "forbidden", "below the limit: a regression");
  svg.line(limit, middle - 11, limit, middle + 11, "limit");
  if (!leg.ratio) {
    svg.text(x(1) - 4, middle + 4, "not measured", "t small", Svg::Anchor::end);
    return;
  }
  if (const auto interval = scatter_interval(leg)) {
    svg.rect(x(interval->low), middle - 3, x(interval->high) - x(interval->low), 6, "interval",
             fmt::format("scatter within the runs: {} to {}", ratio_text(interval->low),
                         ratio_text(interval->high)));
  }
  svg.diamond(x(*leg.ratio), middle, 6, leg.outcome == LegOutcome::regression ? "bad" : "point",
              fmt::format("{} ratio {}", leg.precision, shown.ratio));
}

}  // namespace

std::string ratio_chart(const std::vector<LegResult>& legs) {
  if (legs.empty()) return "";
  std::string description = "Candidate divided by baseline; 1 is as fast as the baseline.";
  for (const LegResult& leg : legs) {
    const LegText shown = leg_text(leg);
    description += fmt::format(" {}: ratio {}, limit {}.", shortened(leg.precision, 24),
                               shown.ratio, shown.limit);
  }
  const double bottom = row_height * static_cast<double>(legs.size()) + 6;
  Svg svg("ratios", bottom + 18, "Ratios with their limits", description);
  const Scale x = scale_of(legs);
  draw_axis(svg, x, bottom);
  for (std::size_t i = 0; i < legs.size(); ++i)
    draw_leg(svg, x, legs[i], row_height * static_cast<double>(i));
  return svg.render();
}

}  // namespace abgate::report
