#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"
#include "hosts.hpp"

namespace abgate::compare {
namespace {

Hosts without(const Hosts& all, const Hosts& known) {
  Hosts out;
  std::set_difference(all.begin(), all.end(), known.begin(), known.end(),
                      std::inserter(out, out.end()));
  return out;
}

/// Compares one way of knowing the nodes over all measured phases.
void compare_hosts(const Inputs& inputs, Hosts (*hosts)(const PhaseInput&), std::string_view by,
                   Reasons& reasons) {
  const PhaseInput* first = nullptr;
  for (const PhaseInput& phase : inputs.phases) {
    if (!phase.measured()) continue;
    if (first == nullptr) {
      first = &phase;
      continue;
    }
    const Hosts a = hosts(*first);
    const Hosts b = hosts(phase);
    if (a == b || a.empty() || b.empty()) continue;  // check_nodes tells of the missing
    reasons.push_back(about(Code::nodes_differ, phase,
                            fmt::format("by {}, {} ran on {} and {} on {}", by, title(*first),
                                        list(a), title(phase), list(b))));
    return;
  }
}

/// The logs of a phase must come from the nodes that its proof names. With the local launcher the
/// engine may call its nodes what it likes.
void check_logs_against_proof(const Inputs& inputs, const PhaseInput& phase, Reasons& reasons) {
  const Hosts proved = proved_hosts(phase);
  if (proved.empty() || inputs.config.launcher == Launcher::local) return;
  const Hosts strange = without(logged_hosts(phase), proved);
  if (strange.empty()) return;
  Reason reason = about(Code::nodes_differ, phase,
                        fmt::format("{} held {}, but its logs come from {}", title(phase),
                                    list(proved), list(strange)));
  reason.node = *strange.begin();
  reasons.push_back(std::move(reason));
}

void check_allocation(const Inputs& inputs, const PhaseInput& phase, Reasons& reasons) {
  if (inputs.context.nodes.empty() || inputs.config.launcher == Launcher::local) return;
  Hosts allocated;
  for (const std::string& node : inputs.context.nodes)
    allocated.insert(short_host(node));
  const Hosts seen = hosts_of(phase);
  if (seen.empty() || seen == allocated) return;
  reasons.push_back(about(Code::nodes_differ, phase,
                          fmt::format("the allocation holds {}, but {} ran on {}", list(allocated),
                                      title(phase), list(seen))));
}

void check_count(const Inputs& inputs, const PhaseInput& phase, Reasons& reasons) {
  const Hosts seen = hosts_of(phase);
  if (inputs.config.launcher == Launcher::local || seen.empty()) return;
  const std::size_t wanted = expected_nodes(inputs.config);
  if (seen.size() == wanted) return;
  reasons.push_back(about(Code::node_count_differs, phase,
                          fmt::format("{} shows {} nodes ({}), the gate is configured for {}",
                                      title(phase), seen.size(), list(seen), wanted)));
}

/// Jobs that the engine submitted although it stood in our allocation.
void check_own_jobs(const PhaseInput& phase, Reasons& reasons) {
  for (const std::string& job : phase.evidence->engine.submitted_jobs) {
    if (job == phase.own_job) continue;
    reasons.push_back(about(
        Code::engine_submitted_own_job, phase,
        fmt::format("the engine of {} submitted job {} of its own{}, so it measured elsewhere",
                    title(phase), text::printable(job),
                    phase.own_job.empty()
                        ? ""
                        : fmt::format(" while allocation {} was idle", phase.own_job))));
  }
}

}  // namespace

/// LESSONS 14: the same nodes in every phase, by our own proof and by what the logs say.
void check_nodes(const Inputs& inputs, Reasons& reasons) {
  compare_hosts(inputs, proved_hosts, "phase.json", reasons);
  compare_hosts(inputs, logged_hosts, "the node logs", reasons);
  for (const PhaseInput& phase : inputs.phases) {
    if (!phase.measured()) continue;
    if (hosts_of(phase).empty()) {
      reasons.push_back(about(Code::nodes_not_seen, phase,
                              fmt::format("nothing names the nodes of {}", title(phase))));
    }
    check_logs_against_proof(inputs, phase, reasons);
    check_allocation(inputs, phase, reasons);
    check_count(inputs, phase, reasons);
  }
}

/// LESSONS 23. Directories from elsewhere may each have a job of their own; then only the nodes
/// hold the phases together, and the report says so.
void check_jobs(const Inputs& inputs, Reasons& reasons) {
  std::set<std::string> jobs;
  for (const PhaseInput& phase : inputs.phases) {
    if (phase.ours(inputs.context)) {
      check_own_jobs(phase, reasons);
    } else if (!phase.job.empty()) {
      jobs.insert(phase.job);
    }
  }
  if (jobs.size() > 1) {
    reasons.push_back(
        make_reason(Code::foreign_job,
                    fmt::format("the phases ran in separate jobs ({}), not in one allocation",
                                text::printable(fmt::format("{}", fmt::join(jobs, ", "))))));
  }
}

}  // namespace abgate::compare
