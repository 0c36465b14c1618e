#pragma once

#include <string>
#include <vector>

#include <abgate/model/config.hpp>

namespace abgate::plan {

/// One value that decides what the gate does.
struct EffectiveValue {
  std::string key;     ///< key path as in `GateConfig::origins`
  std::string value;   ///< as text; hidden when it looks secret
  std::string origin;  ///< a place in a file, an option, `default` or `derived`
};

/// All of them, in the order of the configuration. What is unset, or replaced by a later layer of
/// the environment, is left out.
std::vector<EffectiveValue> effective_values(const GateConfig& config);

}  // namespace abgate::plan
