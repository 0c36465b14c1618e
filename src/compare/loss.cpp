#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"
#include "statistics.hpp"

namespace abgate::compare {
namespace {

/// Both sides start from the same seed and data; another reduction order moves the loss of the
/// last iteration by well below this, a broken collective by much more.
constexpr double loss_tolerance = 0.05;
/// On the way the loss of a step is noisier than at its end.
constexpr double early_loss_tolerance = 0.25;

bool finite(const std::optional<double>& value) {
  return value && std::isfinite(*value);
}

bool any_loss(const Inputs& inputs) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      if (leg.series == nullptr) continue;
      const auto& lines = leg.series->iterations;
      if (std::any_of(lines.begin(), lines.end(),
                      [](const Iteration& i) { return i.loss_present || i.loss; })) {
        return true;
      }
    }
  }
  return false;
}

std::string numbers_of(const std::vector<const Iteration*>& iterations) {
  constexpr std::size_t most = 6;
  std::vector<std::string> numbers;
  for (const Iteration* iteration : iterations) {
    if (numbers.size() == most) {
      numbers.emplace_back("…");
      break;
    }
    numbers.push_back(fmt::format("{}", iteration->k));
  }
  return text::join(numbers, ", ");
}

/// Adds one reason for all iterations of a leg that `bad` names.
template <class Bad>
void say_iterations(Code code, const PhaseInput& phase, const LegData& leg,
                    const std::vector<const Iteration*>& iterations, Bad bad, std::string_view what,
                    Reasons& reasons) {
  std::vector<const Iteration*> found;
  std::copy_if(iterations.begin(), iterations.end(), std::back_inserter(found),
               [&](const Iteration* iteration) { return bad(*iteration); });
  if (found.empty()) return;
  Reason reason =
      about(code, phase, leg,
            fmt::format("{} {} in iteration {}", title(phase, leg), what, numbers_of(found)));
  for (const Iteration* iteration : found)
    cite(reason, phase, iteration->where);
  reasons.push_back(std::move(reason));
}

std::vector<const Iteration*> all_of(const LegData& leg) {
  std::vector<const Iteration*> out;
  if (leg.series == nullptr) return out;
  for (const Iteration& iteration : leg.series->iterations)
    out.push_back(&iteration);
  return out;
}

const Iteration* line_of(const LegSeries& series, std::int64_t k) {
  const auto found = std::find_if(series.iterations.begin(), series.iterations.end(),
                                  [&](const Iteration& iteration) { return iteration.k == k; });
  return found == series.iterations.end() ? nullptr : &*found;
}

/// The last iteration that every phase got to; a leg that stopped early is said elsewhere.
std::int64_t last_common(const Inputs& inputs, std::size_t leg) {
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  for (const PhaseInput& phase : inputs.phases) {
    const LegSeries* series = phase.legs[leg].series;
    if (series != nullptr) last = std::min(last, series->iterations.back().k);
  }
  return last;
}

/// Loss of a leg at one iteration, averaged over a side's phases.
std::optional<double> loss_at(const Inputs& inputs, Side side, std::size_t leg, std::int64_t k) {
  std::vector<double> losses;
  for (const PhaseInput* phase : inputs.of(side)) {
    const LegSeries* series = phase->legs[leg].series;
    const Iteration* line = series == nullptr ? nullptr : line_of(*series, k);
    if (line != nullptr && finite(line->loss)) losses.push_back(*line->loss);
  }
  return arithmetic_mean(losses);
}

/// Says when the sides' losses are too far apart at that iteration.
bool say_loss(const Inputs& inputs, std::size_t leg, std::int64_t k, double tolerance,
              Reasons& reasons) {
  const auto baseline = loss_at(inputs, Side::baseline, leg, k);
  const auto candidate = loss_at(inputs, Side::candidate, leg, k);
  if (!baseline || !candidate) return false;
  if (std::abs(*candidate - *baseline) <= tolerance * std::abs(*baseline)) return false;
  const std::string& precision = inputs.config.workload.precisions[leg];
  Reason reason = make_reason(
      Code::loss_differs,
      fmt::format("{} has at iteration {} loss {:.6g} on the baseline and {:.6g} on the "
                  "candidate, further apart than {:.0f} %",
                  precision, k, *baseline, *candidate, tolerance * 100));
  reason.precision = precision;
  for (const PhaseInput& phase : inputs.phases) {
    const LegSeries* series = phase.legs[leg].series;
    const Iteration* line = series == nullptr ? nullptr : line_of(*series, k);
    if (line != nullptr) cite(reason, phase, line->where);
  }
  reasons.push_back(std::move(reason));
  return true;
}

}  // namespace

/// LESSONS 7: a NaN loss makes Megatron leave the segment out (FORMATS 4), so an absent loss is a
/// broken one; unless evidence is optional and nothing at all prints a loss.
void check_loss(const Inputs& inputs, Reasons& reasons) {
  const bool required = inputs.config.workload.evidence_required() || any_loss(inputs);
  bool unchecked = false;
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      if (leg.measured.empty()) continue;
      unchecked = true;
      if (!required) continue;
      say_iterations(
          Code::loss_missing, phase, leg, all_of(leg),
          [](const Iteration& i) { return !finite(i.loss); }, "has no finite loss", reasons);
    }
  }
  if (!required && unchecked) {
    reasons.push_back(make_reason(Code::loss_not_checked,
                                  "no log prints a loss, and the workload does not require one"));
  }
}

/// The sides' losses may differ by at most 5 % of the baseline's at the last iteration that all
/// phases have, and by at most 25 % at any one before it.
void check_final_loss(const Inputs& inputs, Reasons& reasons) {
  for (std::size_t i = 0; i < inputs.config.workload.precisions.size(); ++i) {
    const std::int64_t last = last_common(inputs, i);
    for (std::int64_t k = last; k >= 1 && last != std::numeric_limits<std::int64_t>::max(); --k) {
      const double tolerance = k == last ? loss_tolerance : early_loss_tolerance;
      if (say_loss(inputs, i, k, tolerance, reasons)) break;
    }
  }
}

/// Warm-up lines count too: a skipped step is skipped work whenever it happens.
void check_counters(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      const auto iterations = all_of(leg);
      say_iterations(
          Code::iterations_skipped, phase, leg, iterations,
          [](const Iteration& i) { return i.skipped.value_or(0) != 0 || i.nan.value_or(0) != 0; },
          "counts skipped or NaN iterations", reasons);
      say_iterations(
          Code::grad_norm_not_finite, phase, leg, iterations,
          [](const Iteration& i) { return i.grad_norm_present && !finite(i.grad_norm); },
          "has a grad norm that is not finite", reasons);
    }
  }
}

}  // namespace abgate::compare
