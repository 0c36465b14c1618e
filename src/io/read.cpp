#include <algorithm>
#include <cerrno>

#include "file.hpp"

namespace abgate::io {
namespace {

/// Calls `take` with every block until it returns false.
template <class Take>
Status<Error> each_block(const File& file, const Take& take) {
  // Logs of a gigabyte are read once, from front to back.
  ::posix_fadvise(file.fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
  std::string block(block_size, '\0');
  while (true) {
    const auto got = file.read(block.data(), block.size());
    if (!got) return Unexpected{got.error()};
    if (*got == 0 || !take(std::string_view(block.data(), *got))) return {};
  }
}

}  // namespace

Result<std::string, Error> read_file(const std::string& path, std::uint64_t limit) {
  const auto file = File::open(path, O_RDONLY);
  if (!file) return Unexpected{file.error()};
  const auto status = file->status();
  if (!status) return Unexpected{status.error()};

  std::string text;
  // Files of /proc and pipes say 0, so the size is a hint and the limit is kept while reading.
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(status->st_size, 0));
  bool too_large = S_ISREG(status->st_mode) && size > limit;
  if (!too_large) {
    if (S_ISREG(status->st_mode)) text.reserve(static_cast<std::size_t>(size));
    auto read = each_block(*file, [&](std::string_view block) {
      too_large = block.size() > limit - text.size();
      if (!too_large) text.append(block);
      return !too_large;
    });
    if (!read) return Unexpected{read.error()};
  }
  if (too_large) return failure(path, "could not be read", EFBIG);
  return text;
}

Status<Error> read_blocks(const std::string& path,
                          const std::function<void(std::string_view)>& take) {
  const auto file = File::open(path, O_RDONLY);
  if (!file) return Unexpected{file.error()};
  return each_block(*file, [&](std::string_view block) {
    take(block);
    return true;
  });
}

}  // namespace abgate::io
