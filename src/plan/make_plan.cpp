#include <fmt/format.h>

#include <abgate/base/hash.hpp>
#include <abgate/plan/plan.hpp>

namespace abgate::plan {

GatePlan make_plan(const GateConfig& config, const std::string& run_id) {
  GatePlan plan;
  plan.config = config;
  for (const Side side : sides_of(config.order)) {
    PhasePlan phase;
    phase.index = static_cast<int>(plan.phases.size()) + 1;
    phase.side = side;
    phase.directory = fmt::format("phases/{}-{}", phase.index, name(side));
    phase.manifest = make_manifest(config, side).dump();
    phase.manifest_sha256 = hash::sha256(phase.manifest);
    plan.phases.push_back(std::move(phase));
  }
  plan.salloc_argv = salloc_argv(config, "abgate-" + run_id);
  plan.engine_argv = engine_argv(config);
  return plan;
}

}  // namespace abgate::plan
