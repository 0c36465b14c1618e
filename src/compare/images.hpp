#pragma once

#include <string>
#include <string_view>

#include "inputs.hpp"

namespace abgate::compare {

/// Repository of an image reference, without registry host, tag and digest:
/// `registry.example:5000/rocm/primus:v26.4` gives `rocm/primus`.
std::string image_family(std::string_view image);

/// The image that a side ran by its result rows, else by the configuration; may be empty.
std::string image_of(const Inputs& inputs, Side side);

}  // namespace abgate::compare
