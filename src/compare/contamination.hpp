#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "inputs.hpp"

namespace abgate::compare {

/// One leg's iterations that do not belong to the rest.
struct Contamination {
  std::vector<const Iteration*> iterations;
  std::set<std::int64_t> numbers;
  double worst = 1;  ///< time of the worst one / median
};

Contamination contamination_of(const LegData& leg);

/// The curve of a leg, with what each iteration counts for. Of more than 2000 points it keeps every
/// n-th and all contaminated ones.
std::vector<SeriesPoint> curve_of(const GateConfig& config, const LegData& leg);

}  // namespace abgate::compare
