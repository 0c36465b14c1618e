#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"

namespace abgate::compare {
namespace {

/// A phase without a value has nothing to distrust; its legs are missing, and a reason of weight
/// `leg` leaves room for INFRA.
void add_doubt(const PhaseInput& phase, Reason reason, Reasons& reasons) {
  if (!phase.measured() && reason.weight == Weight::distrust) reason.weight = Weight::leg;
  reasons.push_back(std::move(reason));
}

std::vector<std::string> faults_of(const PhaseProof& proof, const PhaseInput& phase,
                                   const Context& context) {
  std::vector<std::string> faults;
  if (proof.end.kind.empty() || !proof.ended)
    faults.emplace_back("does not say how the phase ended");
  if (!proof.started) faults.emplace_back("has no start time");
  if (proof.started && proof.ended && *proof.ended < *proof.started) {
    faults.emplace_back("says that the phase ended before it started");
  }
  if (!context.live) return faults;
  if (!context.run_id.empty() && proof.run_id != context.run_id) {
    faults.push_back(fmt::format("belongs to run {}, not to {}",
                                 proof.run_id.empty() ? "(none)" : text::printable(proof.run_id),
                                 context.run_id));
  }
  if (!context.job_id.empty() && !proof.job_id.empty() && proof.job_id != context.job_id) {
    faults.push_back(fmt::format("names job {}, but the allocation is job {}",
                                 text::printable(proof.job_id), context.job_id));
  }
  if (proof.index != phase.index) {
    faults.push_back(fmt::format("is of phase {}", proof.index));
  }
  if (proof.side != phase.side || phase.evidence->side != phase.side) {
    faults.push_back(fmt::format("is of the {} side", name(proof.side)));
  }
  return faults;
}

void check_proof_of(const Inputs& inputs, const PhaseInput& phase, Reasons& reasons) {
  const Location file{"phase.json", 0};
  const auto& proof = phase.evidence->proof;
  if (!phase.present) return;  // its legs are missing, which says it
  if (!proof) {
    const Code code = inputs.context.live ? Code::phase_not_proved : Code::no_phase_proof;
    const char* meaning = inputs.context.live ? "so nothing shows that this gate ran it"
                                              : "madengine's own traces stand in for it";
    return add_doubt(
        phase, about(code, phase, fmt::format("{} has no phase.json, {}", title(phase), meaning)),
        reasons);
  }
  const auto faults = faults_of(*proof, phase, inputs.context);
  if (!faults.empty()) {
    Reason reason =
        about(Code::phase_not_proved, phase,
              fmt::format("phase.json of {} {}", title(phase), text::join(faults, " and ")));
    cite(reason, phase, file);
    return add_doubt(phase, std::move(reason), reasons);
  }
  if (!inputs.context.live && proof->side != phase.side) {
    Reason reason =
        about(Code::no_phase_proof, phase,
              fmt::format("{} was run as the {} side of another gate, so its phase.json proves "
                          "nothing here",
                          title(phase), name(proof->side)));
    cite(reason, phase, file);
    reasons.push_back(std::move(reason));
  }
}

std::string how_it_ended(const ProcessEnd& end) {
  const std::string detail = end.detail.empty() ? "" : " (" + text::printable(end.detail) + ")";
  if (end.kind == "exited") return fmt::format("ended with exit {}{}", end.number, detail);
  if (end.kind == "signaled") return fmt::format("died of signal {}{}", end.number, detail);
  if (end.kind == "timed_out") return fmt::format("ran out of time{}", detail);
  if (end.kind == "interrupted") return fmt::format("was interrupted{}", detail);
  if (end.kind == "spawn_failed") {
    return fmt::format("could not be started, errno {}{}", end.number, detail);
  }
  return fmt::format("ended in an unknown way, \"{}\"{}", text::printable(end.kind), detail);
}

/// The end that counts: the proof's, unless only the recorded exit code says that it failed.
std::optional<ProcessEnd> end_of(const PhaseEvidence& evidence) {
  std::optional<ProcessEnd> end;
  if (evidence.proof && !evidence.proof->end.kind.empty()) end = evidence.proof->end;
  const bool exit_is_worse = evidence.engine_exit && *evidence.engine_exit != 0;
  if (evidence.engine_exit && (!end || (end->succeeded() && exit_is_worse))) {
    end = ProcessEnd{"exited", *evidence.engine_exit, ""};
  }
  return end;
}

std::string failure_words(const EngineTrace& engine) {
  if (!engine.reported_failure) return "";
  return engine.failure_text.empty() ? "; it reported a failure"
                                     : "; it said: " + text::printable(engine.failure_text);
}

/// LESSONS 11: the one opt-in exception is an exit status, never a signal or a timeout.
void say_failed(const Inputs& inputs, const PhaseInput& phase, const ProcessEnd& end,
                Reasons& reasons) {
  const std::string what = fmt::format("the engine of {} {}{}", title(phase), how_it_ended(end),
                                       failure_words(phase.evidence->engine));
  if (inputs.config.workload.accept_engine_exit && end.kind == "exited") {
    reasons.push_back(about(
        Code::engine_exit_accepted, phase,
        what + "; ACCEPTED, because the workload sets accept_engine_exit: the other checks alone "
               "say whether the numbers are complete"));
    return;
  }
  reasons.push_back(about(Code::engine_failed, phase, what));
}

/// LESSONS 2: exit 0 proves nothing.
void check_success(const PhaseInput& phase, Reasons& reasons) {
  const PhaseEvidence& evidence = *phase.evidence;
  if (evidence.engine.reported_failure) {
    reasons.push_back(
        about(Code::engine_reported_failure, phase,
              fmt::format("the engine of {} did not exit with a failure, but reported one{}",
                          title(phase), failure_words(evidence.engine))));
  }
  if (evidence.perf_csv.empty() && evidence.model_csv.empty()) {
    reasons.push_back(about(
        Code::engine_silent, phase,
        fmt::format("the engine of {} ended without a failure{} and wrote no result row",
                    title(phase), evidence.engine.claimed_success ? ", claimed success" : "")));
  }
}

}  // namespace

/// A phase is proved by what it wrote (DESIGN 3): of this run, of this phase, with start and end.
void check_proof(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases)
    check_proof_of(inputs, phase, reasons);
  for (const PhaseEvidence* evidence : inputs.unexpected) {
    Reason reason = make_reason(
        Code::phase_unexpected,
        fmt::format("the order {} has no phase for {} (index {}, {})", name(inputs.config.order),
                    text::printable(evidence->directory), evidence->index, name(evidence->side)));
    reason.side = evidence->side;
    reasons.push_back(std::move(reason));
  }
}

