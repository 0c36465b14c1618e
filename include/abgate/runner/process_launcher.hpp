#pragma once

#include <string>
#include <utility>
#include <vector>

#include <abgate/model/config.hpp>
#include <abgate/process/process.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Runs engines as child processes: on this host, or (with launcher slurm) inside the allocation
/// that SLURM_JOB_ID names. Their output goes to engine.log with secret values redacted.
class ProcessLauncher : public PhaseLauncher {
 public:
  struct Settings {
    Launcher launcher = Launcher::local;
    Environment environment;           ///< complete environment of the engine
    std::vector<std::string> secrets;  ///< values that must not reach engine.log
    pid_t serve = 0;                   ///< the outer abgate; when it is gone, everything ends
    std::string self;                  ///< path of this executable, to look at the nodes with
    std::string scratch;               ///< folder on the nodes whose free space counts
  };
  ProcessLauncher(Settings settings, process::SignalGate& gate)
      : settings_(std::move(settings)), gate_(gate) {}

  Result<std::vector<NodeFacts>, std::string> look_at_nodes(std::int64_t count) override;
  EngineEnd run(const EngineRun& run) override;
  std::vector<std::string> cancel_jobs(const std::vector<std::string>& jobs,
                                       const std::string& directory) override;

 private:
  process::Captured step(std::int64_t count, const std::vector<std::string>& program);

  Settings settings_;
  process::SignalGate& gate_;
};

}  // namespace abgate::runner
