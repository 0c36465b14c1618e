#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <abgate/model/plan.hpp>
#include <abgate/model/record.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Says after every step how far the gate has come; the record is saved from it.
using SaveRecord = std::function<Status<std::string>(const GateRecord&)>;

/// What is done with the logs of a phase that has ended, before anything reads them. `kept` is the
/// size of what earlier phases left, in bytes.
using AfterPhase = std::function<LogSpace(const std::string& directory, std::int64_t kept)>;

struct DriveResult {
  bool finished = false;        ///< every phase was run to its end
  int signal = 0;               ///< that told us to stop
  std::vector<Reason> reasons;  ///< what went wrong outside of the engines
};

/// Runs the phases back to back in their own directories, proves each by its phase.json and keeps
/// the record up to date. A failed baseline still lets the candidate run, so that the report says
/// which side broke.
class Driver {
 public:
  Driver(const GatePlan& plan, std::string work_dir, ArtifactStore& store, WallClock& clock,
         PhaseLauncher& launcher, Observer& observer, SaveRecord save, AfterPhase after_phase = {});
  DriveResult drive(GateRecord& record);

 private:
  enum class Next { go_on, stop };
  Next run_phase(const PhasePlan& phase, GateRecord& record, DriveResult& result);
  std::optional<std::vector<NodeFacts>> nodes_before(DriveResult& result, const PhasePlan& phase);
  std::vector<NodeFacts> nodes_after();
  void cancel_own_jobs(const std::string& directory);
  std::optional<LogSpace> tend_logs(const std::string& directory, const GateRecord& record) const;
  bool manifest_is_ours(const PhasePlan& phase, DriveResult& result);
  std::chrono::seconds budget_left(time::Instant started) const;
  void save(const GateRecord& record, DriveResult& result);

  const GatePlan& plan_;
  std::string work_dir_;
  ArtifactStore& store_;
  WallClock& clock_;
  PhaseLauncher& launcher_;
  Observer& observer_;
  SaveRecord save_;
  AfterPhase after_phase_;
  time::Instant run_started_{};
  std::vector<NodeFacts> nodes_;  ///< as last seen between two phases
};

}  // namespace abgate::runner
