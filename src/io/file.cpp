#include "file.hpp"

#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace abgate::io {

std::string format(const Error& error) {
  return fmt::format("{}: {}: {}", error.path, error.action,
                     std::generic_category().message(error.code));
}

Unexpected<Error> failure(const std::string& path, std::string action, int code) {
  return Unexpected{Error{path, std::move(action), code}};
}

Unexpected<Error> failure(const std::string& path, std::string action) {
  return failure(path, std::move(action), errno);
}

Result<File, Error> File::open(const std::string& path, int flags, mode_t mode) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);  // NOLINT(*-bitwise)
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    const bool creates = (flags & O_CREAT) != 0;  // NOLINT(*-bitwise)
    return failure(path, creates ? "could not be created" : "could not be opened");
  }
  return File(fd, path);
}

Result<File, Error> File::duplicate(int fd, const std::string& name) {
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return failure(name, "could not be opened");
  return File(copy, name);
}

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

File::~File() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::size_t, Error> File::read(char* buffer, std::size_t size) const {
  while (true) {
    const auto got = ::read(fd_, buffer, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return failure(path_, "could not be read");
  }
}

Status<Error> File::write(std::string_view bytes) const {
  return write_all(fd_, path_, bytes);
}

Status<Error> File::sync() const {
  while (::fsync(fd_) != 0) {
    // A device or pipe has nothing to sync.
    if (errno == EINVAL || errno == EROFS || errno == ENOTSUP) return {};
    if (errno != EINTR) return failure(path_, "could not be saved to disk");
  }
  return {};
}

Result<struct stat, Error> File::status() const {
  struct stat status = {};
  if (::fstat(fd_, &status) != 0) return failure(path_, "could not be looked at");
  return status;
}

Status<Error> File::close() {
  if (fd_ < 0) return {};
  // On Linux the descriptor is gone even when the call was interrupted.
  if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) {
    return failure(path_, "could not be closed");
  }
  return {};
}

Status<Error> write_all(int fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failure(path, "could not be written");
    if (put == 0) return failure(path, "could not be written", ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status<Error> sync_directory(const std::string& directory) {
  const auto folder = File::open(directory, O_RDONLY | O_DIRECTORY);
  if (!folder) return Unexpected{folder.error()};
  return folder->sync();
}

Result<TemporaryFile, Error> TemporaryFile::create(const std::string& directory) {
  // Hosts that share the file system can have equal process ids; random names can't meet.
  std::random_device random;
  constexpr int attempts = 16;
  for (int attempt = 1;; ++attempt) {
    const auto name = fmt::format("{}/.abgate-{:08x}{:08x}.tmp", directory, random(), random());
    auto file = File::open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (file) return TemporaryFile(std::move(*file));
    if (file.error().code != EEXIST || attempt == attempts) {
      return failure(directory, "could not get a new file", file.error().code);
    }
  }
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

Status<Error> TemporaryFile::fill(std::string_view text) {
  if (auto done = file_.write(text); !done) return done;
  if (auto done = file_.sync(); !done) return done;
  return file_.close();
}

Status<Error> TemporaryFile::take_owner_and_mode(const struct stat& other) {
  const auto own = file_.status();
  if (!own) return Unexpected{own.error()};
  const bool same = own->st_uid == other.st_uid && own->st_gid == other.st_gid;
  if (!same && ::fchown(file_.fd(), other.st_uid, other.st_gid) != 0) {
    return failure(name_, "could not get the owner of the file that it replaces");
  }
  constexpr mode_t permissions = 07777;
  if (::fchmod(file_.fd(), other.st_mode & permissions) != 0) {
    return failure(name_, "could not get its mode");
  }
  return {};
}

Status<Error> TemporaryFile::rename_to(const std::string& path) {
  if (::rename(name_.c_str(), path.c_str()) != 0) return failure(path, "could not be replaced");
  name_.clear();
  return {};
}

Status<Error> TemporaryFile::remove() {
  if (::unlink(name_.c_str()) != 0) return failure(name_, "could not be removed");
  name_.clear();
  return {};
}

}  // namespace abgate::io
