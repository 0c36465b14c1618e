#include <abgate/runner/score.hpp>

namespace abgate::runner {

void score_into(GateRecord& record, const GateConfig& config,
                const std::vector<PhaseEvidence>& evidence, const compare::Context& context,
                const std::vector<Reason>& run_reasons) {
  Scorecard card = compare::compare(config, evidence, context);
  record.legs = std::move(card.legs);
  record.source = card.source;
  record.reasons = run_reasons;
  for (Reason& reason : card.reasons)
    record.reasons.push_back(std::move(reason));
  sort_by_weight(record.reasons);
  record.verdict = verdict_of(record.legs, record.reasons);
}

int exit_code_of(const GateRecord& record) {
  if (record.signal) return exit_code::signal_base + *record.signal;
  const bool excused = record.advisory && (record.verdict == Verdict::regression ||
                                           record.verdict == Verdict::no_verdict);
  return excused ? exit_code::pass : code_of(record.verdict);
}

}  // namespace abgate::runner
