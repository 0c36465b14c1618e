#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abgate::slurm {

/// What one stderr line of salloc or srun says (FORMATS 6).
struct Event {
  enum class Kind {
    pending,       ///< `Pending job allocation 42`, `job 42 queued and waiting for resources`
    granted,       ///< `Granted job allocation 42`
    ready,         ///< `Nodes a[1-2] are ready for job`
    node_failure,  ///< `error: Node failure on a2`
    revoked,       ///< `Job allocation 42 has been revoked.`
    time_limit,  ///< `… exceeded its time limit and its allocation has been revoked.`, `DUE TO TIME
                 ///< LIMIT`
    preempted,     ///< `DUE TO PREEMPTION`
    cancelled,     ///< `CANCELLED AT … ***` without a further reason, or `DUE to SIGNAL`
    relinquished,  ///< `Relinquishing job allocation 42`
    refused,       ///< `error: Job submit/allocate failed: …` and the other submission errors
    error          ///< any other `error:`
  };
  Kind kind = Kind::error;
  std::string job_id;  ///< may be empty
  std::string nodes;   ///< host list of `ready` and `node_failure`
  std::string text;    ///< the line without its prefix
};

/// The event of a line, or nothing for text of other origin.
std::optional<Event> parse_line(std::string_view line);

/// `a[1-2,7],b` to a1 a2 a7 b; nothing when it is malformed or names more than 65536 hosts.
std::optional<std::vector<std::string>> expand_hostlist(std::string_view hostlist);

/// True for the inherited variables that change what salloc and srun do (LESSONS 25).
bool is_inherited_slurm_variable(std::string_view name);

}  // namespace abgate::slurm
