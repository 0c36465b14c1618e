#include "interval.hpp"

#include <algorithm>
#include <cmath>

namespace abgate::report {
namespace {

/// Variance of a phase's mean, relative to the mean.
std::optional<double> relative_variance(const PhaseValue& value) {
  constexpr std::int64_t fewest = 3;
  constexpr double strongest = 0.9;  // beyond it nothing can be said of so few iterations
  if (!value.spread || value.measured_iterations < fewest) return {};
  const double r = std::clamp(value.autocorrelation.value_or(0), 0.0, strongest);
  const double n = static_cast<double>(value.measured_iterations) * (1 - r) / (1 + r);
  return *value.spread * *value.spread / n;
}

}  // namespace

std::optional<Interval> scatter_interval(const LegResult& leg) {
  if (!leg.ratio) return {};
  double variance = 0;  // of the logarithm of the ratio
  for (const Side side : {Side::baseline, Side::candidate}) {
    double sum = 0;
    double phases = 0;
    for (const PhaseValue& value : leg.phases) {
      if (value.side != side) continue;
      const auto own = relative_variance(value);
      if (!own) return {};
      sum += *own;
      ++phases;
    }
    if (phases == 0) return {};
    variance += sum / (phases * phases);
  }
  constexpr double normal_95 = 1.96;
  const double factor = std::exp(normal_95 * std::sqrt(variance));
  if (!std::isfinite(*leg.ratio * factor)) return {};
  return Interval{*leg.ratio / factor, *leg.ratio * factor};
}

}  // namespace abgate::report
