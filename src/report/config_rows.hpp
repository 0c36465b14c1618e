#pragma once

#include <string>
#include <vector>

#include <abgate/base/json.hpp>

namespace abgate::report {

/// Rows key path, value, origin of the effective configuration of a record, in its order. Values
/// that are lists of plain values stand in one row.
std::vector<std::vector<std::string>> config_rows(const Json& config);

}  // namespace abgate::report
