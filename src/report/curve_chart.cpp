#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/report/format.hpp>

#include "charts.hpp"
#include "escape.hpp"
#include "svg.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

constexpr double height = 230;
constexpr double top = 10;
constexpr double bottom = height - 26;
constexpr double left = 50;
constexpr double right = Svg::width - 10;
constexpr std::size_t most_marks = 120;  // of a phase; a longer curve is drawn as a line alone

struct Axes {
  Scale x;
  Scale y;
};

/// The measured iterations and the limit fill the drawing; what lies outside is shown at its edge.
Axes axes_of(const LegResult& leg) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  double first = low;
  double last = high;
  bool measured = false;
  for (const PhaseValue& phase : leg.phases) {
    for (const SeriesPoint& point : phase.series)
      measured = measured || (point.throughput && point.use == IterationUse::measured);
  }
  for (const PhaseValue& phase : leg.phases) {
    for (const SeriesPoint& point : phase.series) {
      if (!point.throughput) continue;
      first = std::min(first, static_cast<double>(point.iteration));
      last = std::max(last, static_cast<double>(point.iteration));
      if (measured && point.use != IterationUse::measured) continue;
      low = std::min(low, *point.throughput);
      high = std::max(high, *point.throughput);
    }
  }
  if (leg.baseline) {
    low = std::min(low, *leg.baseline * (1 - leg.max_drop));
    high = std::max(high, *leg.baseline);
  }
  const double room = std::max((high - low) * 0.12, high * 0.001);
  return {{first - 0.5, last + 0.5, left, right}, {low - room, high + room, bottom, top}};
}

void draw_axes(Svg& svg, const Axes& axes, const LegResult& leg) {
  const double step = round_step(axes.y.to - axes.y.from, 5);
  for (const double tick : ticks(axes.y.from, axes.y.to, step)) {
    svg.line(left, axes.y(tick), right, axes.y(tick), "grid");
    svg.text(left - 4, axes.y(tick) + 4, number::fixed(tick, step_decimals(step)), "t small",
             Svg::Anchor::end);
  }
  const double across = std::max(1.0, round_step(axes.x.to - axes.x.from, 8));
  for (const double tick : ticks(axes.x.from, axes.x.to, across))
    svg.text(axes.x(tick), bottom + 13, number::fixed(tick, 0), "t small", Svg::Anchor::middle);
  svg.line(left, bottom, right, bottom, "axis");
  svg.text(right, height - 2, "iteration", "t small", Svg::Anchor::end);
  if (!leg.baseline) return;
  const double limit = axes.y(*leg.baseline * (1 - leg.max_drop));
  svg.line(left, limit, right, limit, "limit dashed");
  svg.text(right, limit - 4, "limit for the candidate's mean", "t small", Svg::Anchor::end);
}

std::string style_of(const PhaseValue& phase) {
  return fmt::format("s-{}", name(phase.side));
}

/// Where a point is drawn: inside, or at the edge that it lies beyond.
double drawn_y(const Axes& axes, double value) {
  return std::clamp(axes.y(value), top, bottom);
}

void draw_mark(Svg& svg, const Axes& axes, const PhaseValue& phase, const SeriesPoint& point) {
  constexpr double radius = 3;
  constexpr double arrow_room = 14;
  const double x = axes.x(static_cast<double>(point.iteration));
  const double y = drawn_y(axes, *point.throughput);
  std::string style = style_of(phase);
  if (point.use == IterationUse::warm_up) style += " hollow";
  const std::string tip =
      fmt::format("iteration {}: {} ({})", point.iteration, value_text(*point.throughput),
                  point.use == IterationUse::warm_up ? "warm-up, not counted" : name(point.use));
  const double exact = axes.y(*point.throughput);
  const bool outside = exact < top || exact > bottom;
  if (point.use == IterationUse::contaminated) {
    svg.cross(x, outside ? y + (exact < top ? arrow_room : -arrow_room) : y, radius + 1,
              style + " ring", tip);
  }
  if (outside) {
    svg.arrow(x, y, exact < top, style, tip);
  } else if (point.use == IterationUse::contaminated) {
    return;
  } else if (phase.side == Side::baseline) {
    svg.circle(x, y, radius, style, tip);
  } else {
    svg.square(x, y, radius - 0.4, style, tip);
  }
}

void draw_phase(Svg& svg, const Axes& axes, const PhaseValue& phase) {
  std::string line;
  std::size_t count = 0;
  for (const SeriesPoint& point : phase.series) {
    if (!point.throughput) continue;
    line += fmt::format("{}{} {}", line.empty() ? "M" : "L",
                        coordinate(axes.x(static_cast<double>(point.iteration))),
                        coordinate(drawn_y(axes, *point.throughput)));
    ++count;
  }
  if (count == 0) return;
  svg.path(line, style_of(phase) + (phase.phase > 2 ? " curve dashed" : " curve"),
           fmt::format("phase {} ({})", phase.phase, name(phase.side)));
  for (const SeriesPoint& point : phase.series) {
    const bool marked = count <= most_marks || point.use == IterationUse::contaminated;
    if (point.throughput && marked) draw_mark(svg, axes, phase, point);
  }
}

std::string description_of(const LegResult& leg) {
  std::string out = fmt::format("Throughput in {} over the iterations, one line a phase.",
                                shortened(leg.unit, 24));
  for (const PhaseValue& phase : leg.phases) {
    const auto count = [&](IterationUse use) {
      return static_cast<std::size_t>(
          std::count_if(phase.series.begin(), phase.series.end(),
                        [&](const SeriesPoint& point) { return point.use == use; }));
    };
    out +=
        fmt::format(" Phase {}, {}: median {}, {} measured, {} of warm-up, {} contaminated.",
                    phase.phase, name(phase.side), phase.median ? value_text(*phase.median) : "-",
                    count(IterationUse::measured), count(IterationUse::warm_up),
                    count(IterationUse::contaminated));
  }
  return out;
}

}  // namespace

std::string curve_chart(const LegResult& leg, std::size_t index) {
  const bool drawable = std::any_of(leg.phases.begin(), leg.phases.end(), [](const auto& phase) {
    return std::any_of(phase.series.begin(), phase.series.end(),
                       [](const SeriesPoint& point) { return point.throughput.has_value(); });
  });
  if (!drawable) return "";
  Svg svg(fmt::format("curve-{}", index), height,
          fmt::format("{} over the iterations", shortened(leg.precision, 24)), description_of(leg));
  const Axes axes = axes_of(leg);
  draw_axes(svg, axes, leg);
  for (const PhaseValue& phase : leg.phases)
    draw_phase(svg, axes, phase);
  return svg.render();
}

}  // namespace abgate::report
