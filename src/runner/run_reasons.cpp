#include <abgate/runner/run_reasons.hpp>

namespace abgate::runner {

std::vector<RunReason> all_run_reasons() {
  return {allocation_refused,    allocation_not_granted,
          allocation_lost,       allocation_node_failed,
          allocation_time_limit, allocation_preempted,
          queue_budget,          run_budget,
          phase_budget,          no_progress,
          nodes_unreachable,     inner_failed,
          stopped_by_signal,     write_failed,
          manifest_changed};
}

bool is_loss(const Reason& reason) {
  return reason.code == allocation_lost.code || reason.code == allocation_node_failed.code ||
         reason.code == allocation_time_limit.code || reason.code == allocation_preempted.code;
}

Reason make_reason(const RunReason& kind, std::string message) {
  Reason reason;
  reason.code = kind.code;
  reason.weight = kind.weight;
  reason.message = std::move(message);
  return reason;
}

}  // namespace abgate::runner
