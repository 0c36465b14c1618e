#include <cerrno>

#include <unistd.h>

#include <abgate/io/range.hpp>

#include "file.hpp"

namespace abgate::io {

Result<std::string, Error> read_range(const std::string& path, std::uint64_t offset,
                                      std::size_t limit) {
  const auto file = File::open(path, O_RDONLY);
  if (!file) return Unexpected{file.error()};
  if (::lseek(file->fd(), static_cast<off_t>(offset), SEEK_SET) < 0) {
    return failure(path, "could not be read");
  }
  std::string out(limit, '\0');
  std::size_t filled = 0;
  while (filled < limit) {
    const auto got = file->read(out.data() + filled, limit - filled);
    if (!got) return Unexpected{got.error()};
    if (*got == 0) break;
    filled += *got;
  }
  out.resize(filled);
  return out;
}

}  // namespace abgate::io
