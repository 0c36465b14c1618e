#include <fmt/format.h>
#include <unistd.h>

#include <abgate/base/hostlist.hpp>
#include <abgate/base/secret.hpp>
#include <abgate/config/resolve.hpp>
#include <abgate/plan/plan.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/report/render.hpp>
#include <abgate/runner/allocation.hpp>
#include <abgate/runner/drive.hpp>
#include <abgate/runner/gate.hpp>
#include <abgate/runner/history_entry.hpp>
#include <abgate/runner/notify.hpp>
#include <abgate/runner/phase_logs.hpp>
#include <abgate/runner/process_launcher.hpp>
#include <abgate/runner/run_reasons.hpp>
#include <abgate/runner/score.hpp>
#include <abgate/runner/workspace.hpp>

#include "submitted_jobs.hpp"

namespace abgate::runner {
namespace {

/// A step whose task died must end its other tasks too, or it hangs until the budget (FORMATS 6).
constexpr const char* kill_bad_exit = "SLURM_KILL_BAD_EXIT";

/// Room for the final record and the reports, kept from the start, so that a disk that the phases
/// filled still takes them (LESSONS 29).
constexpr std::size_t reserved_bytes = std::size_t{1} << 20U;
constexpr const char* reserve_file = "reserve";

/// What the engine gets beside the inherited environment.
Environment engine_environment(Environment environment, const GateConfig& config,
                               const std::string& work_dir) {
  set_variable(environment, "MAD_DOCKER_BUILDS",
               config.cluster.docker_builds.empty() ? work_dir + "/docker_builds"
                                                    : config.cluster.docker_builds);
  if (!config.cluster.tmpdir.empty()) {
    set_variable(environment, "SLURM_TMPDIR", config.cluster.tmpdir);
  }
  if (config.launcher == Launcher::slurm) set_variable(environment, kill_bad_exit, "1");
  return environment;
}

/// Where the containers' layers and temporary files of a node lie.
std::string scratch_of(const GateConfig& config) {
  return config.cluster.tmpdir.empty() ? "/tmp" : config.cluster.tmpdir;
}

GateRecord new_record(const GateRequest& request, time::Instant now) {
  const GatePlan& plan = *request.plan;
  GateRecord record;
  record.run_id = request.run_id;
  record.command = "run";
  record.tool_version = request.tool_version;
  record.step = "planned";
  record.started = now;
  record.verdict = Verdict::no_verdict;
  record.exit_code = exit_code::no_verdict;
  record.advisory = plan.config.advisory;
  record.order = plan.config.order;
  record.attempts = request.attempts;
  record.config = config::to_json(plan.config);
  for (const PhasePlan& phase : plan.phases) {
    PhaseRecord entry;
    entry.index = phase.index;
    entry.side = phase.side;
    entry.state = "planned";
    entry.directory = phase.directory;
    entry.manifest_sha256 = phase.manifest_sha256;
    record.phases.push_back(std::move(entry));
  }
  return record;
}

SaveRecord saver(ArtifactStore& store, const std::string& work_dir) {
  return [&store, path = work_dir + "/" + record_file](const GateRecord& record) {
    return store.write(path, report::render_json(record));
  };
}

/// One gate from workspace to reports.
class Gate {
 public:
  Gate(const GateRequest& request, ArtifactStore& store, WallClock& clock, Observer& observer,
       process::SignalGate& signals)
      : request_(request),
        plan_(*request.plan),
        work_dir_(plan_.config.work_dir),
        store_(store),
        clock_(clock),
        observer_(observer),
        signals_(signals),
        record_(new_record(request, clock.now())) {}

  GateOutcome run() {
    if (const auto prepared = prepare_workspace(plan_, work_dir_, store_); !prepared) {
      run_reasons_.push_back(make_reason(write_failed, prepared.error()));
    } else {
      save();
      keep(store_.write(work_dir_ + "/" + reserve_file, std::string(reserved_bytes, '\0')));
      run_phases();
    }
    finish();
    return {std::move(record_), std::move(write_problems_)};
  }

  GateOutcome finish_only() {
    read_inner_record();
    record_.signal.reset();  // it had stopped the attempt before, not this one
    std::erase_if(run_reasons_,
                  [](const Reason& reason) { return reason.code == stopped_by_signal.code; });
    run_reasons_.push_back(
        make_reason(resumed,
                    "the gate had been interrupted after its last phase; it was scored "
                    "without running anything again"));
    finish();
    return {std::move(record_), std::move(write_problems_)};
  }

 private:
  void say_attempts() {
    if (record_.attempts.empty() || record_.attempts.back().run_id == record_.run_id) return;
    const AttemptRecord& last = record_.attempts.back();
    run_reasons_.push_back(make_reason(
        resumed,
        fmt::format("attempt {} of this gate, {}; attempt {}{} ended at step \"{}\"{}, and all its "
                    "phases were repeated",
                    record_.attempts.size() + 1, request_.resumed_how, record_.attempts.size(),
                    last.job_id.empty() ? "" : fmt::format(" (job {})", last.job_id), last.step,
                    last.signal ? fmt::format(" by signal {}", *last.signal) : "")));
  }

