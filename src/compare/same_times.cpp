#include "same_times.hpp"

#include <algorithm>
#include <cstddef>

namespace abgate::compare {

namespace {

bool same_time(const Iteration& a, const Iteration& b) {
  const bool known = a.elapsed_ms || a.tokens;
  return known && a.elapsed_ms == b.elapsed_ms && a.tokens == b.tokens;
}

}  // namespace

bool same_times(const LegSeries& a, const LegSeries& b) {
  constexpr std::ptrdiff_t fewest = 3;
  const auto shared =
      std::count_if(a.iterations.begin(), a.iterations.end(), [&](const Iteration& iteration) {
        return std::any_of(b.iterations.begin(), b.iterations.end(), [&](const Iteration& other) {
          return iteration.k == other.k && same_time(iteration, other);
        });
      });
  const auto all = static_cast<std::ptrdiff_t>(std::max(a.iterations.size(), b.iterations.size()));
  return shared >= fewest && 2 * shared >= all;
}

}  // namespace abgate::compare
