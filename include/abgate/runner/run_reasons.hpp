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
inline constexpr RunReason queue_budget{"queue-budget", Weight::infra,
                                        "the queue budget was used up before nodes were granted"};
inline constexpr RunReason run_budget{"run-budget", Weight::infra, "the run budget was used up"};
inline constexpr RunReason phase_budget{"phase-budget", Weight::infra,
                                        "a phase used up its budget"};
inline constexpr RunReason nodes_unreachable{"nodes-unreachable", Weight::infra,
                                             "a step on the nodes could not be run"};
inline constexpr RunReason inner_failed{"inner-failed", Weight::infra,
                                        "abgate inside the allocation did not finish"};
inline constexpr RunReason stopped_by_signal{"stopped-by-signal", Weight::infra,
                                             "the gate was told to stop"};
inline constexpr RunReason write_failed{"write-failed", Weight::infra,
                                        "a result could not be written"};
inline constexpr RunReason manifest_changed{"manifest-changed", Weight::distrust,
                                            "manifest.json was not what the gate had written"};

std::vector<RunReason> all_run_reasons();

Reason make_reason(const RunReason& kind, std::string message);

}  // namespace abgate::runner
