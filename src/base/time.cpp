#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/time.hpp>

namespace abgate::time {

namespace chrono = std::chrono;

namespace {

std::optional<std::int64_t> two_digits(std::string_view s, std::int64_t most) {
  if (s.find_first_not_of("0123456789") != std::string_view::npos) return {};
  const auto value = number::parse_integer(s);
  return value && *value <= most ? value : std::nullopt;
}

}  // namespace

std::string to_rfc3339(Instant instant) {
  const auto midnight = chrono::floor<chrono::days>(instant);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss clock(instant - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<Instant> parse_rfc3339(std::string_view s) {
  constexpr std::string_view shape = "0000-00-00T00:00:00";
  if (s.size() < shape.size() + 1) return {};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool digit = s[i] >= '0' && s[i] <= '9';
    if (shape[i] == '0' ? !digit : s[i] != shape[i]) return {};
  }
  const auto field = [&](std::size_t at, std::size_t length) {
    return static_cast<int>(number::parse_integer(s.substr(at, length)).value_or(0));
  };
  const chrono::year_month_day date{chrono::year(field(0, 4)),
                                    chrono::month(static_cast<unsigned>(field(5, 2))),
                                    chrono::day(static_cast<unsigned>(field(8, 2)))};
  if (!date.ok() || field(11, 2) > 23 || field(14, 2) > 59 || field(17, 2) > 59) return {};
  Instant instant = chrono::sys_days(date) + chrono::hours(field(11, 2)) +
                    chrono::minutes(field(14, 2)) + chrono::seconds(field(17, 2));
  s.remove_prefix(shape.size());
  if (s.front() == '.') {
    const std::size_t end = s.find_first_not_of("0123456789", 1);
    if (end == std::string_view::npos || end == 1) return {};
    const std::string padded = std::string(s.substr(1, end - 1)) + "00";
    instant += chrono::milliseconds(*number::parse_integer(std::string_view(padded).substr(0, 3)));
    s.remove_prefix(end);
  }
  if (s == "Z") return instant;
  if (s.size() != 6 || (s[0] != '+' && s[0] != '-') || s[3] != ':') return {};
  const auto hours = two_digits(s.substr(1, 2), 23);
  const auto minutes = two_digits(s.substr(4, 2), 59);
  if (!hours || !minutes) return {};
  const auto offset = chrono::hours(*hours) + chrono::minutes(*minutes);
  return s[0] == '+' ? instant - offset : instant + offset;
}

}  // namespace abgate::time
