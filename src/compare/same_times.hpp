#pragma once

#include <abgate/model/evidence.hpp>

namespace abgate::compare {

/// The two series are one measurement: half or more of the iterations took the same time to the
/// last printed digit (throughput where a line has no time), and at least three did. Two runs share
/// one by chance, not half; a copy with a few edited lines still shares most.
bool same_times(const LegSeries& a, const LegSeries& b);

}  // namespace abgate::compare
