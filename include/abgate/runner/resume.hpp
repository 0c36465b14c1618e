#pragma once

#include <string>
#include <vector>

#include <abgate/model/config.hpp>
#include <abgate/model/record.hpp>
#include <abgate/process/process.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// A gate that was interrupted, as its work directory tells it (`run --resume`).
struct ResumePoint {
  GateConfig config;
  std::string run_id;                   ///< of the attempt that starts now
  std::vector<AttemptRecord> attempts;  ///< the earlier ones, the interrupted one last
  std::vector<std::string> nodes;       ///< that the interrupted attempt held
  /// Every phase had ended in one allocation: what is missing is the verdict, and nothing has to
  /// run again.
  bool phases_done = false;
};

/// Reads it; an error says why there is nothing to resume and what to do instead.
Result<ResumePoint, std::string> read_resume_point(ArtifactStore& store,
                                                   const std::string& work_dir);

/// True while Slurm still knows the interrupted attempt's job as alive: then nothing may start.
bool still_runs(const ResumePoint& point, const Environment& environment,
                process::SignalGate& gate);

/// Asks for the same nodes unless one of them can't be had, and returns a sentence about it.
std::string choose_nodes(ResumePoint& point, const Environment& environment,
                         process::SignalGate& gate);

/// Moves what the interrupted attempt left into `attempts/<n>/`: its phases are repeated whole, as
/// phases of two allocations are never mixed into one ratio.
Status<std::string> set_aside(const ResumePoint& point, ArtifactStore& store,
                              const std::string& work_dir);

}  // namespace abgate::runner
