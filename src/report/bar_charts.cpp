#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/report/format.hpp>

#include "charts.hpp"
#include "escape.hpp"
#include "svg.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

constexpr double left = 8;
constexpr double right = Svg::width - 8;

/// One bar with its words above it.
struct Bar {
  std::string label;
  std::string value;
  std::string style;
  double from = 0;
  double to = 0;
};

constexpr double bar_height = 30;

void draw_bar(Svg& svg, const Scale& x, const Bar& bar, double top) {
  svg.text(left, top + 11, bar.label, "t");
  svg.text(right, top + 11, bar.value, "t", Svg::Anchor::end);
  svg.rect(x(bar.from), top + 15, x(bar.to) - x(bar.from), 9, bar.style,
           fmt::format("{}: {}", bar.label, bar.value));
}

double draw_bars(Svg& svg, const Scale& x, const std::vector<Bar>& bars) {
  double top = 0;
  for (const Bar& bar : bars) {
    draw_bar(svg, x, bar, top);
    top += bar_height;
  }
  return top;
}

double minutes_between(time::Instant from, time::Instant to) {
  return std::chrono::duration<double, std::ratio<60>>(to - from).count();
}

/// First and last time of a record.
struct Span {
  std::optional<time::Instant> first;
  std::optional<time::Instant> last;

  void include(const std::optional<time::Instant>& instant) {
    if (!instant) return;
    if (!first || *instant < *first) first = instant;
    if (!last || *instant > *last) last = instant;
  }
};

Span span_of(const GateRecord& record) {
  Span span;
  span.include(record.started);
  span.include(record.finished);
  for (const PhaseRecord& phase : record.phases) {
    span.include(phase.start);
    span.include(phase.end);
  }
  if (record.allocation) {
    span.include(record.allocation->submitted);
    span.include(record.allocation->granted);
    span.include(record.allocation->ended);
  }
  return span;
}

/// A bar from one time to another; to the end of the record when it is open.
void add_bar(std::vector<Bar>& bars, const Span& span, std::string label, std::string_view style,
             const std::optional<time::Instant>& from, const std::optional<time::Instant>& to) {
  if (!from) return;
  const time::Instant end = to.value_or(*span.last);
  bars.push_back(
      {std::move(label), to ? duration_text(from, to) : duration_text(from, end) + ", no end known",
       std::string(style), minutes_between(*span.first, *from), minutes_between(*span.first, end)});
}

std::vector<Bar> times_of(const GateRecord& record, const Span& span) {
  std::vector<Bar> bars;
  if (record.allocation) {
    const AllocationRecord& allocation = *record.allocation;
    add_bar(bars, span, "waiting for nodes", "waiting", allocation.submitted,
            allocation.granted ? allocation.granted : allocation.ended);
    add_bar(bars, span, "nodes held", "held", allocation.granted, allocation.ended);
  }
  for (const PhaseRecord& phase : record.phases) {
    add_bar(
        bars, span,
        fmt::format("phase {} {}: {}", phase.index, name(phase.side), shortened(end_of(phase), 30)),
        fmt::format("s-{}", name(phase.side)), phase.start, phase.end);
  }
  return bars;
}

}  // namespace

std::string memory_chart(const std::vector<LegResult>& legs) {
  std::vector<Bar> bars;
  double most = 0;
  for (const LegResult& leg : legs) {
    for (const PhaseValue& phase : leg.phases) {
      if (!phase.peak_hbm_gb) continue;
      bars.push_back({fmt::format("{} phase {} {}", shortened(leg.precision, 16), phase.phase,
                                  name(phase.side)),
                      value_text(*phase.peak_hbm_gb) + " GB", fmt::format("s-{}", name(phase.side)),
                      0, *phase.peak_hbm_gb});
      most = std::max(most, *phase.peak_hbm_gb);
    }
  }
  if (bars.empty()) return "";
  std::string description = "Largest value that a measured iteration printed, on a scale from 0.";
  for (const Bar& bar : bars)
    description += fmt::format(" {}: {}.", bar.label, bar.value);
  Svg svg("memory", bar_height * static_cast<double>(bars.size()), "Peak memory of a GPU",
          description);
  draw_bars(svg, {0, most > 0 ? most : 1, left, right}, bars);
  return svg.render();
}

std::string timeline_chart(const GateRecord& record) {
  const Span span = span_of(record);
  if (!span.first || *span.first == *span.last) return "";
  const std::vector<Bar> bars = times_of(record, span);
  if (bars.empty()) return "";
  const double whole = minutes_between(*span.first, *span.last);
  std::string description = fmt::format("From {} on, to scale.", instant_text(span.first));
  for (const Bar& bar : bars)
    description += fmt::format(" {}: {}.", bar.label, bar.value);
  const double bottom = bar_height * static_cast<double>(bars.size());
  Svg svg("times", bottom + 16, "What the time went into", description);
  const Scale x{0, whole, left, right};
  draw_bars(svg, x, bars);
  svg.line(left, bottom, right, bottom, "axis");
  svg.text(left, bottom + 12, instant_text(span.first), "t small");
  svg.text(right, bottom + 12, instant_text(span.last), "t small", Svg::Anchor::end);
  return svg.render();
}

}  // namespace abgate::report
