#pragma once

#include <string>
#include <vector>

#include <abgate/model/config.hpp>
#include <abgate/process/process.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// The jobs that a phase's engine.log says were submitted.
std::vector<std::string> jobs_in_log(ArtifactStore& store, const std::string& directory);

/// Ends jobs that an engine submitted (LESSONS 23). The ids come from text that an engine printed,
/// so each is ended only when Slurm says that it is ours, still there, and was submitted from
/// inside of `directory`: a job of somebody else is never touched (LESSONS 25). Works after a
/// signal too, and gives up after a few seconds. Returns the ids of the jobs that it ended.
std::vector<std::string> cancel_submitted_jobs(const std::vector<std::string>& jobs,
                                               const std::string& directory,
                                               const Environment& environment,
                                               process::SignalGate& gate);

}  // namespace abgate::runner
