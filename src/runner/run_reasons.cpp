#include <algorithm>
#include <array>

#include <abgate/runner/run_reasons.hpp>

namespace abgate::runner {

std::vector<RunReason> all_run_reasons() {
  return {allocation_refused,
          allocation_not_granted,
          allocation_lost,
          allocation_node_failed,
          allocation_prolog_failed,
          allocation_time_limit,
          controller_unreachable,
          allocation_preempted,
          queue_budget,
          run_budget,
          phase_budget,
          no_progress,
          nodes_unreachable,
          inner_failed,
          stopped_by_signal,
          write_failed,
          notify_failed,
          manifest_changed,
          resumed};
}

bool is_loss(const Reason& reason) {
  constexpr std::array losses{allocation_lost, allocation_node_failed, allocation_prolog_failed,
                              allocation_time_limit, allocation_preempted};
  return std::any_of(losses.begin(), losses.end(),
                     [&](const RunReason& loss) { return loss.code == reason.code; });
}

Reason make_reason(const RunReason& kind, std::string message) {
  Reason reason;
  reason.code = kind.code;
  reason.weight = kind.weight;
  reason.message = std::move(message);
  return reason;
}

}  // namespace abgate::runner
