#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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

/// The whole file; pipes and /proc files too. `limit` bounds what is taken; a larger file is an
/// error (EFBIG).
Result<std::string, Error> read_file(const std::string& path, std::uint64_t limit = 64U << 20U);

/// Streams a file in blocks of at most 256 KiB.
Status<Error> read_blocks(const std::string& path,
                          const std::function<void(std::string_view)>& take);

/// The same, with a thread that reads on while a block is taken: for one large file.
Status<Error> read_blocks_ahead(const std::string& path,
                                const std::function<void(std::string_view)>& take);

/// The same of a text that may be compressed: a file that is named `.gz` or `.zst` and begins like
/// one is decompressed on the way. What is damaged or cut is an error (EILSEQ) behind the text that
/// could be read.
Status<Error> read_text_blocks(const std::string& path,
                               const std::function<void(std::string_view)>& take);
Status<Error> read_stdin_blocks(const std::function<void(std::string_view)>& take);

/// Whether read_text_blocks decompresses the file.
bool is_compressed(const std::string& path);

/// What tells whether a file was changed, and what a replacement has to keep.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;  ///< bytes
  std::int64_t mtime_s = 0;
  std::int64_t mtime_ns = 0;
  std::uint32_t mode = 0;
  std::uint32_t owner = 0;
  std::uint32_t group = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};
Result<FileState, Error> state_of(const std::string& path);

/// A file that is written piece by piece and seen under its name only when it is complete: a
/// temporary file beside it, fsynced and renamed. Without a commit nothing is changed. A device or
/// pipe of that name is written to as it is.
class OutputFile {
 public:
  static Result<OutputFile, Error> create(const std::string& path);
  static Result<OutputFile, Error> standard_output();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// The first failure is kept, and what follows it is not written.
  void write(std::string_view bytes);
  Status<Error> commit();
  /// Takes the place of a file in that state, with its owner, mode and time; an error (EAGAIN) when
  /// the file has changed since.
  Status<Error> commit_over(const FileState& replaced);

 private:
  class Impl;
  explicit OutputFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Writes a temporary file beside `path`, fsyncs it, renames it over `path` and fsyncs the
/// directory: a reader sees the old text or the new one, and a full disk leaves the old one whole.
/// On failure the temporary file is removed.
Status<Error> write_atomically(const std::string& path, std::string_view text);

/// Appends one line (a newline is added) by one write under an exclusive lock, fsynced; a torn line
/// that an earlier writer left is closed first, so that it can't merge with ours. On failure the
/// file has its old length again. A line that holds a newline is refused (EINVAL); a lock that is
/// not free within a minute is an error (EWOULDBLOCK).
Status<Error> append_line(const std::string& path, std::string_view line);

/// The same for a text of whole lines; what it lacks is a final newline, if any.
Status<Error> append_lines(const std::string& path, std::string_view lines);

/// Replaces a file that others append to: under the lock of `append_line`, `change` gets the whole
/// text and returns the new one, which takes its place atomically, with the old mode and owner.
/// Nothing when it does not exist or cannot get its owner.
Status<Error> rewrite_locked(const std::string& path,
                             const std::function<std::string(std::string_view)>& change);

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

/// Creates one directory; false when something of that name exists.
Result<bool, Error> make_new_directory(const std::string& path);

/// A new directory that only we can enter, below `parent`; its path.
Result<std::string, Error> make_temporary_directory(const std::string& parent);

/// Removes the named files, where they are regular files or links, and then the directory itself.
/// A directory that is a link (ENOTDIR) or that holds anything else (ENOTEMPTY) stays whole.
Status<Error> remove_directory(const std::string& path, const std::vector<std::string>& names);

/// Makes `copy` another name of `original`, at once; both are files of one file system.
Status<Error> replace_by_link(const std::string& original, const std::string& copy);

/// Creates, fills, fsyncs and removes a probe file: is this folder writable, now (LESSONS 29)?
Status<Error> probe_writable(const std::string& directory);

/// Copies a tree of regular files, directories and symbolic links (kept as links, never followed);
/// modes kept. Nothing that exists is overwritten (EEXIST); a pipe, socket or device in the tree,
/// or a `to` inside of `from`, is an error (EINVAL).
Status<Error> copy_tree(const std::string& from, const std::string& to);

struct Entry {
  std::string path;  ///< relative to the listed directory, `/`-separated
  bool directory = false;
  std::uint64_t size = 0;  ///< bytes; of the file that a link leads to
  bool link = false;       ///< a symbolic link to a regular file
};
/// All files and directories below, sorted by path. A symbolic link to a regular file is listed as
/// a file; a link to anything else is not listed and never entered, nor are pipes, sockets and
/// devices, which a reader would hang on.
Result<std::vector<Entry>, Error> list_tree(const std::string& directory);

/// Removes one file; that it is not there is no error.
Status<Error> remove_file(const std::string& path);

/// Removes a folder when it is there and empty.
void remove_empty_directory(const std::string& path);

/// Renames within one file system; an existing file is replaced, an existing folder is an error.
Status<Error> move(const std::string& from, const std::string& to);

/// Bytes that we could still write on the file system of `path`.
Result<std::uint64_t, Error> free_space(const std::string& path);

bool exists(const std::string& path);
bool is_directory(const std::string& path);
/// Also of a link to one.
bool is_regular_file(const std::string& path);
/// True when the directory does not exist or has no entry.
bool is_new_or_empty(const std::string& directory);
/// Absolute, without dots and without symbolic links as far as the path exists.
std::string absolute(const std::string& path);
/// Path of the running executable.
std::string self_path();

}  // namespace abgate::io
