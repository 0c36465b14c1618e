#include "library.hpp"

#include <algorithm>
#include <cctype>

#include "text_file.hpp"

namespace abgate::standin {
namespace {

constexpr std::string_view library_path =
    "/opt/venv/lib/python3.12/site-packages/_rocm_sdk_libraries/lib/librccl.so.1";
constexpr std::string_view stock_version = "2.27.7-HEAD:0d2c4fd";
constexpr std::string_view candidate_semver = "2.30.4";
constexpr std::size_t shortest_string = 4;  // as strings(1)

bool is_hex(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](unsigned char c) {
    return std::isdigit(c) != 0 || (c >= 'a' && c <= 'f');
  });
}

bool is_digits(std::string_view s) {
  return !s.empty() &&
         std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_semver(std::string_view s) {
  const auto first = s.find('.');
  const auto second = first == std::string_view::npos ? first : s.find('.', first + 1);
  return second != std::string_view::npos && is_digits(s.substr(0, first)) &&
         is_digits(s.substr(first + 1, second - first - 1)) && is_digits(s.substr(second + 1));
}

/// `develop:e711c9e`, `HEAD:0d2c4fd+`.
bool is_reference(std::string_view s) {
  const auto colon = s.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  auto hash = s.substr(colon + 1);
  if (hash.ends_with('+')) hash.remove_suffix(1);
  return hash.size() >= 7 && hash.size() <= 40 && is_hex(hash) &&
         s.find(' ') == std::string_view::npos;
}

}  // namespace

Library image_library(std::string_view image) {
  constexpr std::string_view marker = "-rccl-";
  if (const auto at = image.find(marker); at != std::string_view::npos) {
    const auto hash = image.substr(image.rfind('-') + 1);
    if (is_hex(hash) && hash.size() >= 7)
      return {std::string(candidate_semver) + "-develop:" + std::string(hash),
              std::string(library_path)};
  }
  return {std::string(stock_version), std::string(library_path)};
}

std::string version_from_strings(std::string_view bytes) {
  std::string semver;
  std::string reference;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    if (i < bytes.size() && std::isprint(static_cast<unsigned char>(bytes[i])) != 0) continue;
    const auto run = bytes.substr(begin, i - begin);
    begin = i + 1;
    if (run.size() < shortest_string) continue;
    if (semver.empty() && is_semver(run)) semver = run;
    if (reference.empty() && is_reference(run)) reference = run;
  }
  return semver.empty() || reference.empty() ? std::string{} : semver + "-" + reference;
}

Result<Library, std::string> loaded_library(const Manifest& manifest,
                                            const std::string& override_version) {
  if (!override_version.empty()) return Library{override_version, std::string(library_path)};
  const std::pair<std::string, std::string>* mounted = nullptr;
  for (const auto& mount : manifest.mounts) {
    if (mount.first.find("librccl.so") == std::string::npos) continue;
    // torch loads the copy under _rocm_sdk_libraries; the one under _rocm_sdk_devel is for builds.
    if (mounted == nullptr || mount.first == library_path) mounted = &mount;
  }
  if (mounted == nullptr) return image_library(manifest.image);
  const auto bytes = read_file(mounted->second);
  if (!bytes)
    return Unexpected{
        "docker: Error response from daemon: invalid mount config for type \"bind\": "
        "bind source path does not exist: " +
        mounted->second};
  const std::string version = version_from_strings(*bytes);
  if (version.empty()) return Unexpected{"OSError: " + mounted->first + ": invalid ELF header"};
  return Library{version, mounted->first};
}

}  // namespace abgate::standin
