#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "checks.hpp"
#include "same_times.hpp"
#include "statistics.hpp"

// LESSONS 7: the wrong precision under the right label.

namespace abgate::compare {
namespace {

/// Two precisions of one phase with equal times; without series, with equal values.
bool identical(const LegData& a, const LegData& b) {
  if (a.series != nullptr && b.series != nullptr) return same_times(*a.series, *b.series);
  return a.value && b.value && *a.value == *b.value;
}

std::optional<double> side_value(const Inputs& inputs, Side side, std::size_t leg) {
  std::vector<double> values;
  for (const PhaseInput* phase : inputs.of(side)) {
    if (phase->legs[leg].value) values.push_back(*phase->legs[leg].value);
  }
  return geometric_mean(values);
}

/// The candidate's leg is much faster than the baseline's and as fast as the baseline's other
/// precision. Only gains: a loss is a regression whatever its cause, and passes nothing.
void check_doubtful(const Inputs& inputs, std::size_t leg, std::size_t other, Reasons& reasons) {
  constexpr double clearly_faster = 1.3;
  constexpr double as_fast = 0.05;
  const auto baseline = side_value(inputs, Side::baseline, leg);
  const auto candidate = side_value(inputs, Side::candidate, leg);
  const auto neighbour = side_value(inputs, Side::baseline, other);
  if (!baseline || !candidate || !neighbour || *candidate < *baseline * clearly_faster) return;
  if (relative_difference(*candidate, *neighbour) > as_fast) return;
  const auto& precisions = inputs.config.workload.precisions;
  Reason reason = make_reason(
      Code::precision_doubtful,
      fmt::format("{} of the candidate gives {:.1f}, far from the baseline's {:.1f} and "
                  "as fast as the baseline's {} with {:.1f}: it may have run in {}",
                  precisions[leg], *candidate, *baseline, precisions[other], *neighbour,
                  precisions[other]));
  reason.side = Side::candidate;
  reason.precision = precisions[leg];
  reasons.push_back(std::move(reason));
}

std::optional<double> peak_of(const Inputs& inputs, Side side, std::size_t leg) {
  std::optional<double> peak;
  for (const PhaseInput* phase : inputs.of(side)) {
    for (const Iteration* iteration : phase->legs[leg].measured) {
      if (iteration->peak_hbm_gb) peak = std::max(peak.value_or(0), *iteration->peak_hbm_gb);
    }
  }
  return peak;
}

}  // namespace

void check_precisions(const Inputs& inputs, Reasons& reasons) {
  const std::size_t count = inputs.config.workload.precisions.size();
  for (const PhaseInput& phase : inputs.phases) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        if (!identical(phase.legs[i], phase.legs[j])) continue;
        reasons.push_back(about(
            Code::legs_identical, phase, phase.legs[j],
            fmt::format("{} and {} of {} have the same numbers: one was reported under two labels",
                        phase.legs[i].precision, phase.legs[j].precision, title(phase))));
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      if (i != j) check_doubtful(inputs, i, j, reasons);
    }
  }
}

/// A note: another library may well need other buffers. 20 % is beyond that and worth a look.
void check_memory(const Inputs& inputs, Reasons& reasons) {
  constexpr double tolerance = 0.2;
  for (std::size_t i = 0; i < inputs.config.workload.precisions.size(); ++i) {
    const auto baseline = peak_of(inputs, Side::baseline, i);
    const auto candidate = peak_of(inputs, Side::candidate, i);
    if (!baseline || !candidate || !(*baseline > 0)) continue;
    if (relative_difference(*candidate, *baseline) <= tolerance) continue;
    Reason reason = make_reason(
        Code::hbm_differs,
        fmt::format("{} needs {:.1f} GB of device memory on the baseline and {:.1f} GB on the "
                    "candidate",
                    inputs.config.workload.precisions[i], *baseline, *candidate));
    reason.precision = inputs.config.workload.precisions[i];
    reasons.push_back(std::move(reason));
  }
}

}  // namespace abgate::compare
