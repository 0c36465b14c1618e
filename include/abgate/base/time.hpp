#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace abgate::time {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

/// RFC 3339 in UTC: `2026-11-01T10:00:00.000Z`.
std::string to_rfc3339(Instant instant);

/// Reads `2026-11-01T10:00:00[.fff](Z|+hh:mm)`.
std::optional<Instant> parse_rfc3339(std::string_view s);

}  // namespace abgate::time
