#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "merge.hpp"

namespace abgate::config {
namespace {

constexpr std::string_view site_packages = "/opt/venv/lib/python3.12/site-packages/";
constexpr std::string_view kpack_folder = "_rocm_sdk_libraries/.kpack/";
/// All four: programs of the image load the library by any of them.
constexpr std::array<std::string_view, 4> targets{
    "_rocm_sdk_libraries/lib/librccl.so.1", "_rocm_sdk_libraries/lib/librccl.so.1.0",
    "_rocm_sdk_devel/lib/librccl.so.1", "_rocm_sdk_devel/lib/librccl.so.1.0"};

bool is_library(const std::string& name) {
  return name == "librccl.so" || name.starts_with("librccl.so.");
}

bool is_kpack(const std::string& name) {
  return name.starts_with("rccl") && name.ends_with(".kpack");
}

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

/// The one library among a directory's files: the names of a build link to each other, so the most
/// exact one is the file itself.
std::optional<std::string> library_among(const std::vector<std::string>& files) {
  for (const std::string_view name : {"librccl.so.1.0", "librccl.so.1", "librccl.so"}) {
    if (std::find(files.begin(), files.end(), name) != files.end()) return std::string(name);
  }
  return {};
}

void mount_library(const std::string& host, std::vector<Mount>& out) {
  for (const std::string_view target : targets)
    out.push_back({std::string(site_packages) + std::string(target), host, true});
}

TextProblem no_library(const std::string& path) {
  return {fmt::format("\"{}\" holds no librccl.so.1", text::printable(path)),
          "give a librccl.so.1 or the directory that holds it"};
}

}  // namespace

Result<std::vector<Mount>, TextProblem> library_mounts(const std::string& path,
                                                       const std::vector<std::string>& files) {
  std::string root = path;
  while (root.size() > 1 && root.ends_with('/'))
    root.pop_back();
  std::vector<Mount> out;
  const bool is_file = files.size() == 1 && files.front() == base_name(root);
  if (is_file) {
    if (!is_library(files.front())) return Unexpected{no_library(path)};
    mount_library(root, out);
    return out;
  }
  const auto library = library_among(files);
  if (!library) return Unexpected{no_library(path)};
  mount_library(root + "/" + *library, out);
  std::vector<std::string> kpacks;
  std::copy_if(files.begin(), files.end(), std::back_inserter(kpacks), is_kpack);
  std::sort(kpacks.begin(), kpacks.end());
  for (const std::string& kpack : kpacks) {
    const std::string host = fmt::format("{}/{}", root, kpack);
    if (TextProblem problem = check_text(shapes::absolute_path, host)) {
      return Unexpected{std::move(problem)};
    }
    out.push_back({fmt::format("{}{}{}", site_packages, kpack_folder, kpack), host, true});
  }
  return out;
}

}  // namespace abgate::config
