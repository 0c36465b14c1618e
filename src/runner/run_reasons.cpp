#include <abgate/runner/run_reasons.hpp>

namespace abgate::runner {

std::vector<RunReason> all_run_reasons() {
  return {allocation_refused, allocation_not_granted, allocation_lost,   queue_budget,
          run_budget,         phase_budget,           nodes_unreachable, inner_failed,
          stopped_by_signal,  write_failed,           manifest_changed};
}

Reason make_reason(const RunReason& kind, std::string message) {
  Reason reason;
  reason.code = kind.code;
  reason.weight = kind.weight;
  reason.message = std::move(message);
  return reason;
}

}  // namespace abgate::runner
