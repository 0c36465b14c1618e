#include "outliers.hpp"

#include <algorithm>
#include <cmath>

#include "statistics.hpp"

namespace abgate::compare {

std::vector<std::size_t> outliers(const std::vector<double>& times) {
  constexpr double surely = 1.5;
  constexpr double possibly = 1.1;
  constexpr double highest_score = 5;
  constexpr double normal_quartile = 0.6745;
  std::vector<std::size_t> out;
  const auto center = median(times);
  if (!center || !(*center > 0)) return out;
  const double deviation = *median_deviation(times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double factor = std::max(times[i] / *center, *center / times[i]);
    // Written without a division: more than half of the times can be equal.
    const bool far = normal_quartile * std::abs(times[i] - *center) > highest_score * deviation;
    if (factor > surely || (factor > possibly && far)) out.push_back(i);
  }
  return out;
}

}  // namespace abgate::compare
