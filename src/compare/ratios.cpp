#include "ratios.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "contamination.hpp"
#include "statistics.hpp"

namespace abgate::compare {
namespace {

PhaseValue value_of(const GateConfig& config, const PhaseInput& phase, const LegData& leg) {
  PhaseValue value;
  value.phase = phase.index;
  value.side = phase.side;
  value.value = leg.value;
  value.harmonic_mean = harmonic_mean(leg.throughput);
  value.median = median(leg.throughput);
  value.spread = spread(leg.throughput);
  value.drift = drift(leg.throughput);
  value.autocorrelation = autocorrelation(leg.throughput);
  for (const Iteration* iteration : leg.measured) {
    if (iteration->peak_hbm_gb) {
      value.peak_hbm_gb = std::max(value.peak_hbm_gb.value_or(0), *iteration->peak_hbm_gb);
    }
  }
  if (leg.series != nullptr) value.last_loss = leg.series->iterations.back().loss;
  value.measured_iterations = static_cast<std::int64_t>(leg.measured.size());
  value.series = curve_of(config, leg);
  return value;
}

using Number = std::optional<double> PhaseValue::*;

std::vector<double> numbers_of(const LegResult& leg, Side side, Number number) {
  std::vector<double> values;
  for (const PhaseValue& phase : leg.phases) {
    if (phase.side == side && phase.*number) values.push_back(*(phase.*number));
  }
  return values;
}

std::optional<double> ratio_of(const std::optional<double>& candidate,
                               const std::optional<double>& baseline) {
  if (!candidate || !baseline) return {};
  const double ratio = *candidate / *baseline;
  if (!std::isfinite(ratio) || !(ratio > 0)) return {};
  return ratio;
}

/// A ratio of the series stands for the leg only when every phase has a series.
std::optional<double> series_ratio(const LegResult& leg, Number number) {
  const bool complete = std::all_of(leg.phases.begin(), leg.phases.end(),
                                    [&](const PhaseValue& phase) { return phase.*number; });
  if (!complete) return {};
  return ratio_of(geometric_mean(numbers_of(leg, Side::candidate, number)),
                  geometric_mean(numbers_of(leg, Side::baseline, number)));
}

Reason about_leg(Code code, const LegResult& leg, std::string message) {
  Reason reason = make_reason(code, std::move(message));
  reason.precision = leg.precision;
  return reason;
}

/// LESSONS 17: a mean that a median contradicts by more than half the limit is contaminated.
void check_mean_and_median(const LegResult& leg, Reasons& reasons) {
  if (!leg.ratio || !leg.median_ratio) return;
  const double apart = std::abs(*leg.ratio - *leg.median_ratio);
  if (apart <= leg.max_drop / 2) return;
  reasons.push_back(about_leg(
      Code::mean_median_apart, leg,
      fmt::format("{}: the ratio of the means is {:.4f} and that of the medians {:.4f}, further "
                  "apart than half the limit ({:.4f})",
                  leg.precision, *leg.ratio, *leg.median_ratio, leg.max_drop / 2)));
}

/// A CSV value that lifts a leg over the limit which the mean of all its iterations misses is not
/// believed: an average that was cleared on the way (FORMATS 4) knows only the last of them.
void check_series_below(const LegResult& leg, Reasons& reasons) {
  if (!leg.ratio || !leg.median_ratio || !leg.harmonic_ratio) return;
  const double limit = 1 - leg.max_drop;
  if (*leg.ratio < limit || *leg.harmonic_ratio >= limit) return;
  reasons.push_back(about_leg(
      Code::csv_series_disagree, leg,
      fmt::format(
          "{}: the scored ratio {:.4f} passes, but by the iterations it is {:.4f} (harmonic mean; "
          "median {:.4f}), below the limit of {:.4f}",
          leg.precision, *leg.ratio, *leg.harmonic_ratio, *leg.median_ratio, limit)));
}

/// LESSONS 15: phases of one side are an A/A measurement. Apart by more than the limit they make
/// every ratio meaningless; by more than half of it, worth saying.
void check_stability(const LegResult& leg, Side side, Reasons& reasons) {
  const auto values = numbers_of(leg, side, &PhaseValue::value);
  if (values.size() < 2) return;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double apart = 1 - *low / *high;
  if (apart <= leg.max_drop / 2) return;
  Reason reason = about_leg(
      side == Side::baseline ? Code::baseline_unstable : Code::candidate_unstable, leg,
      fmt::format("{}: the {} phases gave {:.1f} and {:.1f}, {:.2f} % apart, with a limit of "
                  "{:.2f} %",
                  leg.precision, name(side), *high, *low, apart * 100, leg.max_drop * 100));
  reason.side = side;
  if (apart <= leg.max_drop) reason.weight = Weight::note;
  reasons.push_back(std::move(reason));
}

/// LESSONS 18: throttled GPUs drift; shown, not judged.
void check_drift(const LegResult& leg, Reasons& reasons) {
  constexpr double worth_saying = 0.01;
  for (const PhaseValue& phase : leg.phases) {
    if (!phase.drift || std::abs(*phase.drift) <= worth_saying) continue;
    Reason reason = about_leg(
        Code::drift, leg,
        fmt::format("{} in phase {} ({}) drifted by {:+.2f} % from its first to its last third",
                    leg.precision, phase.phase, name(phase.side), *phase.drift * 100));
    reason.side = phase.side;
    reason.phase = phase.phase;
    reasons.push_back(std::move(reason));
  }
}

void check_gain(const LegResult& leg, Reasons& reasons) {
  constexpr double surprising = 1.1;
  if (!leg.ratio || *leg.ratio <= surprising) return;
  reasons.push_back(about_leg(
      Code::much_faster, leg,
      fmt::format("{}: the candidate is {:.2f} times as fast as the baseline; that is a pass, and "
                  "worth a look at what changed",
                  leg.precision, *leg.ratio)));
}

bool is_fraction(double max_drop) {
  return std::isfinite(max_drop) && max_drop >= 0 && max_drop < 1;
}

/// A limit that is NaN, negative or 1 and above would pass anything or nothing (LESSONS 4).
void check_limit(const LegResult& leg, Reasons& reasons) {
  if (is_fraction(leg.max_drop)) return;
  reasons.push_back(about_leg(
      Code::limit_not_usable, leg,
      fmt::format("{}: max_drop is {}, not a fraction from 0 to 1", leg.precision, leg.max_drop)));
}

bool is_missing(const Inputs& inputs, std::size_t leg) {
  return std::any_of(inputs.phases.begin(), inputs.phases.end(), [&](const PhaseInput& phase) {
    return !phase.legs[leg].value && phase.legs[leg].row == nullptr;
  });
}

/// Something that was seen speaks against the leg, or against the run as a whole.
bool is_untrusted(const LegResult& leg, const Reasons& reasons) {
  return std::any_of(reasons.begin(), reasons.end(), [&](const Reason& reason) {
    if (reason.weight == Weight::distrust) return true;
    return reason.weight == Weight::leg &&
           (reason.precision.empty() || same_name(reason.precision, leg.precision));
  });
}

void say_regression(const Inputs& inputs, const LegResult& leg, Reasons& reasons) {
  reasons.push_back(about_leg(
      Code::regression, leg,
      fmt::format("{} is slower: ratio {:.4f} ({:+.2f} %), candidate {:.1f} against baseline "
                  "{:.1f} {}, limit {:+.2f} %",
                  leg.precision, *leg.ratio, (*leg.ratio - 1) * 100, *leg.candidate, *leg.baseline,
                  inputs.config.workload.unit, -leg.max_drop * 100)));
  Reason& reason = reasons.back();
  reason.side = Side::candidate;
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& data : phase.legs) {
      if (data.precision == leg.precision && data.row != nullptr) {
        cite(reason, phase, data.row->where);
      }
    }
  }
}

