#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/result.hpp>

namespace abgate::io {

/// A failed file operation: `/path: could not be opened: No space left on device`.
struct Error {
  std::string path;
  std::string action;
  int code = 0;  ///< errno
};
std::string format(const Error& error);

/// The whole file. `limit` bounds what is taken; a larger file is an error (EFBIG).
Result<std::string, Error> read_file(const std::string& path, std::uint64_t limit = 64U << 20U);

/// Streams a file in blocks of at most 256 KiB.
Status<Error> read_blocks(const std::string& path,
                          const std::function<void(std::string_view)>& take);

/// Writes a temporary file beside `path`, fsyncs it, renames it over `path` and fsyncs the
/// directory: a reader sees the old text or the new one, and a full disk leaves the old one whole.
Status<Error> write_atomically(const std::string& path, std::string_view text);

/// Appends one line (a newline is added) under an exclusive lock, fsynced; a torn line that an
/// earlier writer left is closed first.
Status<Error> append_line(const std::string& path, std::string_view line);

/// An append-only file that writes through at once; for engine.log.
class LogFile {
 public:
  static Result<LogFile, Error> create(const std::string& path);  ///< fails when it exists
  LogFile(LogFile&& other) noexcept;
  LogFile& operator=(LogFile&& other) noexcept;
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile();
  Status<Error> write(std::string_view bytes);

 private:
  LogFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  std::string path_;
};

/// Creates the directory and its parents.
Status<Error> make_directories(const std::string& path);

/// Creates and removes a probe file: is this folder writable, now (LESSONS 29)?
Status<Error> probe_writable(const std::string& directory);

/// Copies a tree of regular files, directories and symbolic links (kept as links); modes kept.
Status<Error> copy_tree(const std::string& from, const std::string& to);

struct Entry {
  std::string path;  ///< relative to the listed directory, `/`-separated
  bool directory = false;
  std::uint64_t size = 0;
};
/// All files and directories below, sorted by path; symbolic links are not followed.
Result<std::vector<Entry>, Error> list_tree(const std::string& directory);

bool exists(const std::string& path);
bool is_directory(const std::string& path);
/// True when the directory does not exist or has no entry.
bool is_new_or_empty(const std::string& directory);
/// Without symbolic links and dots; the path itself when it does not exist.
std::string absolute(const std::string& path);
/// Path of the running executable.
std::string self_path();

}  // namespace abgate::io