  void run_phases() {
    if (plan_.config.launcher == Launcher::slurm && !plan_.config.use_allocation) {
      run_in_new_allocation();
    } else {
      run_here();
    }
  }

  /// On this host, or in the allocation that the caller's shell stands in.
  void run_here() {
    if (plan_.config.use_allocation) adopt_allocation(record_, request_.environment);
    ProcessLauncher launcher(
        {plan_.config.launcher, engine_environment(request_.environment, plan_.config, work_dir_),
         secret_values(request_.environment), 0, request_.self, scratch_of(plan_.config)},
        signals_);
    Driver driver(plan_, work_dir_, store_, clock_, launcher, observer_, saver(store_, work_dir_),
                  log_tender(plan_.config));
    DriveResult result = driver.drive(record_);
    take(std::move(result.reasons));
    finished_ = result.finished;
    signal_ = result.signal;
  }

  void run_in_new_allocation() {
    AllocationRequest request;
    request.plan = &plan_;
    request.inner_argv = {request_.self, "inner",   "--work-dir",
                          work_dir_,     "--serve", std::to_string(::getpid())};
    std::vector<std::string> scrubbed;
    request.environment = scrub(request_.environment, scrubbed);
    request.secrets = secret_values(request_.environment);
    const auto on_change = [&](const AllocationRecord& allocation) {
      GateRecord view;
      view.allocation = allocation;
      const Json json = report::to_json(view);
      keep(store_.write(work_dir_ + "/" + allocation_file, json.find("allocation")->dump()));
    };
    AllocationResult held = hold_allocation(request, clock_, observer_, signals_, on_change);
    held.record.scrubbed = std::move(scrubbed);
    signal_ = held.signal;
    read_inner_record();
    if (held.record.nodes.empty() && record_.allocation) {
      held.record.nodes = record_.allocation->nodes;  // as the inner process was told
    }
    record_.allocation = std::move(held.record);
    // After a signal it was us who gave it up.
    if (signal_ == 0) lost_at_ = held.lost_at;
    cancel_jobs_of_the_running_phase(request.environment);
    if (lost_after_the_phases(held)) {
      std::erase_if(held.reasons, is_loss);
    }
    take(std::move(held.reasons));
  }

  /// The inner process ends what a phase's engine submitted; here for when it was killed first.
  void cancel_jobs_of_the_running_phase(const Environment& environment) {
    for (const PhaseRecord& phase : record_.phases) {
      if (phase.state != "running") continue;
      const std::string directory = work_dir_ + "/" + phase.directory;
      cancel_submitted_jobs(jobs_in_log(store_, directory), directory, environment, signals_);
    }
  }

  bool lost_after_the_phases(const AllocationResult& held) const {
    if (!finished_ || !held.lost_at || record_.phases.empty()) return false;
    const auto& last_end = record_.phases.back().end;
    return last_end && *held.lost_at >= *last_end;
  }

  /// The inner process has kept the record since it started.
  void read_inner_record() {
    const auto text = store_.read(work_dir_ + "/" + record_file);
    if (!text) return;
    auto inner = report::parse_record(*text, record_file);
    if (!inner || inner->run_id != record_.run_id) return;
    record_ = std::move(*inner);
    finished_ = record_.step == "phases done";
    take(std::move(record_.reasons));
    record_.reasons.clear();
  }

  void finish() {
    say_attempts();
    keep(store_.remove(work_dir_ + "/" + reserve_file));
    if (signal_ != 0) {
      record_.signal = signal_;
      run_reasons_.push_back(make_reason(
          stopped_by_signal,
          fmt::format("the gate was stopped by signal {} at step \"{}\"", signal_, record_.step)));
    } else if (!finished_ && run_reasons_.empty()) {
      run_reasons_.push_back(make_reason(
          inner_failed, fmt::format("the phases were not run to their end; the last step was "
                                    "\"{}\" and no cause was reported",
                                    record_.step)));
    }
    for (PhaseRecord& phase : record_.phases) {
      if (phase.state == "planned") phase.state = "not_run";
    }
    score();
    if (finished_) record_.step = "finished";  // else it says how far the gate came
    record_.finished = clock_.now();
    record_.exit_code = exit_code_of(record_);
    write_reports();
    const std::string kept = keep_in_history();
    const auto not_told = notify(
        {request_.notify_argv, work_dir_ + "/" + record_file, work_dir_ + "/" + summary_file},
        record_, request_.environment, observer_, signals_);
    if (!not_told) return;
    record_.reasons.push_back(*not_told);
    write_reports();
    if (!kept.empty()) keep(store_.write(kept, report::render_json(record_)));
  }

