#include "submitted_jobs.hpp"

#include <algorithm>

#include <unistd.h>

#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/slurm/job.hpp>

#include "engine_trace.hpp"

namespace abgate::runner {
namespace {

/// Both commands together stay well below the seven seconds of a stop.
constexpr std::chrono::milliseconds timeout{2000};

bool inside(const std::string& path, const std::string& directory) {
  const std::string real = io::absolute(path);
  const std::string folder = io::absolute(directory);
  return real == folder || real.starts_with(folder + "/");
}

bool is_job_id(const std::string& job) {
  return !job.empty() && std::all_of(job.begin(), job.end(), text::is_digit);
}

}  // namespace

std::vector<std::string> jobs_in_log(ArtifactStore& store, const std::string& directory) {
  auto trace = read_engine_trace(store, directory + "/engine.log");
  return trace ? std::move(trace->submitted_jobs) : std::vector<std::string>();
}

std::vector<std::string> cancel_submitted_jobs(const std::vector<std::string>& jobs,
                                               const std::string& directory,
                                               const Environment& environment,
                                               process::SignalGate& gate) {
  std::vector<std::string> ended;
  process::Limits limits;
  limits.despite_signals = true;
  for (const std::string& job : jobs) {
    if (!is_job_id(job)) continue;
    const auto shown =
        process::capture({slurm::job_argv(job), environment, ""}, timeout, gate, limits);
    const auto state = slurm::parse_job(shown.out);
    if (!state || state->id != job || state->over() || state->user_id != ::getuid() ||
        !inside(state->work_dir, directory)) {
      continue;
    }
    const auto told =
        process::capture({{"scancel", "--quiet", job}, environment, ""}, timeout, gate, limits);
    if (process::to_process_end(told.outcome).succeeded()) ended.push_back(job);
  }
  return ended;
}

}  // namespace abgate::runner
