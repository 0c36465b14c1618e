#include <array>
#include <cstddef>
#include <utility>

#include <abgate/compare/reasons.hpp>

namespace abgate::compare {
namespace {

constexpr std::size_t code_count = static_cast<std::size_t>(Code::number_of_codes);

constexpr std::array<CodeInfo, code_count> table{{
    {Code::leg_missing, "leg-missing", Weight::leg, "an expected leg has no result"},
    {Code::leg_unexpected, "leg-unexpected", Weight::note,
     "a precision was found that nobody asked for"},
    {Code::row_not_success, "row-not-success", Weight::leg,
     "the engine did not call the row a success"},
    {Code::value_not_usable, "value-not-usable", Weight::leg,
     "the value is not finite and positive"},
    {Code::duplicate_rows, "duplicate-rows", Weight::distrust,
     "one leg of one phase has several rows"},
    {Code::sources_disagree, "sources-disagree", Weight::leg,
     "perf.csv and the per-model CSV name different values"},
    {Code::source_fallback, "source-fallback", Weight::note,
     "perf.csv was incomplete, another source was scored on both sides"},
    {Code::log_metric, "log-metric", Weight::note, "the logs' iterations were scored"},
    {Code::evidence_unreadable, "evidence-unreadable", Weight::leg,
     "a result file could not be read"},
    {Code::limit_not_usable, "limit-not-usable", Weight::leg, "max_drop is no fraction"},

    {Code::phase_not_proved, "phase-not-proved", Weight::distrust,
     "phase.json does not prove that this gate ran the phase"},
    {Code::no_phase_proof, "no-phase-proof", Weight::note,
     "the directory comes from elsewhere and has no usable phase.json"},
    {Code::phase_unexpected, "phase-unexpected", Weight::distrust,
     "there is a phase that the order does not have"},
    {Code::phases_overlap, "phases-overlap", Weight::distrust, "two phases ran at the same time"},
    {Code::engine_failed, "engine-failed", Weight::leg, "the engine did not end with exit 0"},
    {Code::engine_exit_accepted, "engine-exit-accepted", Weight::note,
     "the engine failed and the workload accepts that"},
    {Code::engine_exit_unknown, "engine-exit-unknown", Weight::note,
     "nobody recorded how the engine ended"},
    {Code::engine_silent, "engine-silent", Weight::leg,
     "the engine ended with exit 0 and wrote no row"},
    {Code::engine_reported_failure, "engine-reported-failure", Weight::leg,
     "the engine ended with exit 0 and said that its job failed"},
    {Code::node_failed, "node-failed", Weight::leg, "a node's part of the engine failed"},
    {Code::killed_by_slurm, "killed-by-slurm", Weight::leg, "Slurm ended a step of the phase"},

    {Code::series_missing, "series-missing", Weight::leg, "no iteration lines for a leg"},
    {Code::series_incomplete, "series-incomplete", Weight::leg,
     "the last iteration is not the total"},
    {Code::iterations_not_as_asked, "iterations-not-as-asked", Weight::leg,
     "the total is not the requested number of iterations"},
    {Code::too_few_iterations, "too-few-iterations", Weight::leg,
     "too few iterations are left after the warm-up"},
    {Code::series_gap, "series-gap", Weight::leg,
     "iterations are missing in the middle, or carry no time"},
    {Code::series_non_monotonic, "series-non-monotonic", Weight::leg,
     "the iteration number went back"},
    {Code::series_conflict, "series-conflict", Weight::distrust,
     "two logs tell different things about one leg"},
    {Code::series_inconsistent, "series-inconsistent", Weight::leg,
     "printed throughput does not follow from the printed times"},
    {Code::lines_dropped, "lines-dropped", Weight::note, "cut or glued lines were not guessed at"},

    {Code::work_differs, "work-differs", Weight::leg, "the sides did not do the same work"},
    {Code::not_as_configured, "not-as-configured", Weight::leg,
     "nodes or GPUs are not those of the configuration"},
    {Code::wrong_model, "wrong-model", Weight::leg, "another model was trained"},
    {Code::image_family_differs, "image-family-differs", Weight::leg,
     "the sides' images come from different repositories"},
    {Code::image_not_as_asked, "image-not-as-asked", Weight::note,
     "the results name another image than the configuration"},
    {Code::csv_series_disagree, "csv-series-disagree", Weight::leg,
     "the scored value does not follow from the iterations"},
    {Code::csv_series_not_compared, "csv-series-not-compared", Weight::note,
     "the metric has no counterpart in the logs"},
    {Code::throughput_not_recomputed, "throughput-not-recomputed", Weight::note,
     "sequence or batch size is unknown"},
    {Code::loss_missing, "loss-missing", Weight::leg, "a measured iteration has no finite loss"},
    {Code::loss_differs, "loss-differs", Weight::leg, "the sides end at different losses"},
    {Code::loss_not_checked, "loss-not-checked", Weight::note, "no log prints a loss"},
    {Code::grad_norm_not_finite, "grad-norm-not-finite", Weight::leg,
     "an iteration has a grad norm that is not finite"},
    {Code::iterations_skipped, "iterations-skipped", Weight::leg,
     "skipped or NaN iterations were counted"},
    {Code::legs_identical, "legs-identical", Weight::distrust,
     "two precisions of one phase show the same numbers"},
    {Code::precision_doubtful, "precision-doubtful", Weight::leg,
     "a leg is as fast as another precision"},
    {Code::hbm_differs, "hbm-differs", Weight::note, "peak memory differs between the sides"},

    {Code::contaminated, "contaminated", Weight::leg,
     "measured iterations are far from the leg's median"},
    {Code::profiler_window, "profiler-window", Weight::note,
     "the workload's own profiler shows alike in every phase"},
    {Code::profiler_announced, "profiler-announced", Weight::note,
     "a profiler announced itself although it was turned off"},
    {Code::mean_median_apart, "mean-median-apart", Weight::leg,
     "the ratio of means and the ratio of medians are too far apart"},

    {Code::rccl_not_proved, "rccl-not-proved", Weight::distrust,
     "the RCCL build is not known on every node"},
    {Code::rccl_mixed, "rccl-mixed", Weight::distrust, "one side ran several RCCL builds"},
    {Code::rccl_not_checked, "rccl-not-checked", Weight::note,
     "no log shows an RCCL build, and the workload does not require it"},
    {Code::candidate_not_proved, "candidate-not-proved", Weight::distrust,
     "the candidate side did not run the candidate build"},
    {Code::candidate_not_pinned, "candidate-not-pinned", Weight::note,
     "nobody said which build the candidate is"},
    {Code::baseline_is_candidate, "baseline-is-candidate", Weight::distrust,
     "the baseline side ran the candidate build"},
    {Code::sides_identical, "sides-identical", Weight::distrust,
     "both sides ran one build and nothing else differs"},
    {Code::builds_differ, "builds-differ", Weight::distrust,
     "the sides ran different builds where one was meant"},
    {Code::same_build, "same-build", Weight::note, "an A/A gate: one build on both sides"},

    {Code::nodes_differ, "nodes-differ", Weight::distrust, "the phases ran on different nodes"},
    {Code::node_count_differs, "node-count-differs", Weight::distrust,
     "not the configured number of nodes"},
    {Code::node_rebooted, "node-rebooted", Weight::distrust, "a node rebooted while the gate ran"},
    {Code::node_vanished, "node-vanished", Weight::distrust,
     "a node did not answer any more after a phase"},
    {Code::node_leftovers, "node-leftovers", Weight::note,
     "something of an earlier phase still runs on a node"},
    {Code::node_state_differs, "node-state-differs", Weight::note,
     "a node was busier before one phase than before the first"},
    {Code::nodes_not_seen, "nodes-not-seen", Weight::note, "no evidence names the nodes"},
    {Code::engine_submitted_own_job, "engine-submitted-own-job", Weight::distrust,
     "the engine measured outside the allocation"},
    {Code::foreign_job, "foreign-job", Weight::note, "the phases ran in jobs of their own"},
    {Code::fabric_not_tested, "fabric-not-tested", Weight::distrust, "both sides ran over sockets"},
    {Code::transport_differs, "transport-differs", Weight::distrust,
     "the sides ran over different transports"},
    {Code::transport_not_seen, "transport-not-seen", Weight::note,
     "no log names the network transport"},

    {Code::same_directory, "same-directory", Weight::distrust, "two phases are one directory"},
    {Code::results_identical, "results-identical", Weight::distrust,
     "two phases have identical results"},
    {Code::stale_rows, "stale-rows", Weight::distrust, "result rows belong to another job"},
    {Code::stale_logs, "stale-logs", Weight::distrust, "node logs belong to another job"},

    {Code::regression, "regression", Weight::regression,
     "the candidate is slower than the limit allows"},
    {Code::baseline_unstable, "baseline-unstable", Weight::leg,
     "the baseline phases differ from one another"},
    {Code::candidate_unstable, "candidate-unstable", Weight::leg,
     "the candidate phases differ from one another"},
    {Code::drift, "drift", Weight::note, "throughput drifted inside a phase"},
    {Code::much_faster, "much-faster", Weight::note,
     "the candidate is faster by more than a build usually brings"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].code) != i || table[i].name.empty()) return false;
  }
  return true;
}
static_assert(in_order(), "the table has one row a code, in the order of the enumeration");

}  // namespace

std::span<const CodeInfo> all_codes() {
  return table;
}

const CodeInfo& info(Code code) {
  return table[static_cast<std::size_t>(code) % table.size()];
}

Reason make_reason(Code code, std::string message) {
  Reason reason;
  reason.code = std::string(info(code).name);
  reason.weight = info(code).weight;
  reason.message = std::move(message);
  return reason;
}

}  // namespace abgate::compare
