#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace abgate::compare {
namespace {

double count_of(const std::vector<double>& values) {
  return static_cast<double>(values.size());
}

}  // namespace

std::optional<double> arithmetic_mean(const std::vector<double>& values) {
  if (values.empty()) return {};
  return std::accumulate(values.begin(), values.end(), 0.0) / count_of(values);
}

std::optional<double> harmonic_mean(const std::vector<double>& values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double value : values)
    sum += 1 / value;
  return count_of(values) / sum;
}

std::optional<double> geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return {};
  // One value must come back exactly: a ratio at the limit is not to be moved by a logarithm.
  if (values.size() == 1) return values.front();
  double sum = 0;
  for (const double value : values)
    sum += std::log(value);
  return std::exp(sum / count_of(values));
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

std::optional<double> median_deviation(const std::vector<double>& values) {
  const auto center = median(values);
  if (!center) return {};
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values)
    deviations.push_back(std::abs(value - *center));
  return median(std::move(deviations));
}

std::optional<double> spread(const std::vector<double>& values) {
  const auto mean = arithmetic_mean(values);
  if (values.size() < 2) return {};
  double squares = 0;
  for (const double value : values)
    squares += (value - *mean) * (value - *mean);
  return std::sqrt(squares / (count_of(values) - 1)) / *mean;
}

std::optional<double> drift(const std::vector<double>& values) {
  if (values.size() < 6) return {};
  const auto third = static_cast<std::ptrdiff_t>(values.size() / 3);
  const auto first = median({values.begin(), std::next(values.begin(), third)});
  const auto last = median({std::prev(values.end(), third), values.end()});
  return *last / *first - 1;
}

std::optional<double> autocorrelation(const std::vector<double>& values) {
  if (values.size() < 3) return {};
  const double mean = *arithmetic_mean(values);
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
  }
  if (!(squares > 0)) return {};
  return products / squares;
}

double relative_difference(double a, double b) {
  return std::abs(a - b) / std::abs(b);
}

}  // namespace abgate::compare
