#include "same_times.hpp"

#include <algorithm>
#include <cstddef>

namespace abgate::compare {

bool same_times(const LegSeries& a, const LegSeries& b) {
  constexpr std::size_t fewest = 3;
  if (a.iterations.size() < fewest || a.iterations.size() != b.iterations.size()) return false;
  return std::equal(a.iterations.begin(), a.iterations.end(), b.iterations.begin(),
                    [](const Iteration& x, const Iteration& y) {
                      const bool known = x.elapsed_ms || x.tokens;
                      return known && x.k == y.k && x.elapsed_ms == y.elapsed_ms &&
                             x.tokens == y.tokens;
                    });
}

}  // namespace abgate::compare
