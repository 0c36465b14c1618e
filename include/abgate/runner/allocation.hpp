#pragma once

#include <functional>
#include <string>
#include <vector>

#include <abgate/model/plan.hpp>
#include <abgate/model/record.hpp>
#include <abgate/process/process.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

struct AllocationRequest {
  const GatePlan* plan = nullptr;
  std::vector<std::string> inner_argv;  ///< what salloc runs on the nodes' behalf
  Environment environment;              ///< of salloc: inherited Slurm variables are already gone
  std::vector<std::string> secrets;
};

struct AllocationResult {
  AllocationRecord record;
  std::vector<Reason> reasons;
  bool granted = false;
  /// When Slurm first said that the allocation is gone. salloc may say so after a normal end too,
  /// so only the end of the last phase tells whether anything was lost.
  std::optional<time::Instant> lost_at;
  int signal = 0;  ///< that told us to stop
};

/// Holds one allocation for as long as the inner command lives (DESIGN 3): starts salloc, follows
/// what it says, keeps the queue budget until the grant and a backstop of the run budget after it,
/// and gives the nodes back however it ends. `on_change` is called when the job id, the grant or
/// the node list became known.
AllocationResult hold_allocation(const AllocationRequest& request, WallClock& clock,
                                 Observer& observer, process::SignalGate& gate,
                                 const std::function<void(const AllocationRecord&)>& on_change);

/// The environment for salloc and what was taken out of it: inherited SLURM_*, SALLOC_*, SBATCH_*
/// variables would change what salloc and srun do (LESSONS 25).
Environment scrub(const Environment& inherited, std::vector<std::string>& scrubbed);

}  // namespace abgate::runner
