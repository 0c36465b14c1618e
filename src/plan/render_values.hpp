#pragma once

#include <string>

#include <abgate/model/config.hpp>

namespace abgate::plan {

/// The table of effective values with their origins. An origin shows its file's last name; the
/// whole names stand once, below.
std::string render_values(const GateConfig& config);

}  // namespace abgate::plan
