#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abgate::slurm {

/// What squeue knows of one job.
struct Job {
  std::string id;
  std::uint32_t user_id = 0;
  std::string state;     ///< `PENDING`, `RUNNING`, `NODE_FAIL`, …
  std::string reason;    ///< why it waits or ended: `Resources`; kept after its end
  std::string work_dir;  ///< where it was submitted
  /// Nothing of it runs or waits any more.
  bool over() const;
};

/// Asks for one job, also shortly after its end. No field that a user may choose, such as the
/// job's name, stands before another one, so that none can be forged.
std::vector<std::string> job_argv(const std::string& id);

/// The answer, or nothing when Slurm does not know the job (any more).
std::optional<Job> parse_job(std::string_view output);

}  // namespace abgate::slurm
