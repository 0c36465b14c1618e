#include <cerrno>

#include <sys/statvfs.h>

#include <abgate/io/files.hpp>

namespace abgate::io {

Result<std::uint64_t, Error> free_space(const std::string& path) {
  struct statvfs state {};
  while (::statvfs(path.c_str(), &state) != 0) {
    if (errno != EINTR)
      return Unexpected{Error{path, "could not be asked for its free space", errno}};
  }
  return static_cast<std::uint64_t>(state.f_bavail) * state.f_frsize;
}

}  // namespace abgate::io
