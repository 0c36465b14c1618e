#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace abgate::test {

/// The bytes of a file. A file that can't be read fails the current test and reads as empty.
std::string read_file(const std::filesystem::path& path);

/// The same, but a file that is not there (yet) reads as empty.
std::string slurp(const std::filesystem::path& path);

/// Writes a file and the folders above it; a failure to do so fails the current test.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace abgate::test
