#include <limits>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::duration {
namespace {

constexpr std::int64_t minute = 60;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t day = 24 * hour;
/// A year: beyond it a duration is a typing error, and sums cannot overflow.
constexpr std::int64_t longest = 366 * day;

std::optional<std::int64_t> digits(std::string_view s, std::size_t shortest_text,
                                   std::size_t longest_text) {
  if (s.size() < shortest_text || s.size() > longest_text) return {};
  if (s.find_first_not_of("0123456789") != std::string_view::npos) return {};
  return number::parse_integer(s);
}

std::optional<seconds> bounded(std::int64_t total) {
  if (total > longest) return {};
  return seconds(total);
}

std::optional<seconds> parse_clock(std::string_view s) {
  std::int64_t days = 0;
  std::int64_t most_hours = 999;
  if (const std::size_t dash = s.find('-'); dash != std::string_view::npos) {
    const auto value = digits(s.substr(0, dash), 1, 3);
    if (!value) return {};
    days = *value;
    most_hours = 23;  // 1-30:00:00 is a typing error
    s.remove_prefix(dash + 1);
  }
  const auto parts = text::split(s, ':');
  if (parts.size() != 3) return {};
  const auto hours = digits(parts[0], 1, 3);
  const auto minutes = digits(parts[1], 2, 2);
  const auto secs = digits(parts[2], 2, 2);
  if (!hours || !minutes || !secs || *hours > most_hours || *minutes > 59 || *secs > 59) return {};
  return bounded(days * day + *hours * hour + *minutes * minute + *secs);
}

std::optional<seconds> parse_units(std::string_view s) {
  std::int64_t total = 0;
  std::int64_t previous = std::numeric_limits<std::int64_t>::max();
  while (!s.empty()) {
    const std::size_t end = s.find_first_not_of("0123456789");
    if (end == std::string_view::npos) return {};
    const auto count = digits(s.substr(0, end), 1, 9);
    std::int64_t unit = 0;
    switch (s[end]) {
      case 'd':
        unit = day;
        break;
      case 'h':
        unit = hour;
        break;
      case 'm':
        unit = minute;
        break;
      case 's':
        unit = 1;
        break;
      default:
        return {};
    }
    if (!count || unit >= previous) return {};  // 30m1h and 1h1h are typing errors
    previous = unit;
    total += *count * unit;
    s.remove_prefix(end + 1);
  }
  return bounded(total);
}

}  // namespace

std::optional<seconds> parse(std::string_view s) {
  if (s.empty()) return {};
  return s.find(':') != std::string_view::npos ? parse_clock(s) : parse_units(s);
}

std::string to_slurm(seconds value) {
  const std::int64_t total = value.count();
  const std::string clock =
      fmt::format("{:02}:{:02}:{:02}", total % day / hour, total % hour / minute, total % minute);
  return total >= day ? fmt::format("{}-{}", total / day, clock) : clock;
}

std::string to_human(seconds value) {
  const std::int64_t total = value.count();
  if (total < 0) return "-" + to_human(-value);
  if (total < minute) return fmt::format("{} s", total);
  if (total < hour) {
    return total % minute == 0 ? fmt::format("{} min", total / minute)
                               : fmt::format("{} min {} s", total / minute, total % minute);
  }
  return total % hour / minute == 0
             ? fmt::format("{} h", total / hour)
             : fmt::format("{} h {} min", total / hour, total % hour / minute);
}

}  // namespace abgate::duration
