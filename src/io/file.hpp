#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include <abgate/io/files.hpp>

namespace abgate::io {

/// How much of a file is read at once.
constexpr std::size_t block_size = 256U << 10U;

/// The failure of the system call that was just made.
Unexpected<Error> failure(const std::string& path, std::string action);
Unexpected<Error> failure(const std::string& path, std::string action, int code);

/// An open file that knows its path; every call restarts after a signal and tells every error.
class File {
 public:
  static Result<File, Error> open(const std::string& path, int flags, mode_t mode = 0666);
  /// Of a stream that the process was started with; the original stays open.
  static Result<File, Error> duplicate(int fd, const std::string& name);
  File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}
  File& operator=(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  int fd() const { return fd_; }
  const std::string& path() const { return path_; }

  /// At most `size` bytes into `buffer`; 0 at the end.
  Result<std::size_t, Error> read(char* buffer, std::size_t size) const;
  Status<Error> write(std::string_view bytes) const;
  Status<Error> sync() const;
  Result<struct stat, Error> status() const;
  /// Network file systems tell only here that the disk is full.
  Status<Error> close();
  /// Gives the descriptor away.
  int release() { return std::exchange(fd_, -1); }

 private:
  File(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  std::string path_;
};

/// Writes everything, however small the pieces are that the system takes.
Status<Error> write_all(int fd, const std::string& path, std::string_view bytes);

/// Blocks of the file, with a thread that reads on while a block is taken.
Status<Error> read_ahead(const File& file, const std::function<void(std::string_view)>& take);

/// The folder in which the path is: `.` for a plain name.
std::string parent_of(const std::string& path);

/// Makes a new entry of that folder last over a crash.
Status<Error> sync_directory(const std::string& directory);

/// A new file of a name that no other process takes, and which is removed again unless it was
/// renamed to its place.
class TemporaryFile {
 public:
  static Result<TemporaryFile, Error> create(const std::string& directory);
  TemporaryFile(TemporaryFile&& other) noexcept
      : file_(std::move(other.file_)), name_(std::exchange(other.name_, {})) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  /// Writes, fsyncs and closes.
  Status<Error> fill(std::string_view text);
  /// Those of another file.
  Status<Error> take_owner_and_mode(const struct stat& other);
  const File& file() const { return file_; }
  Status<Error> rename_to(const std::string& path);
  Status<Error> remove();

 private:
  explicit TemporaryFile(File file) : file_(std::move(file)), name_(file_.path()) {}
  File file_;
  std::string name_;  // empty once there is nothing to remove
};

}  // namespace abgate::io
