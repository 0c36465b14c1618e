#pragma once

#include <string>
#include <utility>

#include <abgate/io/files.hpp>

namespace abgate::io {

/// One abgate at a time works in a folder. Held until the object goes, and given up by the system
/// when the process ends in any way.
class FolderLock {
 public:
  /// Error EWOULDBLOCK when another process holds it.
  static Result<FolderLock, Error> take(const std::string& directory);
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace abgate::io
