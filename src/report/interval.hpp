#pragma once

#include <optional>

#include <abgate/model/verdict.hpp>

namespace abgate::report {

struct Interval {
  double low = 0;
  double high = 0;
};

/// 95 % interval of a leg's ratio from the scatter of the iterations within the phases alone. The
/// number of iterations is reduced by their autocorrelation: n (1 - r) / (1 + r). The noise between
/// runs is not in it (LESSONS 16). Nothing when a phase lacks its scatter.
std::optional<Interval> scatter_interval(const LegResult& leg);

}  // namespace abgate::report
