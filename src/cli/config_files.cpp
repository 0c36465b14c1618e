#include "config_files.hpp"

#include <set>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>

namespace abgate::cli {
namespace {

constexpr std::string_view suffix = ".json";

std::string parent(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "/" : path.substr(0, slash);
}

/// The first `configs` that ships with this binary; looking further up could find somebody else's.
std::vector<std::string> shipped_roots(const std::string& self_path) {
  const std::string bin = parent(self_path);
  const std::string up = parent(bin);
  const std::string up_twice = parent(up);
  for (const std::string& root :
       {bin + "/configs", up + "/share/abgate/configs", up + "/configs", up_twice + "/configs"}) {
    if (io::is_directory(root + "/workloads")) return {root};
  }
  return {};
}

}  // namespace

ConfigFiles::ConfigFiles(std::vector<std::string> config_dirs, const std::string& self_path)
    : roots_(std::move(config_dirs)) {
  for (std::string& root : shipped_roots(self_path))
    roots_.push_back(std::move(root));
}

std::string ConfigFiles::folder(Kind kind) {
  switch (kind) {
    case Kind::workloads:
      return "workloads";
    case Kind::clusters:
      return "clusters";
    case Kind::suites:
      return "suites";
  }
  return "";
}

Result<std::string, std::string> ConfigFiles::find(Kind kind,
                                                   const std::string& name_or_file) const {
  if (name_or_file.find('/') != std::string::npos || name_or_file.ends_with(suffix)) {
    if (io::exists(name_or_file)) return name_or_file;
    return Unexpected{fmt::format("{}: no such file", name_or_file)};
  }
  for (const std::string& root : roots_) {
    std::string path = fmt::format("{}/{}/{}{}", root, folder(kind), name_or_file, suffix);
    if (io::exists(path)) return path;
  }
  const auto known = names(kind);
  if (known.empty()) {
    return Unexpected{
        fmt::format("no {} are known: the configs/ folder was not found beside the "
                    "binary; give --config-dir DIR",
                    folder(kind))};
  }
  return Unexpected{fmt::format("there is no \"{}\" among the {}{}; known: {}",
                                text::printable(name_or_file), folder(kind),
                                text::did_you_mean(name_or_file, known), text::join(known, ", "))};
}

std::vector<std::string> ConfigFiles::names(Kind kind) const {
  std::set<std::string> found;
  for (const std::string& root : roots_) {
    const auto entries = io::list_tree(root + "/" + folder(kind));
    if (!entries) continue;
    for (const io::Entry& entry : *entries) {
      if (entry.directory || entry.path.find('/') != std::string::npos) continue;
      if (!entry.path.ends_with(suffix)) continue;
      found.insert(entry.path.substr(0, entry.path.size() - suffix.size()));
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace abgate::cli