/// Unrounded, and written so that a NaN on either side is no pass.
LegOutcome outcome_of(const LegResult& leg) {
  if (!leg.ratio) return LegOutcome::untrusted;
  const double lowest = 1.0 - leg.max_drop;
  if (*leg.ratio >= lowest) return LegOutcome::pass;
  return *leg.ratio < lowest ? LegOutcome::regression : LegOutcome::untrusted;
}

}  // namespace

std::vector<LegResult> measure_legs(const Inputs& inputs) {
  const Workload& workload = inputs.config.workload;
  std::vector<LegResult> legs;
  for (std::size_t i = 0; i < workload.precisions.size(); ++i) {
    LegResult leg;
    leg.precision = workload.precisions[i];
    leg.metric = workload.metric;
    leg.unit = workload.unit;
    leg.max_drop = max_drop_of(inputs.config, leg.precision);
    for (const PhaseInput& phase : inputs.phases)
      leg.phases.push_back(value_of(inputs.config, phase, phase.legs[i]));
    leg.baseline = geometric_mean(numbers_of(leg, Side::baseline, &PhaseValue::value));
    leg.candidate = geometric_mean(numbers_of(leg, Side::candidate, &PhaseValue::value));
    leg.ratio = ratio_of(leg.candidate, leg.baseline);
    leg.median_ratio = series_ratio(leg, &PhaseValue::median);
    leg.harmonic_ratio = series_ratio(leg, &PhaseValue::harmonic_mean);
    legs.push_back(std::move(leg));
  }
  return legs;
}

void check_statistics(const Inputs& inputs, const std::vector<LegResult>& legs, Reasons& reasons) {
  for (const LegResult& leg : legs) {
    check_limit(leg, reasons);
    check_mean_and_median(leg, reasons);
    check_series_below(leg, reasons);
    check_stability(leg, Side::baseline, reasons);
    check_stability(leg, Side::candidate, reasons);
    check_drift(leg, reasons);
    check_gain(leg, reasons);
    if (!leg.ratio && leg.baseline && leg.candidate) {
      reasons.push_back(about_leg(Code::value_not_usable, leg,
                                  fmt::format("{}: the ratio of {} to {} is not a number",
                                              leg.precision, *leg.candidate, *leg.baseline)));
    }
  }
  if (legs.empty()) {
    reasons.push_back(make_reason(
        Code::leg_missing, fmt::format("workload {} expects no precision, so nothing can pass",
                                       inputs.config.workload.name)));
  }
}

void decide_legs(const Inputs& inputs, std::vector<LegResult>& legs, Reasons& reasons) {
  Reasons regressions;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    LegResult& leg = legs[i];
    if (is_missing(inputs, i)) {
      leg.outcome = LegOutcome::missing;
    } else if (is_untrusted(leg, reasons)) {
      leg.outcome = LegOutcome::untrusted;
    } else {
      leg.outcome = outcome_of(leg);
    }
    if (leg.outcome == LegOutcome::regression) say_regression(inputs, leg, regressions);
  }
  reasons.insert(reasons.end(), regressions.begin(), regressions.end());
}

}  // namespace abgate::compare
