#include <array>
#include <utility>

#include <abgate/compare/compare.hpp>

#include "checks.hpp"
#include "ratios.hpp"

namespace abgate::compare {
namespace {

using Check = void (*)(const Inputs&, Reasons&);

/// Within one weight the reasons keep this order: what explains most comes first.
constexpr std::array checks{
    check_proof,           check_jobs,          check_directories,     check_identical_results,
    check_stale_rows,      check_stale_logs,    check_provenance,      check_nodes,
    check_node_states,     check_transport,     check_phases_apart,    check_engine,
    check_node_exits,      check_slurm_kills,   check_problems,        check_failed_rows,
    check_completeness,    check_series_copies, check_contamination,   check_same_work,
    check_configured_work, check_images,        check_recomputed,      check_csv_against_series,
    check_sources_agree,   check_loss,          check_final_loss,      check_counters,
    check_precisions,      check_memory,        check_unexpected_legs,
};

}  // namespace

Scorecard compare(const GateConfig& config, const std::vector<PhaseEvidence>& phases,
                  const Context& context) {
  Inputs inputs = arrange(config, phases, context);
  Scorecard card;
  choose_source(inputs, card.reasons);
  read_values(inputs, card.reasons);
  for (const Check check : checks)
    check(inputs, card.reasons);

  card.source = inputs.source;
  card.legs = measure_legs(inputs);
  check_statistics(inputs, card.legs, card.reasons);
  decide_legs(inputs, card.legs, card.reasons);
  sort_by_weight(card.reasons);
  card.verdict = verdict_of(card.legs, card.reasons);
  return card;
}

}  // namespace abgate::compare
