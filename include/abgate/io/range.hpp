#pragma once

#include <cstdint>
#include <string>

#include <abgate/io/files.hpp>

namespace abgate::io {

/// At most `limit` bytes from `offset` on; less (or nothing) at the end of the file. For following
/// a log that grows.
Result<std::string, Error> read_range(const std::string& path, std::uint64_t offset,
                                      std::size_t limit);

}  // namespace abgate::io
