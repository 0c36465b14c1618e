#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"
#include "contamination.hpp"

namespace abgate::compare {
namespace {

/// The workload asks for the profiler to be off (FORMATS 4).
bool profiler_is_off(const GateConfig& config, Side side) {
  const Environment env = config.environment_of(side);
  const std::string* value = find_variable(env, "PRIMUS_DISABLE_PROFILE");
  return value != nullptr && !value->empty() && *value != "0" && !same_name(*value, "false");
}

/// The one contamination that is no fault: the workload leaves the profiler as the model ships it
/// (Llama-3.1-70B), and its window shows in the same iterations of every phase and is at most one
/// measured iteration in twenty. Then both sides did the same work; mean-median-apart still stands
/// guard over its size.
bool is_own_profiler(const Inputs& inputs, const std::vector<Contamination>& of_phases,
                     std::size_t leg) {
  constexpr std::size_t share = 20;
  if (profiler_is_off(inputs.config, Side::baseline) ||
      profiler_is_off(inputs.config, Side::candidate)) {
    return false;
  }
  for (std::size_t i = 0; i < of_phases.size(); ++i) {
    if (of_phases[i].numbers != of_phases.front().numbers || of_phases[i].worst < 1 ||
        of_phases[i].numbers.size() * share > inputs.phases[i].legs[leg].measured.size()) {
      return false;
    }
  }
  return true;
}

std::string numbers_text(const std::set<std::int64_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

void say_contaminated(const PhaseInput& phase, const LegData& leg, const Contamination& found,
                      Reasons& reasons) {
  Reason reason =
      about(Code::contaminated, phase, leg,
            fmt::format("iteration {} of {} took up to {:.2f} times the median: a profiler window "
                        "or a disturbance is inside the measured iterations",
                        numbers_text(found.numbers), title(phase, leg), found.worst));
  for (const Iteration* iteration : found.iterations)
    cite(reason, phase, iteration->where);
  reasons.push_back(std::move(reason));
}

void check_leg(const Inputs& inputs, std::size_t leg, Reasons& reasons) {
  std::vector<Contamination> of_phases;
  for (const PhaseInput& phase : inputs.phases)
    of_phases.push_back(contamination_of(phase.legs[leg]));
  const bool any = std::any_of(of_phases.begin(), of_phases.end(),
                               [](const Contamination& c) { return !c.numbers.empty(); });
  if (!any) return;
  const std::string& precision = inputs.config.workload.precisions[leg];
  if (is_own_profiler(inputs, of_phases, leg)) {
    Reason reason = make_reason(
        Code::profiler_window,
        fmt::format("iteration {} of {} is profiled alike in every phase, as the workload ships; "
                    "the mean contains it on both sides",
                    numbers_text(of_phases.front().numbers), precision));
    reason.precision = precision;
    reasons.push_back(std::move(reason));
    return;
  }
  for (std::size_t i = 0; i < of_phases.size(); ++i) {
    if (of_phases[i].numbers.empty()) continue;
    say_contaminated(inputs.phases[i], inputs.phases[i].legs[leg], of_phases[i], reasons);
  }
}

/// Iteration lines come from the last node; a profiler may announce itself on any.
void check_announcements(const PhaseInput& phase, Reasons& reasons) {
  Reason reason = about(Code::profiler_announced, phase,
                        fmt::format("a profiler announced itself in {}, although it was turned "
                                    "off; contaminated iterations are looked for in any case",
                                    title(phase)));
  bool announced = false;
  for (const LegSeries& series : phase.evidence->series)
    announced = announced || series.profiler_lines;
  for (const Marker& marker : phase.evidence->markers) {
    if (marker.kind != "profiler") continue;
    announced = true;
    cite(reason, phase, marker.where);
  }
  if (announced) reasons.push_back(std::move(reason));
}

}  // namespace

/// LESSONS 8, 17: one profiled iteration of 13 moves the mean by more than the threshold.
void check_contamination(const Inputs& inputs, Reasons& reasons) {
  for (std::size_t i = 0; i < inputs.config.workload.precisions.size(); ++i)
    check_leg(inputs, i, reasons);
  for (const PhaseInput& phase : inputs.phases) {
    if (profiler_is_off(inputs.config, phase.side)) check_announcements(phase, reasons);
  }
}

}  // namespace abgate::compare
