#include <abgate/io/files.hpp>
#include <abgate/io/range.hpp>
#include <abgate/runner/disk_store.hpp>

namespace abgate::runner {
namespace {

template <class T>
Result<T, std::string> worded(Result<T, io::Error> result) {
  if (!result) return Unexpected{io::format(result.error())};
  return std::move(result).value();
}

Status<std::string> worded(const Status<io::Error>& status) {
  if (!status) return Unexpected{io::format(status.error())};
  return {};
}

/// A pipe or device that an engine left where a file belongs would be waited on for ever.
std::optional<std::string> strange(const std::string& path) {
  if (!io::exists(path) || io::is_regular_file(path)) return {};
  return path + ": is no regular file";
}

}  // namespace

Result<std::string, std::string> DiskStore::read(const std::string& path) {
  if (auto problem = strange(path)) return Unexpected{std::move(*problem)};
  return worded(io::read_file(path));
}

Status<std::string> DiskStore::read_blocks(const std::string& path,
                                           const std::function<void(std::string_view)>& take) {
  if (auto problem = strange(path)) return Unexpected{std::move(*problem)};
  return worded(io::read_blocks(path, take));
}

Result<std::string, std::string> DiskStore::read_range(const std::string& path,
                                                       std::uint64_t offset, std::size_t limit) {
  if (auto problem = strange(path)) return Unexpected{std::move(*problem)};
  return worded(io::read_range(path, offset, limit));
}

Status<std::string> DiskStore::write(const std::string& path, std::string_view text) {
  return worded(io::write_atomically(path, text));
}

Status<std::string> DiskStore::append_line(const std::string& path, std::string_view line) {
  return worded(io::append_line(path, line));
}

Status<std::string> DiskStore::make_directories(const std::string& path) {
  return worded(io::make_directories(path));
}

bool DiskStore::exists(const std::string& path) {
  return io::exists(path);
}

Status<std::string> DiskStore::remove(const std::string& path) {
  return worded(io::remove_file(path));
}

Status<std::string> DiskStore::move(const std::string& from, const std::string& to) {
  return worded(io::move(from, to));
}

Result<bool, std::string> DiskStore::make_new_directory(const std::string& path) {
  return worded(io::make_new_directory(path));
}

Status<std::string> DiskStore::copy_tree(const std::string& from, const std::string& to) {
  return worded(io::copy_tree(from, to));
}

Result<std::vector<std::string>, std::string> DiskStore::list_files(const std::string& path) {
  const auto entries = io::list_tree(path);
  if (!entries) return Unexpected{io::format(entries.error())};
  std::vector<std::string> files;
  for (const io::Entry& entry : *entries) {
    if (!entry.directory) files.push_back(entry.path);
  }
  return files;
}

}  // namespace abgate::runner
