#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include <abgate/io/range.hpp>

namespace abgate::io {

Result<std::string, Error> read_range(const std::string& path, std::uint64_t offset,
                                      std::size_t limit) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Unexpected{Error{path, "could not be opened", errno}};
  std::string out(limit, '\0');
  std::size_t filled = 0;
  while (filled < limit) {
    const ssize_t got =
        ::pread(fd, out.data() + filled, limit - filled, static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int code = errno;
      ::close(fd);
      return Unexpected{Error{path, "could not be read", code}};
    }
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  ::close(fd);
  out.resize(filled);
  return out;
}

}  // namespace abgate::io