/// Phases that share the nodes at one time measure one another.
void check_phases_apart(const Inputs& inputs, Reasons& reasons) {
  for (std::size_t i = 0; i < inputs.phases.size(); ++i) {
    for (std::size_t j = i + 1; j < inputs.phases.size(); ++j) {
      const PhaseInput& a = inputs.phases[i];
      const PhaseInput& b = inputs.phases[j];
      const auto& first = a.evidence->proof;
      const auto& second = b.evidence->proof;
      if (!first || !second || !first->started || !first->ended || !second->started ||
          !second->ended) {
        continue;
      }
      if (*first->started < *second->ended && *second->started < *first->ended) {
        reasons.push_back(about(
            Code::phases_overlap, b,
            fmt::format("{} and {} ran at the same time, says phase.json", title(a), title(b))));
      }
    }
  }
}

void check_engine(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    if (!phase.present) continue;
    const auto end = end_of(*phase.evidence);
    if (end && !end->succeeded()) {
      say_failed(inputs, phase, *end, reasons);
      continue;
    }
    if (!end) {
      reasons.push_back(
          about(Code::engine_exit_unknown, phase,
                fmt::format("nothing records how the engine of {} ended", title(phase))));
    }
    check_success(phase, reasons);
  }
}

/// LESSONS 22: when Slurm ends a step or loses a node, the measurement ends there, even if numbers
/// appear afterwards.
void check_slurm_kills(const Inputs& inputs, Reasons& reasons) {
  const auto is_kill = [](const Marker& marker) {
    const auto says = [&](std::string_view part) {
      return marker.text.find(part) != std::string::npos;
    };
    if (marker.kind == "srun_error") return says("Node failure on");
    return marker.kind == "slurm_kill" && (says(" CANCELLED AT ") || says("DUE TO "));
  };
  for (const PhaseInput& phase : inputs.phases) {
    const auto& markers = phase.evidence->markers;
    const auto found = std::find_if(markers.begin(), markers.end(), is_kill);
    if (found == markers.end()) continue;
    Reason reason = about(
        Code::killed_by_slurm, phase,
        fmt::format("Slurm ended a step of {}: {}", title(phase), text::printable(found->text)));
    cite(reason, phase, found->where);
    reasons.push_back(std::move(reason));
  }
}

void check_node_exits(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const NodeTrace& node : phase.evidence->nodes) {
      const int engine = node.engine_exit.value_or(0);
      const int task = node.task_exit.value_or(0);
      if (engine == 0 && task == 0) continue;
      const std::string who = node.host.empty() ? "node_" + node.index : node.host;
      Reason reason = about(
          Code::node_failed, phase,
          fmt::format("on node {} of {}, {} ended with exit {}", text::printable(who), title(phase),
                      engine != 0 ? "madengine" : "the task script", engine != 0 ? engine : task));
      reason.node = who;
      // Exit 3 of a node can mean no more than a CSV without rows: the exception covers it too.
      if (inputs.config.workload.accept_engine_exit) reason.weight = Weight::note;
      const auto log = std::find_if(node.files.begin(), node.files.end(), [](const std::string& f) {
        return f.size() > 4 && f.compare(f.size() - 4, 4, ".err") == 0;
      });
      if (log != node.files.end()) cite(reason, phase, {*log, 0});
      reasons.push_back(std::move(reason));
    }
  }
}

}  // namespace abgate::compare
