#pragma once

#include <string>
#include <string_view>

#include <abgate/base/result.hpp>

#include "manifest.hpp"

namespace abgate::standin {

/// The RCCL that a node loads.
struct Library {
  std::string version;  ///< `2.30.4-develop:e711c9e`
  std::string path;     ///< inside the container
};

/// The image's own library (FORMATS 5, fixtures): by the tag `…-rccl-<gfx>-<hash>`, else stock.
Library image_library(std::string_view image);

/// What the container loads: a mounted librccl wins over the image's. Error: the mounted host
/// file is not there, or holds no version.
Result<Library, std::string> loaded_library(const Manifest& manifest,
                                            const std::string& override_version);

/// The version from the strings of a librccl, where semver and `ref:hash` stand apart.
std::string version_from_strings(std::string_view bytes);

}  // namespace abgate::standin
