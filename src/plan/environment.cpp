#include "environment.hpp"

#include <algorithm>

namespace abgate::plan {
namespace {

void set_default(Environment& env, const std::string& key, const std::string& value) {
  if (find_variable(env, key) == nullptr) env.emplace_back(key, value);
}

}  // namespace

// SLURM_TMPDIR is none of these variables: only the engine's own process needs it, and a value that
// stands in the host's block alone would make the two blocks differ.
Environment manifest_environment(const GateConfig& config, Side side) {
  Environment env = config.environment_of(side);
  if (!config.cluster.network_interface.empty()) {
    set_default(env, "NCCL_SOCKET_IFNAME", config.cluster.network_interface);
    set_default(env, "GLOO_SOCKET_IFNAME", config.cluster.network_interface);
  }
  const bool overlaid =
      !config.baseline.library_mounts.empty() || !config.candidate.library_mounts.empty();
  // The image's own network plugin deadlocks with an overlaid RCCL. Both sides take the same value:
  // a plugin on one side only would be measured as the library's doing.
  if (overlaid) set_default(env, "NCCL_NET_PLUGIN", "none");
  if (config.nodes > 1 && config.launcher == Launcher::slurm) {
    // madengine's preset would switch InfiniBand off; 0 is NCCL's own default.
    set_default(env, "NCCL_IB_DISABLE", "0");
  }
  if (config.nodes == 1) {
    env.erase(std::remove_if(env.begin(), env.end(),
                             [](const auto& entry) { return entry.first == "NCCL_NET"; }),
              env.end());
  }
  return env;
}

}  // namespace abgate::plan
