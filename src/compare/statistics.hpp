#pragma once

#include <optional>
#include <vector>

namespace abgate::compare {

// Nothing when there are too few values; callers give finite, positive values.
std::optional<double> arithmetic_mean(const std::vector<double>& values);
std::optional<double> harmonic_mean(const std::vector<double>& values);
std::optional<double> geometric_mean(const std::vector<double>& values);
std::optional<double> median(std::vector<double> values);
/// Median absolute deviation from the median, not scaled.
std::optional<double> median_deviation(const std::vector<double>& values);
/// Sample standard deviation / mean; needs two values.
std::optional<double> spread(const std::vector<double>& values);
/// Median of the last third / median of the first third - 1; needs six values. Medians, so that
/// one profiled iteration is no drift.
std::optional<double> drift(const std::vector<double>& values);
/// Autocorrelation at lag 1, from -1 to 1; needs three values that are not all equal.
std::optional<double> autocorrelation(const std::vector<double>& values);

/// |a - b| / |b|.
double relative_difference(double a, double b);

}  // namespace abgate::compare
