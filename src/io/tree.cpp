#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "file.hpp"

namespace abgate::io {
namespace {

constexpr mode_t mode_bits = 0777;

/// `folder/name`; an empty part is left out with its slash.
std::string below(const std::string& folder, const std::string& name) {
  if (folder.empty()) return name;
  return name.empty() ? folder : fmt::format("{}/{}", folder, name);
}

/// The names in a directory, sorted.
Result<std::vector<std::string>, Error> names_in(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (auto it = std::filesystem::directory_iterator(directory, error);
       !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error) return failure(directory, "could not be listed", error.value());
  std::sort(names.begin(), names.end());
  return names;
}

Result<struct stat, Error> look_at(const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return failure(path, "could not be looked at");
  return status;
}

/// What the list says about a path; nothing when it is not to be listed.
std::optional<Entry> to_entry(const std::string& path, std::string relative, struct stat status) {
  Entry entry{std::move(relative), false, 0, S_ISLNK(status.st_mode)};
  if (entry.link && ::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (S_ISDIR(status.st_mode) && !entry.link) {
    entry.directory = true;
    return entry;
  }
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  entry.size = static_cast<std::uint64_t>(status.st_size);
  return entry;
}

/// A node of the tree that is copied, relative to its root.
struct Node {
  std::string path;
  mode_t mode = 0;
};

/// Everything below `from`, parents before their children.
Result<std::vector<Node>, Error> collect(const std::string& from) {
  std::vector<Node> nodes;
  std::vector<std::string> folders{""};
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const std::string folder = folders[i];
    const auto names = names_in(from + folder);
    if (!names) return Unexpected{names.error()};
    for (const auto& name : *names) {
      const auto relative = fmt::format("{}/{}", folder, name);
      const auto status = look_at(from + relative);
      if (!status) return Unexpected{status.error()};
      if (!S_ISDIR(status->st_mode) && !S_ISREG(status->st_mode) && !S_ISLNK(status->st_mode)) {
        return failure(from + relative, "is not a file, directory or link", EINVAL);
      }
      if (S_ISDIR(status->st_mode)) folders.push_back(relative);
      nodes.push_back({relative, status->st_mode});
    }
  }
  return nodes;
}

Status<Error> copy_file(const std::string& from, const std::string& to, mode_t mode) {
  // Without O_NOFOLLOW a link that was put in place since we looked could lead elsewhere.
  const auto source = File::open(from, O_RDONLY | O_NOFOLLOW);
  if (!source) return Unexpected{source.error()};
  auto target = File::open(to, O_WRONLY | O_CREAT | O_EXCL, mode & mode_bits);
  if (!target) return Unexpected{target.error()};
  std::string block(block_size, '\0');
  while (true) {
    const auto got = source->read(block.data(), block.size());
    if (!got) return Unexpected{got.error()};
    if (*got == 0) break;
    if (auto put = target->write({block.data(), *got}); !put) return put;
  }
  if (::fchmod(target->fd(), mode & mode_bits) != 0) return failure(to, "could not get its mode");
  return target->close();
}

Status<Error> copy_link(const std::string& from, const std::string& to) {
  std::array<char, PATH_MAX> target{};
  const auto length = ::readlink(from.c_str(), target.data(), target.size() - 1);
  if (length < 0) return failure(from, "could not be read");
  if (::symlink(target.data(), to.c_str()) != 0) return failure(to, "could not be created");
  return {};
}

Status<Error> copy_node(const Node& node, const std::string& from, const std::string& to) {
  const std::string source = from + node.path;
  const std::string target = to + node.path;
  if (S_ISLNK(node.mode)) return copy_link(source, target);
  if (S_ISREG(node.mode)) return copy_file(source, target, node.mode);
  // Ours while it is filled; a read-only directory gets its mode afterwards.
  if (::mkdir(target.c_str(), S_IRWXU) != 0) return failure(target, "could not be created");
  return {};
}

}  // namespace

Status<Error> make_directories(const std::string& path) {
  if (path.empty()) return failure(path, "is not a path", ENOENT);
  for (std::size_t slash = 0; slash != std::string::npos;) {
    slash = path.find('/', slash + 1);
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0777) == 0) continue;
    const int code = errno;
    // What exists is fine, whichever error the system prefers to give for it.
    if (!is_directory(part)) {
      return failure(part, "could not be created", code == EEXIST ? ENOTDIR : code);
    }
  }
  return {};
}

Result<bool, Error> make_new_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return true;
  if (errno == EEXIST) return false;
  return failure(path, "could not be created");
}

Result<std::string, Error> make_temporary_directory(const std::string& parent) {
  std::string path = parent + "/abgate-own-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return failure(parent, "could not get a new directory");
  return path;
}

Status<Error> remove_directory(const std::string& path, const std::vector<std::string>& names) {
  const auto status = look_at(path);
  if (!status) return Unexpected{status.error()};
  if (!S_ISDIR(status->st_mode)) return failure(path, "could not be removed", ENOTDIR);
  const auto inside = names_in(path);
  if (!inside) return Unexpected{inside.error()};
  for (const auto& name : *inside) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return failure(path, "could not be removed", ENOTEMPTY);
    }
  }
  for (const auto& name : *inside) {
    const std::string file = below(path, name);
    if (::unlink(file.c_str()) != 0) return failure(file, "could not be removed");
  }
  if (::rmdir(path.c_str()) != 0) return failure(path, "could not be removed");
  return {};
}

Status<Error> copy_tree(const std::string& from, const std::string& to) {
  const auto source = absolute(from);
  if (fmt::format("{}/", absolute(to)).starts_with(fmt::format("{}/", source))) {
    return failure(to, "is inside of what is copied to it", EINVAL);
  }
  const auto nodes = collect(source);
  if (!nodes) return Unexpected{nodes.error()};
  if (auto made = make_directories(to); !made) return made;
  for (const auto& node : *nodes) {
    if (auto copied = copy_node(node, source, to); !copied) return copied;
  }
  for (auto node = nodes->rbegin(); node != nodes->rend(); ++node) {
    if (!S_ISDIR(node->mode)) continue;
    const std::string target = to + node->path;
    if (::chmod(target.c_str(), node->mode & mode_bits) != 0) {
      return failure(target, "could not get its mode");
    }
  }
  return {};
}

Result<std::vector<Entry>, Error> list_tree(const std::string& directory) {
  std::vector<Entry> entries;
  std::vector<std::string> folders{""};
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const std::string folder = folders[i];  // the vector grows
    const auto names = names_in(below(directory, folder));
    if (!names) {
      // Something that a running job removes while we look is no error, the root is.
      if (!folder.empty() && names.error().code == ENOENT) continue;
      return Unexpected{names.error()};
    }
    for (const auto& name : *names) {
      auto relative = below(folder, name);
      const std::string path = below(directory, relative);
      const auto status = look_at(path);
      if (!status && status.error().code == ENOENT) continue;
      if (!status) return Unexpected{status.error()};
      auto entry = to_entry(path, std::move(relative), *status);
      if (!entry) continue;
      if (entry->directory) folders.push_back(entry->path);
      entries.push_back(std::move(*entry));
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.path < b.path; });
  return entries;
}

}  // namespace abgate::io
