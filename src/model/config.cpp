#include <algorithm>

#include <abgate/model/config.hpp>

namespace abgate {

void set_variable(Environment& env, const std::string& key, const std::string& value) {
  const auto found =
      std::find_if(env.begin(), env.end(), [&](const auto& entry) { return entry.first == key; });
  if (found != env.end()) {
    found->second = value;
  } else {
    env.emplace_back(key, value);
  }
}

const std::string* find_variable(const Environment& env, std::string_view key) {
  const auto found =
      std::find_if(env.begin(), env.end(), [&](const auto& entry) { return entry.first == key; });
  return found == env.end() ? nullptr : &found->second;
}

Environment GateConfig::environment_of(Side s) const {
  Environment out = cluster.env;
  for (const auto& [key, value] : workload.env)
    set_variable(out, key, value);
  for (const auto& [key, value] : side(s).env)
    set_variable(out, key, value);
  return out;
}

}  // namespace abgate
