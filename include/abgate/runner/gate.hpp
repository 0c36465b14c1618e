#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include <abgate/model/plan.hpp>
#include <abgate/model/record.hpp>
#include <abgate/process/process.hpp>
#include <abgate/report/render.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// What a gate needs beside its plan.
struct GateRequest {
  const GatePlan* plan = nullptr;
  std::string run_id;
  std::string tool_version;
  std::string self;                      ///< path of this executable, for the inner process
  Environment environment;               ///< inherited
  std::vector<AttemptRecord> attempts;   ///< when it is resumed: the earlier ones
  std::string resumed_how;               ///< `on the same nodes, a1, a2`
  std::vector<std::string> notify_argv;  ///< told how it ended; empty: nobody
};

/// What `run_gate` leaves: the record, and what could not be saved (the verdict then goes to
/// stderr, LESSONS 29).
struct GateOutcome {
  GateRecord record;
  std::vector<std::string> write_problems;
};

/// Runs the whole gate: workspace, allocation, phases, scoring, reports, history. Preflight has
/// been passed.
GateOutcome run_gate(const GateRequest& request, ArtifactStore& store, WallClock& clock,
                     Observer& observer, process::SignalGate& gate);

/// Scores a gate that was interrupted after its last phase; nothing is run again. `run_id` is the
/// interrupted record's.
GateOutcome finish_gate(const GateRequest& request, ArtifactStore& store, WallClock& clock,
                        Observer& observer, process::SignalGate& gate);

/// The part that runs inside the allocation: reads the record of `work_dir`, runs the phases,
/// leaves the record. Returns the exit status for salloc: 0 when every phase was run.
int run_inner(const std::string& work_dir, pid_t serve, const std::string& self,
              const Environment& environment, ArtifactStore& store, WallClock& clock,
              Observer& observer, process::SignalGate& gate);

/// Names of the files in a work directory.
inline constexpr const char* record_file = "gate.json";
inline constexpr const char* summary_file = report::summary_file;
inline constexpr const char* allocation_file = "allocation.json";
/// Names in a results directory.
inline constexpr const char* history_file = "history.jsonl";
inline constexpr const char* runs_folder = "runs";

}  // namespace abgate::runner
