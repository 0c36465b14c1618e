#pragma once

#include <abgate/model/evidence.hpp>

namespace abgate::compare {

/// Both series have the same iterations with the same elapsed times (throughput where a line has
/// no time), in the same order. Fewer than three iterations prove nothing.
bool same_times(const LegSeries& a, const LegSeries& b);

}  // namespace abgate::compare
