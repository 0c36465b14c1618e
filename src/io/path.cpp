#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include <abgate/io/files.hpp>

namespace abgate::io {

namespace fs = std::filesystem;

Status<Error> remove_file(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return Unexpected{Error{path, "could not be removed", errno}};
}

void remove_empty_directory(const std::string& path) {
  ::rmdir(path.c_str());
}

Status<Error> move(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return Unexpected{Error{from, "could not be moved to " + to, errno}};
}

Status<Error> replace_by_link(const std::string& original, const std::string& copy) {
  const std::string aside = copy + ".abgate-link";
  if (::link(original.c_str(), aside.c_str()) != 0) {
    return Unexpected{Error{copy, "could not be linked to " + original, errno}};
  }
  if (::rename(aside.c_str(), copy.c_str()) == 0) return {};
  const int code = errno;
  ::unlink(aside.c_str());
  return Unexpected{Error{copy, "could not be replaced", code}};
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_regular_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_new_or_empty(const std::string& directory) {
  std::error_code error;
  // A dangling link is something that is there, so the link itself is asked.
  if (fs::symlink_status(directory, error).type() == fs::file_type::not_found) return true;
  const fs::directory_iterator first(directory, error);
  return !error && first == fs::directory_iterator();
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  if (error) return path;
  fs::path clean = fs::weakly_canonical(whole, error);
  if (error) clean = whole.lexically_normal();
  if (clean.has_relative_path() && !clean.has_filename()) clean = clean.parent_path();
  return clean.string();
}

std::string self_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

}  // namespace abgate::io
