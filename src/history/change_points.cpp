#include <algorithm>
#include <cmath>
#include <span>

#include <abgate/history/change_points.hpp>

namespace abgate::history {
namespace {

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Standard deviation of the noise, by first differences: a step moves one of them only.
double noise_of(const std::vector<double>& values) {
  std::vector<double> differences;
  for (std::size_t i = 1; i < values.size(); ++i)
    differences.push_back(std::abs(values[i] - values[i - 1]));
  constexpr double mad_to_sigma = 1.4826;  // of a normal distribution
  const double sigma = mad_to_sigma * median_of(std::move(differences)) / std::sqrt(2.0);
  // Values that mostly repeat would make any difference infinitely many sigmas.
  constexpr double least_noise = 1e-5;
  return std::max(sigma, least_noise * std::abs(median_of(values)));
}

/// Hampel's identifier: a value far from the median of its neighbourhood becomes that median. A
/// step keeps its place, since the median follows the majority.
std::vector<double> without_outliers(const std::vector<double>& values, double noise) {
  constexpr std::size_t reach = 3;
  constexpr double far = 3.5;
  std::vector<double> out = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t begin = i < reach ? 0 : i - reach;
    const std::size_t end = std::min(values.size(), i + reach + 1);
    const auto around = std::span(values).subspan(begin, end - begin);
    const double middle = median_of({around.begin(), around.end()});
    if (std::abs(values[i] - middle) > far * noise) out[i] = middle;
  }
  return out;
}

struct Split {
  std::size_t begin = 0, end = 0;  ///< the interval in which it was looked for
  std::size_t at = 0;              ///< first index of the new level
  double statistic = 0;            ///< CUSUM, in units of the noise
};

class Segmentation {
 public:
  Segmentation(const std::vector<double>& values, double noise) : noise_(noise) {
    const double origin = median_of(values);  // small sums lose fewer digits
    sums_.push_back(0);
    for (const double value : values)
      sums_.push_back(sums_.back() + (value - origin));
  }

  /// The best split of an interval that leaves whole levels on both sides.
  Split best(std::size_t begin, std::size_t end) const {
    Split out{begin, end, begin, 0};
    for (std::size_t at = begin + shortest_level; at + shortest_level <= end; ++at) {
      const auto left = static_cast<double>(at - begin);
      const auto right = static_cast<double>(end - at);
      const double gap =
          std::abs((sums_[end] - sums_[at]) / right - (sums_[at] - sums_[begin]) / left);
      const double statistic = std::sqrt(left * right / (left + right)) * gap / noise_;
      if (statistic > out.statistic) {
        out.statistic = statistic;
        out.at = at;
      }
    }
    return out;
  }

  std::size_t size() const { return sums_.size() - 1; }

 private:
  std::vector<double> sums_;
  double noise_;
};

/// What pure noise practically never reaches: docs/history.md has the simulation. Short series
/// know their own noise badly and get a margin.
double threshold(std::size_t size) {
  constexpr double margin = 2.5;
  constexpr double short_margin = 40;
  const auto n = static_cast<double>(size);
  return std::sqrt(2 * std::log(n)) + margin + short_margin / n;
}

/// The splits over the threshold in intervals of lengths n, n/sqrt(2), n/2, …, each length laid
/// over the series with at least half an overlap.
std::vector<Split> candidates(const Segmentation& segmentation) {
  const std::size_t n = segmentation.size();
  const double least = threshold(n);
  std::vector<Split> found;
  for (int halvings = 0;; ++halvings) {  // each by the square root of 2
    const double length = static_cast<double>(n) / std::pow(2.0, halvings / 2.0);
    if (length < 2.0 * shortest_level) break;
    const auto count = 2 * static_cast<std::size_t>(std::ceil(static_cast<double>(n) / length)) - 1;
    const double shift =
        count == 1 ? 0 : (static_cast<double>(n) - length) / static_cast<double>(count - 1);
    for (std::size_t i = 0; i < count; ++i) {
      const double start = static_cast<double>(i) * shift;
      const auto begin = static_cast<std::size_t>(start);
      const auto end = std::min(n, static_cast<std::size_t>(std::ceil(start + length)));
      const Split split = segmentation.best(begin, end);
      if (split.statistic > least) found.push_back(split);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Split& a, const Split& b) {
    return a.end - a.begin < b.end - b.begin;
  });
  return found;
}

/// A narrow interval can place a change badly, and the next one find it again beside: two splits
/// that one explains as well become one.
void merge(const Segmentation& segmentation, std::vector<std::size_t>& points) {
  const double least = threshold(segmentation.size());
  const auto quiet = [&](std::size_t begin, std::size_t end) {
    return segmentation.best(begin, end).statistic <= least;
  };
  for (std::size_t i = 0; i + 1 < points.size();) {
    const std::size_t begin = i == 0 ? 0 : points[i - 1];
    const std::size_t end = i + 2 < points.size() ? points[i + 2] : segmentation.size();
    const std::size_t one = segmentation.best(begin, end).at;
    if (!quiet(begin, one) || !quiet(one, end)) {
      ++i;
      continue;
    }
    points[i] = one;
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    if (i > 0) --i;
  }
}

}  // namespace

std::vector<std::size_t> change_points(const std::vector<double>& values) {
  if (values.size() < 2 * shortest_level) return {};
  const double noise = noise_of(values);
  if (!(noise > 0)) return {};
  const Segmentation segmentation(without_outliers(values, noise), noise);
  std::vector<std::size_t> points;  // ascending
  for (const Split& split : candidates(segmentation)) {
    const auto next = std::upper_bound(points.begin(), points.end(), split.begin);
    // An interval around a change that is known tells nothing new.
    if (next != points.end() && *next < split.end) continue;
    points.insert(next, split.at);
  }
  merge(segmentation, points);
  // All values between its neighbours place a change best.
  const std::vector<std::size_t> rough = points;
  std::vector<std::size_t> placed;
  for (std::size_t i = 0; i < rough.size(); ++i) {
    const std::size_t begin = placed.empty() ? 0 : placed.back();
    const std::size_t end = i + 1 < rough.size() ? rough[i + 1] : values.size();
    const Split split = segmentation.best(begin, end);
    if (split.statistic > threshold(values.size())) placed.push_back(split.at);
  }
  return placed;
}

}  // namespace abgate::history
