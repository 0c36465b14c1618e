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

std::string shortest(double value) {
  return fmt::format("{}", value);
}

}  // namespace abgate::number
