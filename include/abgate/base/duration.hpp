#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace abgate::duration {

using std::chrono::seconds;

/// Reads `HH:MM:SS`, `D-HH:MM:SS` (Slurm's forms) and `90m`, `2h`, `45s`, `1d`, `1h30m`. A bare
/// number is refused: Slurm reads it as minutes, everybody else as seconds. Zero is read; whether
/// it makes sense is the caller's affair.
std::optional<seconds> parse(std::string_view s);

/// What `parse` accepts, for error messages.
inline constexpr std::string_view accepted_forms = "04:00:00, 1-02:00:00, 90m, 1h30m or 45s";

/// Slurm's form: `HH:MM:SS`, or `D-HH:MM:SS` from one day on.
std::string to_slurm(seconds value);

/// For people: `53 min 10 s`, `2 h 5 min`, `45 s`.
std::string to_human(seconds value);

}  // namespace abgate::duration
