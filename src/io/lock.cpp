#include <cerrno>

#include <sys/file.h>
#include <unistd.h>

#include <abgate/io/lock.hpp>

#include "file.hpp"

namespace abgate::io {

Result<FolderLock, Error> FolderLock::take(const std::string& directory) {
  auto file = File::open(directory + "/gate.lock", O_RDWR | O_CREAT | O_CLOEXEC);
  if (!file) return Unexpected{file.error()};
  while (::flock(file->fd(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return failure(file->path(), "could not be locked");
  }
  return FolderLock(file->release());
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace abgate::io
