#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abgate/history/history.hpp>

namespace abgate::history {

/// One leg of one gate; both point into a History.
struct Point {
  const Entry* entry = nullptr;
  const Leg* leg = nullptr;
};

/// True for a ratio that counts in a trend: judged PASS or REGRESSION, and no A/A gate.
bool counts(const Point& point);

/// One leg over time: what is measured in the same way on the same kind of place.
struct Series {
  std::string workload;
  std::string cluster;
  std::size_t nodes = 0;
  std::string precision;
  std::string unit;
  std::vector<Point> points;  ///< by start; those that don't count too
};
/// All series of a history, in the order in which they first appear; the history must outlive them.
std::vector<Series> series_of(const History& history);

/// Are the ratios below 1 as often as above? A fair coin lands as lopsidedly, or more so, with
/// probability p (two-sided sign test).
struct SignBalance {
  std::int64_t below = 0;
  std::int64_t above = 0;
  std::int64_t equal = 0;
  double p = 1;
};
SignBalance sign_balance(const std::vector<double>& ratios);

/// Consecutive gates between two changes.
struct Level {
  std::size_t first = 0;  ///< index in Trend::points
  std::size_t count = 0;
  double mean = 0;
};

struct Trend {
  std::vector<Point> points;  ///< of the series, those that count
  SignBalance signs;
  std::optional<double> mean_ratio;  ///< geometric
  // One level: no change was found. Empty: no point has the value.
  std::vector<Level> ratio;
  std::vector<Level> baseline;
  std::vector<Level> candidate;
  /// The ratio of the last level stands below that of the best earlier one, yet above the limit:
  /// no single gate would have told.
  bool creeping = false;
};
Trend trend_of(const Series& series);

}  // namespace abgate::history
