#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/verdict.hpp>

namespace abgate::runner {

/// Reasons that come from running, not from comparing. Documented in docs/reasons.md, one paragraph
/// each.
struct RunReason {
  std::string_view code;
  Weight weight;
  std::string_view summary;
};

inline constexpr RunReason allocation_refused{"allocation-refused", Weight::infra,
                                              "Slurm refused the allocation"};
inline constexpr RunReason allocation_not_granted{"allocation-not-granted", Weight::infra,
                                                  "salloc ended before it had nodes"};
inline constexpr RunReason allocation_lost{"allocation-lost", Weight::infra,
                                           "the allocation ended before the phases did"};
inline constexpr RunReason allocation_node_failed{"allocation-node-failed", Weight::infra,
                                                  "a node of the allocation failed"};
inline constexpr RunReason allocation_prolog_failed{"allocation-prolog-failed", Weight::infra,
                                                    "a node's prolog failed"};
inline constexpr RunReason allocation_time_limit{"allocation-time-limit", Weight::infra,
                                                 "the allocation hit its time limit"};
inline constexpr RunReason allocation_preempted{"allocation-preempted", Weight::infra,
                                                "the allocation was preempted"};
inline constexpr RunReason controller_unreachable{"controller-unreachable", Weight::infra,
                                                  "Slurm's controller did not answer"};
inline constexpr RunReason queue_budget{"queue-budget", Weight::infra,
                                        "the queue budget was used up before nodes were granted"};
inline constexpr RunReason run_budget{"run-budget", Weight::infra, "the run budget was used up"};
inline constexpr RunReason phase_budget{"phase-budget", Weight::infra,
                                        "a phase used up its budget"};
inline constexpr RunReason no_progress{"no-progress", Weight::infra,
                                       "a phase did not move within the progress budget"};
inline constexpr RunReason nodes_unreachable{"nodes-unreachable", Weight::infra,
                                             "a step on the nodes could not be run"};
inline constexpr RunReason inner_failed{"inner-failed", Weight::infra,
                                        "abgate inside the allocation did not finish"};
inline constexpr RunReason stopped_by_signal{"stopped-by-signal", Weight::infra,
                                             "the gate was told to stop"};
inline constexpr RunReason write_failed{"write-failed", Weight::infra,
                                        "a result could not be written"};
inline constexpr RunReason notify_failed{"notify-failed", Weight::note,
                                         "the notification command did not succeed"};
inline constexpr RunReason manifest_changed{"manifest-changed", Weight::distrust,
                                            "manifest.json was not what the gate had written"};

inline constexpr RunReason resumed{"resumed", Weight::note,
                                   "the gate had been interrupted and was started again"};

std::vector<RunReason> all_run_reasons();

/// One of the reasons that say that the allocation ended before the phases did.
bool is_loss(const Reason& reason);

Reason make_reason(const RunReason& kind, std::string message);

}  // namespace abgate::runner