  void write_reports() {
    save();
    for (const report::Format& format : report::formats()) {
      if (format.file.empty()) continue;
      keep(store_.write(fmt::format("{}/{}", work_dir_, format.file), format.render(record_)));
    }
  }

  /// The path of the record that the history keeps; empty when it keeps none.
  std::string keep_in_history() {
    if (plan_.config.results_dir.empty()) return "";
    auto kept = append_history(store_, plan_.config.results_dir, record_);
    if (kept) return std::move(*kept);
    write_problems_.push_back(kept.error());
    return "";
  }

  void score() {
    std::vector<PhaseEvidence> evidence;
    for (const PhaseRecord& phase : record_.phases) {
      if (phase.state == "not_run") continue;
      evidence.push_back(gather(store_, work_dir_ + "/" + phase.directory, phase.index, phase.side,
                                plan_.config.workload));
      if (lost_at_ && (!phase.end || *phase.end > *lost_at_)) forget_values(evidence.back());
    }
    compare::Context context;
    context.live = true;
    context.run_id = record_.run_id;
    if (record_.allocation) {
      context.job_id = record_.allocation->job_id;
      context.nodes = record_.allocation->nodes;
    }
    score_into(record_, plan_.config, evidence, context, run_reasons_);
  }

  /// What ran on after the allocation was lost measured nobody knows what (LESSONS 22). How far it
  /// came is still told, unless that is what would be scored.
  void forget_values(PhaseEvidence& phase) const {
    phase.perf_csv.clear();
    phase.model_csv.clear();
    if (plan_.config.allow_log_metric) phase.series.clear();
  }

  void take(std::vector<Reason> reasons) {
    for (Reason& reason : reasons)
      run_reasons_.push_back(std::move(reason));
  }

  void save() { keep(saver(store_, work_dir_)(record_)); }
  void keep(const Status<std::string>& status) {
    if (!status) write_problems_.push_back(status.error());
  }

 public:
  /// Notes the surrounding allocation; it is not ours and never cancelled.
  static void adopt_allocation(GateRecord& record, const Environment& environment) {
    AllocationRecord allocation;
    if (const std::string* job = find_variable(environment, "SLURM_JOB_ID")) {
      allocation.job_id = *job;
    }
    if (const std::string* nodes = find_variable(environment, "SLURM_JOB_NODELIST")) {
      allocation.nodes = expand_hostlist(*nodes).value_or(std::vector<std::string>{});
    }
    allocation.foreign = true;
    record.allocation = std::move(allocation);
  }

 private:
  const GateRequest& request_;
  const GatePlan& plan_;
  std::string work_dir_;
  ArtifactStore& store_;
  WallClock& clock_;
  Observer& observer_;
  process::SignalGate& signals_;
  GateRecord record_;
  std::vector<Reason> run_reasons_;
  std::vector<std::string> write_problems_;
  bool finished_ = false;
  int signal_ = 0;
  std::optional<time::Instant> lost_at_;
};

}  // namespace

GateOutcome run_gate(const GateRequest& request, ArtifactStore& store, WallClock& clock,
                     Observer& observer, process::SignalGate& gate) {
  return Gate(request, store, clock, observer, gate).run();
}

GateOutcome finish_gate(const GateRequest& request, ArtifactStore& store, WallClock& clock,
                        Observer& observer, process::SignalGate& gate) {
  return Gate(request, store, clock, observer, gate).finish_only();
}

int run_inner(const std::string& work_dir, pid_t serve, const std::string& self,
              const Environment& environment, ArtifactStore& store, WallClock& clock,
              Observer& observer, process::SignalGate& gate) {
  const auto fail = [&](const std::string& problem) {
    Event event;
    event.text = "abgate inside the allocation: " + problem;
    observer.on_event(event);
    return exit_code::infra;
  };
  const std::string path = work_dir + "/" + record_file;
  const auto text = store.read(path);
  if (!text) return fail(text.error());
  auto record = report::parse_record(*text, path);
  if (!record) return fail(format(record.error().front()));
  const auto config = config::from_json(record->config, path);
  if (!config) return fail(format(config.error().front()));
  const GatePlan plan = plan::make_plan(*config, record->run_id);

  Gate::adopt_allocation(*record, environment);
  record->allocation->foreign = false;
  record->step = "allocated";
  ProcessLauncher launcher({config->launcher, engine_environment(environment, *config, work_dir),
                            secret_values(environment), serve, self, scratch_of(*config)},
                           gate);
  Driver driver(plan, work_dir, store, clock, launcher, observer, saver(store, work_dir),
                log_tender(*config));
  DriveResult result = driver.drive(*record);
  record->reasons = std::move(result.reasons);
  if (const auto saved = saver(store, work_dir)(*record); !saved) return fail(saved.error());
  return result.finished ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::runner
