#pragma once

#include <cstddef>
#include <vector>

namespace abgate::compare {

/// Positions of the times that are contaminated: further from the median than a factor of 1.5; or
/// than a factor of 1.1 with a modified z-score (0.6745 x distance / median absolute deviation)
/// above 5. Both directions: an iteration that was too fast did not do its work. On FORMATS 4's
/// real series this names the profiled iterations and nothing else.
std::vector<std::size_t> outliers(const std::vector<double>& times);

}  // namespace abgate::compare
