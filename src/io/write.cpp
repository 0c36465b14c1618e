#include <cerrno>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "file.hpp"

namespace abgate::io {
namespace {

/// Waits for the lock by asking again: our signals are blocked while we write, so a lock that
/// nobody gives back must not hold us for ever.
Status<Error> lock(const File& file) {
  using std::chrono::milliseconds;
  constexpr std::chrono::seconds longest{60};
  constexpr int shortest_pause = 1;
  constexpr int longest_pause = 10;
  std::minstd_rand random(static_cast<std::minstd_rand::result_type>(::getpid()));
  std::uniform_int_distribution<int> pause(shortest_pause, longest_pause);
  const auto end = std::chrono::steady_clock::now() + longest;
  while (::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() > end) {
      return failure(file.path(), "could not be locked");
    }
    std::this_thread::sleep_for(milliseconds(pause(random)));
  }
  return {};
}

/// Whether the path still leads to the file that is open: somebody can have replaced it while we
/// waited for the lock, and a line in the old one would be lost.
bool still_in_place(const File& file) {
  struct stat named = {};
  const auto opened = file.status();
  return opened && ::stat(file.path().c_str(), &named) == 0 && named.st_dev == opened->st_dev &&
         named.st_ino == opened->st_ino;
}

Result<File, Error> open_locked(const std::string& path, int create) {
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    auto file = File::open(path, O_RDWR | O_APPEND | create, 0644);
    if (!file) return file;
    if (auto locked = lock(*file); !locked) return Unexpected{locked.error()};
    if (still_in_place(*file)) return file;
  }
  return failure(path, "is replaced all the time", EBUSY);
}

/// Whether the last writer was stopped in the middle of its line.
Result<bool, Error> ends_torn(const File& file, off_t size) {
  if (size == 0) return false;
  char last = '\n';
  ssize_t got = 0;
  do {
    got = ::pread(file.fd(), &last, 1, size - 1);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return failure(file.path(), "could not be read");
  return last != '\n';
}

}  // namespace

Status<Error> write_atomically(const std::string& path, std::string_view text) {
  const std::string folder = parent_of(path);
  auto file = TemporaryFile::create(folder);
  if (!file) return failure(path, "could not be created", file.error().code);
  if (auto filled = file->fill(text); !filled) {
    return failure(path, filled.error().action, filled.error().code);
  }
  if (auto renamed = file->rename_to(path); !renamed) return renamed;
  return sync_directory(folder);
}

Status<Error> append_line(const std::string& path, std::string_view line) {
  if (line.find('\n') != std::string_view::npos) {
    return failure(path, "can't take a line with a newline in it", EINVAL);
  }
  return append_lines(path, line);
}

Status<Error> append_lines(const std::string& path, std::string_view lines) {
  auto file = open_locked(path, O_CREAT);
  if (!file) return Unexpected{file.error()};
  const auto status = file->status();
  if (!status) return Unexpected{status.error()};
  const auto torn = ends_torn(*file, status->st_size);
  if (!torn) return Unexpected{torn.error()};

  const auto text =
      fmt::format("{}{}{}", *torn ? "\n" : "", lines, lines.ends_with('\n') ? "" : "\n");
  auto written = file->write(text);
  if (written) written = file->sync();
  if (!written) {
    // Half a line would be worse than none.
    if (::ftruncate(file->fd(), status->st_size) != 0) {
      return failure(path, "could be neither written nor put back", written.error().code);
    }
    return written;
  }
  if (status->st_size == 0) {
    if (auto synced = sync_directory(parent_of(path)); !synced) return synced;
  }
  return file->close();
}

Status<Error> rewrite_locked(const std::string& path,
                             const std::function<std::string(std::string_view)>& change) {
  const auto old = open_locked(path, 0);
  if (!old) return Unexpected{old.error()};
  const auto status = old->status();
  if (!status) return Unexpected{status.error()};
  const auto text = read_file(path, SIZE_MAX);
  if (!text) return Unexpected{text.error()};

  const std::string folder = parent_of(path);
  auto file = TemporaryFile::create(folder);
  if (!file) return failure(path, "could not be created", file.error().code);
  // Whoever could append before must be able to afterwards.
  if (auto kept = file->take_owner_and_mode(*status); !kept) return kept;
  if (auto filled = file->fill(change(*text)); !filled) {
    return failure(path, filled.error().action, filled.error().code);
  }
  if (auto renamed = file->rename_to(path); !renamed) return renamed;
  return sync_directory(folder);
}

Status<Error> probe_writable(const std::string& directory) {
  auto file = TemporaryFile::create(directory);
  if (!file) return Unexpected{file.error()};
  constexpr std::size_t one_page = 4096;  // an empty file can be made on a full disk
  if (auto filled = file->fill(std::string(one_page, '\n')); !filled) {
    return failure(directory, filled.error().action, filled.error().code);
  }
  return file->remove();
}

Result<LogFile, Error> LogFile::create(const std::string& path) {
  auto file = File::open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644);
  if (!file) return Unexpected{file.error()};
  return LogFile(file->release(), path);
}

LogFile::LogFile(LogFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

LogFile& LogFile::operator=(LogFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

LogFile::~LogFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status<Error> LogFile::write(std::string_view bytes) {
  return write_all(fd_, path_, bytes);
}

}  // namespace abgate::io
