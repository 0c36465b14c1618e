#pragma once

#include <string>
#include <string_view>

#include <abgate/base/json.hpp>

namespace abgate::plan {

/// Checks any manifest, also one written by hand, for every trap of FORMATS 1. Errors are what
/// makes madengine fail or measure something else; warnings are what it ignores.
Diagnostics check_manifest(const Json& manifest, const std::string& file);

}  // namespace abgate::plan
