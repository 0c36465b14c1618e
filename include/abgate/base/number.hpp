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

/// The shortest text that reads back as the same double.
std::string shortest(double value);

}  // namespace abgate::number
