#pragma once

#include <optional>
#include <string>

#include <abgate/model/record.hpp>

namespace abgate::report {

/// `signal 15 (SIGTERM)`.
std::string signal_text(int signal);

/// A leg's numbers as every report shows them; `-` for what is missing.
struct LegText {
  std::string ratio;      ///< `0.9993`
  std::string change;     ///< `-0.07 %`
  std::string baseline;   ///< `8281.8`, without the unit
  std::string candidate;  ///< with as many decimals as the baseline
  std::string limit;      ///< `-2.0 %`
};

/// Ratio and change carry as many digits as it takes that a ratio below the limit reads as one
/// below it, and one that is not reads as one that is not.
LegText leg_text(const LegResult& leg);

/// A ratio with four decimals, or `-`.
std::string ratio_text(const std::optional<double>& ratio);

/// A throughput for people: at least one decimal and four significant digits.
std::string value_text(double value);

/// A fraction as a percentage: 0.012 with one decimal is `1.2 %`. Never `-0.0 %`.
std::string percent_text(double fraction, int decimals);

/// `2026-11-01 10:00:05Z`, or `-`.
std::string instant_text(const std::optional<time::Instant>& instant);

/// From one instant to another, or `-`.
std::string duration_text(const std::optional<time::Instant>& from,
                          const std::optional<time::Instant>& to);

/// How an engine ended: `exit 0`, `signal 9`, `timed out (phase budget)`.
std::string end_text(const ProcessEnd& end);

}  // namespace abgate::report
