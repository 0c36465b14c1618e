#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace abgate::number {

/// The whole text as a finite decimal number; nothing for NaN, inf, 1e999, an empty text, hex,
/// blanks or trailing junk (LESSONS 4).
std::optional<double> parse_finite(std::string_view s);

/// The whole text as an integer; `2.0` and `2,0` are not integers.
std::optional<std::int64_t> parse_integer(std::string_view s);

/// An integer that a gappy pandas column turned into `2.0` (FORMATS 3); `2.5` is none.
std::optional<std::int64_t> parse_count(std::string_view s);

/// Fixed notation with `digits` decimals; independent of the locale.
std::string fixed(double value, int digits);

/// The value as it is read back from its text of that many decimals.
double as_shown(double value, int decimals);

/// The fewest decimals, from `least` on, at which a value reads as below the shown limit exactly
/// when it is `below`.
int telling_decimals(double value, bool below, double shown_limit, int least);

/// Decimals that show at least one decimal and four significant digits.
int value_decimals(double value);

/// From here on fixed notation shows digits that mean nothing.
inline constexpr double largest_fixed = 1e15;

/// Fixed notation, or the shortest one where fixed digits would mean nothing (from 1e15 on).
std::string value_with(double value, int decimals);

/// `+0.12 %`, `-2.00 %`, and `0.00 %` without a sign.
std::string signed_percent(double percent, int decimals);

/// The shortest text that reads back as the same double.
std::string shortest(double value);

}  // namespace abgate::number
