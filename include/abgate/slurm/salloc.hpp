#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace abgate::slurm {

/// What one stderr line of salloc, srun or slurmstepd says (FORMATS 6).
struct Event {
  enum class Kind {
    pending,         ///< `Pending job allocation 42`, `job 42 queued and waiting for resources`
    granted,         ///< `Granted job allocation 42`, `job 42 has been allocated resources`
    ready,           ///< `Nodes a[1-2] are ready for job`
    node_failure,    ///< `error: Node failure on a2`, `DUE TO NODE FAILURE`
    prolog_failure,  ///< `Prolog failure on node a1`
    revoked,         ///< `Job allocation 42 has been revoked.`
    time_limit,    ///< `… exceeded its time limit and its allocation has been revoked.`, `DUE TO
                   ///< TIME LIMIT`
    preempted,     ///< `DUE TO PREEMPTION`
    cancelled,     ///< `CANCELLED AT … ***` for another reason or none, also `DUE to SIGNAL`
    relinquished,  ///< `Relinquishing job allocation 42`
    refused,       ///< `error: Job submit/allocate failed: …` and the other submission errors
    step_waiting,  ///< `Job 42 step creation temporarily disabled, retrying` (LESSONS 24)
    error          ///< any other `error:` or `fatal:`
  };
  Kind kind = Kind::error;
  std::string job_id;  ///< may be empty
  std::string nodes;   ///< host list of `ready`, `node_failure` and of kill banners
  std::string text;    ///< the line without colours, `salloc: ` and `error: `
};

/// The event of a line, or nothing for text of other origin. Colours, carriage returns and a task
/// label of `srun --label` (`0: `) do not matter; of a line that was overwritten in place the last
/// text counts.
std::optional<Event> parse_line(std::string_view line);

/// True for the inherited variables that change what salloc and srun do (LESSONS 25): SLURM_*,
/// SALLOC_*, SBATCH_* and SRUN_*. False for the two that only say how Slurm is reached: SLURM_CONF
/// (where its configuration lies) and SLURM_JWT (who is asking).
bool is_inherited_slurm_variable(std::string_view name);

}  // namespace abgate::slurm
