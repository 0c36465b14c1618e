#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace abgate::standin {

std::optional<std::string> read_file(const std::filesystem::path& path);

/// Creates the parent folders. False when the file could not be written whole.
bool write_file(const std::filesystem::path& path, std::string_view text);

/// `20261008 12:01:00` and the like, UTC, by strftime's format.
std::string utc_now(const char* format);

}  // namespace abgate::standin
