#pragma once

#include <span>
#include <string>
#include <string_view>

#include <abgate/model/verdict.hpp>

namespace abgate::compare {

/// Every reason that the judge can give. The names that people and scripts see are in the table of
/// reasons.cpp; they are stable, and docs/reasons.md explains each.
enum class Code {
  // What was expected and what was found.
  leg_missing,
  leg_unexpected,
  row_not_success,
  value_not_usable,
  duplicate_rows,
  sources_disagree,
  source_fallback,
  log_metric,
  evidence_unreadable,
  limit_not_usable,
  // The phase and its engine.
  phase_not_proved,
  no_phase_proof,
  phase_unexpected,
  phases_overlap,
  engine_failed,
  engine_exit_accepted,
  engine_exit_unknown,
  engine_silent,
  engine_reported_failure,
  node_failed,
  killed_by_slurm,
  // Completeness.
  series_missing,
  series_incomplete,
  iterations_not_as_asked,
  too_few_iterations,
  series_gap,
  series_non_monotonic,
  series_conflict,
  series_inconsistent,
  lines_dropped,
  // The same work.
  work_differs,
  not_as_configured,
  wrong_model,
  image_family_differs,
  image_not_as_asked,
  csv_series_disagree,
  csv_series_not_compared,
  throughput_not_recomputed,
  loss_missing,
  loss_differs,
  loss_not_checked,
  grad_norm_not_finite,
  iterations_skipped,
  legs_identical,
  precision_doubtful,
  hbm_differs,
  // Knobs and contamination.
  contaminated,
  profiler_window,
  profiler_announced,
  mean_median_apart,
  // Provenance.
  rccl_not_proved,
  rccl_mixed,
  rccl_not_checked,
  candidate_not_proved,
  candidate_not_pinned,
  baseline_is_candidate,
  sides_identical,
  builds_differ,
  same_build,
  // Place.
  nodes_differ,
  node_count_differs,
  node_rebooted,
  node_vanished,
  node_leftovers,
  node_state_differs,
  nodes_not_seen,
  engine_submitted_own_job,
  foreign_job,
  fabric_not_tested,
  transport_differs,
  transport_not_seen,
  // Freshness.
  same_directory,
  results_identical,
  stale_rows,
  stale_logs,
  // The ratio.
  regression,
  baseline_unstable,
  candidate_unstable,
  drift,
  much_faster,
  number_of_codes  ///< not a reason: how many there are
};

struct CodeInfo {
  Code code;
  std::string_view name;     ///< kebab-case, stable
  Weight weight;             ///< by default; a check may lower it, and its comment says when
  std::string_view summary;  ///< one line
};

/// The whole table, in the order of the enumeration.
std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);

/// A reason of the default weight that is about the run as a whole.
Reason make_reason(Code code, std::string message);

}  // namespace abgate::compare
