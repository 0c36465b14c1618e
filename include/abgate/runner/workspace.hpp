#pragma once

#include <string>
#include <vector>

#include <abgate/model/plan.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Something that keeps a gate from starting. `infra`: the host or cluster is unable to run (exit
/// 4); else the user has to change the call or the configuration (exit 2).
struct Obstacle {
  bool infra = false;
  std::string message;
};

/// Everything that can be known before an allocation is asked for: the work directory is new or
/// empty, all output folders can be written (LESSONS 29), the scripts, the engine, the library and
/// Slurm's commands are there, and no foreign allocation surrounds us (LESSONS 25). All obstacles
/// at once. A work directory that is resumed was set aside instead of being empty.
enum class WorkDir { new_or_empty, set_aside };
std::vector<Obstacle> preflight(const GatePlan& plan, const Environment& environment,
                                WorkDir work_dir = WorkDir::new_or_empty);

/// Creates the phase directories with their manifests and scripts; nothing is launched.
Status<std::string> prepare_workspace(const GatePlan& plan, const std::string& work_dir,
                                      ArtifactStore& store);

}  // namespace abgate::runner
