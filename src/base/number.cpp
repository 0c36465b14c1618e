#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <abgate/base/number.hpp>

namespace abgate::number {

std::optional<double> parse_finite(std::string_view s) {
  // from_chars takes no leading '+', no blanks and no hex here; it does read "inf" and "nan".
  double value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view s) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size()) return {};
  return value;
}

std::optional<std::int64_t> parse_count(std::string_view s) {
  if (const auto integer = parse_integer(s)) return integer;
  const auto value = parse_finite(s);
  constexpr double exact = 9007199254740992.0;  // 2^53: beyond it a double skips integers
  if (!value || std::trunc(*value) != *value || std::abs(*value) > exact) return {};
  return static_cast<std::int64_t>(*value);
}

std::string fixed(double value, int digits) {
  return fmt::format("{:.{}f}", value, digits);
}

double as_shown(double value, int decimals) {
  return parse_finite(fixed(value, decimals)).value_or(value);
}

int telling_decimals(double value, bool below, double shown_limit, int least) {
  constexpr int most = 17;  // of a ratio near 1: a double holds no more
  int decimals = least;
  while (decimals < most && below != (as_shown(value, decimals) < shown_limit))
    ++decimals;
  return decimals;
}

int value_decimals(double value) {
  constexpr int significant = 4;
  constexpr int most = 12;
  if (!(value > 0) || !std::isfinite(value)) return 1;
  return std::clamp(significant - 1 - static_cast<int>(std::floor(std::log10(value))), 1, most);
}

std::string value_with(double value, int decimals) {
  return std::abs(value) < largest_fixed ? fixed(value, decimals) : shortest(value);
}

std::string signed_percent(double percent, int decimals) {
  const double shown = as_shown(percent, decimals);
  const std::string digits = fixed(std::abs(percent), decimals);
  if (shown == 0) return digits + " %";
  return (shown < 0 ? "-" : "+") + digits + " %";
}

std::string shortest(double value) {
  return fmt::format("{}", value);
}

}  // namespace abgate::number
