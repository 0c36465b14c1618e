#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/hash.hpp>
#include <abgate/base/text.hpp>
#include <abgate/metrics/traces.hpp>
#include <abgate/runner/drive.hpp>
#include <abgate/runner/run_reasons.hpp>

#include "progress.hpp"
#include "submitted_jobs.hpp"

namespace abgate::runner {
namespace {

std::string ending(const ProcessEnd& end) {
  if (end.kind == "exited") return fmt::format("exit status {}", end.number);
  if (end.kind == "signaled") return fmt::format("killed by signal {}", end.number);
  return text::replace_all(end.kind, "_", " ") + (end.detail.empty() ? "" : ": " + end.detail);
}

}  // namespace

Driver::Driver(const GatePlan& plan, std::string work_dir, ArtifactStore& store, WallClock& clock,
               PhaseLauncher& launcher, Observer& observer, SaveRecord save, AfterPhase after_phase)
    : plan_(plan),
      work_dir_(std::move(work_dir)),
      store_(store),
      clock_(clock),
      launcher_(launcher),
      observer_(observer),
      save_(std::move(save)),
      after_phase_(std::move(after_phase)) {}

DriveResult Driver::drive(GateRecord& record) {
  DriveResult result;
  run_started_ = clock_.now();
  for (const PhasePlan& phase : plan_.phases) {
    if (run_phase(phase, record, result) == Next::stop) {
      save(record, result);
      return result;
    }
  }
  result.finished = true;
  record.step = "phases done";
  save(record, result);
  return result;
}

std::chrono::seconds Driver::budget_left(time::Instant started) const {
  const auto used = std::chrono::duration_cast<std::chrono::seconds>(started - run_started_);
  return std::min(plan_.config.budgets.phase, plan_.config.budgets.run - used);
}

Driver::Next Driver::run_phase(const PhasePlan& phase, GateRecord& record, DriveResult& result) {
  const std::string directory = work_dir_ + "/" + phase.directory;
  PhaseRecord& entry = record.phases.at(static_cast<std::size_t>(phase.index) - 1);
  if (!manifest_is_ours(phase, result)) return Next::stop;

  const auto looked = nodes_before(result, phase);
  if (!looked) return Next::stop;
  const std::vector<NodeFacts>& before = *looked;
  const std::vector<std::string> nodes = names_of(before);
  const time::Instant started = clock_.now();
  const std::chrono::seconds budget = budget_left(started);
  if (budget.count() <= 0) {
    result.reasons.push_back(make_reason(
        run_budget,
        fmt::format("the run budget of {} was used up before phase {} ({}) started",
                    duration::to_human(plan_.config.budgets.run), phase.index, name(phase.side))));
    return Next::stop;
  }

  entry.state = "running";
  entry.start = started;
  entry.nodes = nodes;
  entry.nodes_before = before;
  record.step = fmt::format("phase {}", phase.index);
  save(record, result);

  Event event;
  event.kind = Event::Kind::phase_started;
  event.phase = phase.index;
  event.phases = static_cast<int>(plan_.phases.size());
  event.side = phase.side;
  event.text = text::join(nodes, ", ");
  observer_.on_event(event);

  Progress progress(store_, observer_, directory, event);
  EngineRun run;
  run.argv = plan_.engine_argv;
  run.directory = directory;
  run.log = directory + "/engine.log";
  run.budget = budget;
  EngineTick last;
  bool stuck = false;
  run.on_tick = [&](const EngineTick& tick) -> std::optional<std::string> {
    last = tick;
    progress.poll(tick);
    observer_.on_tick();
    stuck = progress.idle(tick.now) >= plan_.config.budgets.progress;
    if (!stuck) return {};
    return fmt::format("nothing moved for {}", duration::to_human(plan_.config.budgets.progress));
  };
  const EngineEnd end = launcher_.run(run);
  progress.poll(last);
  cancel_own_jobs(directory);

  PhaseProof proof;
  proof.run_id = record.run_id;
  proof.index = phase.index;
  proof.side = phase.side;
  proof.started = started;
  proof.ended = clock_.now();
  proof.end = end.end;
  proof.job_id = record.allocation ? record.allocation->job_id : "";
  proof.nodes = nodes;
  proof.manifest_sha256 = phase.manifest_sha256;
  proof.before = before;
  if (!end.stop) proof.after = nodes_after();
  if (const auto written =
          store_.write(directory + "/phase.json", metrics::render_phase_proof(proof));
      !written) {
    result.reasons.push_back(make_reason(write_failed, written.error()));
  }
  entry.state = "done";
  entry.end = proof.ended;
  entry.exit = end.end;
  entry.proof = "phase.json";
  entry.nodes_after = proof.after;
  // Who stops the gate wants the nodes back now.
  if (!end.stop) entry.logs = tend_logs(directory, record);

  event.kind = Event::Kind::phase_ended;
  event.text = ending(end.end);
  observer_.on_event(event);

  if (end.end.kind == "timed_out") {
    const bool of_run = budget < plan_.config.budgets.phase;
    result.reasons.push_back(
        make_reason(stuck    ? no_progress
                    : of_run ? run_budget
                             : phase_budget,
                    fmt::format("phase {} ({}) was ended: {}; last seen: {}", phase.index,
                                name(phase.side), end.end.detail, progress.last_seen(last.now))));
    result.reasons.back().phase = phase.index;
    result.reasons.back().side = phase.side;
  }
  save(record, result);
  if (!end.stop) return Next::go_on;
  result.signal = end.signal;
  return Next::stop;
}

std::optional<std::vector<NodeFacts>> Driver::nodes_before(DriveResult& result,
                                                           const PhasePlan& phase) {
  // What was seen after the phase before is not looked at again: one step between two phases.
  if (!nodes_.empty()) return nodes_;
  auto looked = launcher_.look_at_nodes(plan_.config.nodes);
  if (looked) return std::move(*looked);
  result.reasons.push_back(make_reason(nodes_unreachable, looked.error()));
  result.reasons.back().phase = phase.index;
  return {};
}

std::vector<NodeFacts> Driver::nodes_after() {
  auto looked = launcher_.look_at_nodes(plan_.config.nodes);
  // A failure is told by the next phase, which looks again; after the last one by what is missing.
  nodes_ = looked ? std::move(*looked) : std::vector<NodeFacts>();
  return nodes_;
}

/// LESSONS 23: a job that the engine submitted although it stood in the allocation. The judge
/// refuses its numbers.
void Driver::cancel_own_jobs(const std::string& directory) {
  const auto jobs = jobs_in_log(store_, directory);
  if (jobs.empty()) return;
  const auto ended = launcher_.cancel_jobs(jobs, directory);
  if (ended.empty()) return;
  Event event;
  event.kind = Event::Kind::allocation;
  event.text =
      fmt::format("cancelled job {}, which the engine had submitted", text::join(ended, ", "));
  observer_.on_event(event);
}

std::optional<LogSpace> Driver::tend_logs(const std::string& directory,
                                          const GateRecord& record) const {
  if (!after_phase_) return {};
  std::int64_t kept = 0;
  for (const PhaseRecord& phase : record.phases)
    kept += phase.logs ? phase.logs->bytes_after : 0;
  return after_phase_(directory, kept);
}

bool Driver::manifest_is_ours(const PhasePlan& phase, DriveResult& result) {
  const std::string path = work_dir_ + "/" + phase.directory + "/manifest.json";
  const auto text = store_.read(path);
  if (text && hash::sha256(*text) == phase.manifest_sha256) return true;
  result.reasons.push_back(
      make_reason(manifest_changed,
                  text ? fmt::format("{} changed between planning and phase {}", path, phase.index)
                       : text.error()));
  result.reasons.back().phase = phase.index;
  return false;
}

void Driver::save(const GateRecord& record, DriveResult& result) {
  if (const auto saved = save_(record); !saved) {
    const bool said = std::any_of(result.reasons.begin(), result.reasons.end(),
                                  [](const Reason& r) { return r.code == write_failed.code; });
    if (!said) result.reasons.push_back(make_reason(write_failed, saved.error()));
  }
}

}  // namespace abgate::runner
