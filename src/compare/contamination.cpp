#include "contamination.hpp"

#include <algorithm>
#include <cstddef>

#include "outliers.hpp"
#include "statistics.hpp"

namespace abgate::compare {

Contamination contamination_of(const LegData& leg) {
  std::vector<const Iteration*> timed;
  std::vector<double> times;
  for (const Iteration* iteration : leg.measured) {
    double time = seconds_of(*iteration);
    if (!(time > 0) && iteration->tokens && *iteration->tokens > 0) time = 1 / *iteration->tokens;
    if (!(time > 0)) continue;
    timed.push_back(iteration);
    times.push_back(time);
  }
  Contamination out;
  const double center = median(times).value_or(1);
  double furthest = 1;
  for (const std::size_t i : outliers(times)) {
    out.iterations.push_back(timed[i]);
    out.numbers.insert(timed[i]->k);
    const double factor = std::max(times[i] / center, center / times[i]);
    if (factor > furthest) {
      furthest = factor;
      out.worst = times[i] / center;
    }
  }
  return out;
}

std::vector<SeriesPoint> curve_of(const GateConfig& config, const LegData& leg) {
  constexpr std::size_t most = 2000;
  std::vector<SeriesPoint> points;
  if (leg.series == nullptr) return points;
  const std::set<const Iteration*> measured(leg.measured.begin(), leg.measured.end());
  const std::set<std::int64_t> contaminated = contamination_of(leg).numbers;
  const std::vector<Iteration>& iterations = leg.series->iterations;
  const std::size_t stride = (iterations.size() + most - 1) / most;
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    const Iteration& iteration = iterations[i];
    SeriesPoint point{iteration.k, iteration.tokens, IterationUse::measured};
    if (!point.throughput) point.throughput = recomputed_tokens(config, leg, iteration);
    if (point.throughput && !(*point.throughput > 0)) point.throughput.reset();
    if (!measured.contains(&iteration)) {
      point.use = IterationUse::warm_up;
    } else if (contaminated.contains(iteration.k)) {
      point.use = IterationUse::contaminated;
    }
    if (i % stride == 0 || point.use == IterationUse::contaminated) points.push_back(point);
  }
  return points;
}

}  // namespace abgate::compare
