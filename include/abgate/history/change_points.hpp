#pragma once

#include <cstddef>
#include <vector>

namespace abgate::history {

/// The least number of values on either side of a change: a shorter excursion is no new level.
inline constexpr std::size_t shortest_level = 5;

/// Indices at which a new level of the mean begins, ascending. Deterministic, O(n log n).
///
/// Seeded binary segmentation (Kovács, Bühlmann, Li, Munk, Biometrika 110, 2023) of the CUSUM
/// statistic, the narrowest interval over the threshold first (Baranowski, Chen, Fryzlewicz, JRSS B
/// 81, 2019). The noise is the median absolute first difference, so that a change does not hide
/// itself; single outliers are replaced by the median of their neighbours (Hampel's identifier).
/// docs/history.md says what it finds and how often it errs.
std::vector<std::size_t> change_points(const std::vector<double>& values);

}  // namespace abgate::history
