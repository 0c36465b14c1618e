#include <array>
#include <cerrno>
#include <optional>

#include <unistd.h>

#include "file.hpp"

namespace abgate::io {
namespace {

FileState to_state(const struct stat& status) {
  return {status.st_dev,         status.st_ino,          static_cast<std::uint64_t>(status.st_size),
          status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_mode & 07777U,
          status.st_uid,         status.st_gid};
}

/// Owner, mode and time of the file that is replaced. Another owner would lock somebody out.
Status<Error> take_over(TemporaryFile& file, const FileState& replaced) {
  struct stat status = {};
  status.st_mode = replaced.mode;
  status.st_uid = replaced.owner;
  status.st_gid = replaced.group;
  if (auto taken = file.take_owner_and_mode(status); !taken) return taken;
  const std::array<struct timespec, 2> times = {
      {{0, UTIME_OMIT}, {replaced.mtime_s, replaced.mtime_ns}}};
  if (::futimens(file.file().fd(), times.data()) != 0) {
    return failure(file.file().path(), "could not get its time");
  }
  return {};
}

}  // namespace

Result<FileState, Error> state_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return failure(path, "could not be looked at");
  return to_state(status);
}

class OutputFile::Impl {
 public:
  Impl(std::string path, TemporaryFile file) : path_(std::move(path)), file_(std::move(file)) {}
  Impl(std::string path, File stream) : path_(std::move(path)), stream_(std::move(stream)) {}

  void write(std::string_view bytes) {
    if (failed_) return;
    if (const auto written = open_file().write(bytes); !written) failed_ = written.error();
  }

  Status<Error> commit(const FileState* replaced) {
    if (failed_) return named(*failed_);
    if (stream_) return stream_->close();
    if (replaced != nullptr) {
      const auto now = state_of(path_);
      if (!now) return Unexpected{now.error()};
      if (*now != *replaced)
        return failure(path_, "was changed meanwhile and stays as it is", EAGAIN);
      if (const auto taken = take_over(*file_, *replaced); !taken) return named(taken.error());
    }
    if (const auto filled = file_->fill({}); !filled) return named(filled.error());
    if (auto renamed = file_->rename_to(path_); !renamed) return renamed;
    return sync_directory(parent_of(path_));
  }

 private:
  std::string path_;
  std::optional<TemporaryFile> file_;
  std::optional<File> stream_;
  std::optional<Error> failed_;

  const File& open_file() const { return stream_ ? *stream_ : file_->file(); }

  /// The temporary file's name means nothing to a reader.
  Status<Error> named(const Error& error) const { return failure(path_, error.action, error.code); }
};

OutputFile::OutputFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OutputFile::OutputFile(OutputFile&& other) noexcept = default;
OutputFile::~OutputFile() = default;

Result<OutputFile, Error> OutputFile::create(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    auto stream = File::open(path, O_WRONLY);
    if (!stream) return Unexpected{stream.error()};
    return OutputFile(std::make_unique<Impl>(path, std::move(*stream)));
  }
  auto file = TemporaryFile::create(parent_of(path));
  if (!file) return failure(path, "could not be created", file.error().code);
  return OutputFile(std::make_unique<Impl>(path, std::move(*file)));
}

Result<OutputFile, Error> OutputFile::standard_output() {
  auto stream = File::duplicate(STDOUT_FILENO, "standard output");
  if (!stream) return Unexpected{stream.error()};
  return OutputFile(std::make_unique<Impl>("standard output", std::move(*stream)));
}

void OutputFile::write(std::string_view bytes) {
  impl_->write(bytes);
}

Status<Error> OutputFile::commit() {
  return impl_->commit(nullptr);
}

Status<Error> OutputFile::commit_over(const FileState& replaced) {
  return impl_->commit(&replaced);
}

}  // namespace abgate::io
