#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "checks.hpp"
#include "statistics.hpp"

namespace abgate::compare {
namespace {

constexpr double recompute_tolerance = 0.01;
constexpr double median_tolerance = 0.003;
/// Rounding of a printed average and of a CSV cell is far below; a wrong window or a wrong run far
/// above.
constexpr double csv_tolerance = 0.005;
/// The printed average skips this many printed lines (FORMATS 4).
constexpr std::size_t skipped_by_average = 2;

/// Which fields of an iteration a metric comes from.
struct MetricFields {
  std::optional<double> Iteration::*now = nullptr;
  std::optional<double> Iteration::*average = nullptr;
  bool averaged = false;
};

std::optional<MetricFields> fields_of(const std::string& metric) {
  if (metric == "tok_per_s_per_gpu_avg") {
    return MetricFields{&Iteration::tokens, &Iteration::tokens_average, true};
  }
  if (metric == "tok_per_s_per_gpu") {
    return MetricFields{&Iteration::tokens, &Iteration::tokens_average, false};
  }
  if (metric == "TFLOPS_per_gpu_avg") {
    return MetricFields{&Iteration::tflops, &Iteration::tflops_average, true};
  }
  if (metric == "TFLOPS_per_gpu") {
    return MetricFields{&Iteration::tflops, &Iteration::tflops_average, false};
  }
  return {};
}

/// Values of the iterations from the `skip`-th printed one on whose number is above `after`.
std::vector<double> window(const LegSeries& series, const MetricFields& fields, std::size_t skip,
                           std::int64_t after) {
  std::vector<double> values;
  for (std::size_t i = skip; i < series.iterations.size(); ++i) {
    const Iteration& iteration = series.iterations[i];
    const auto& value = iteration.*fields.now;
    if (iteration.k > after && value && *value > 0) values.push_back(*value);
  }
  return values;
}

/// The means that an honest engine can have printed at the end: arithmetic or harmonic, over all
/// iterations from the third on or since the average was last cleared (every 10 or 50).
std::vector<double> plausible_means(const LegSeries& series, const MetricFields& fields) {
  const std::int64_t last = series.iterations.back().k;
  std::vector<double> means;
  for (const std::int64_t interval : {std::int64_t{0}, std::int64_t{10}, std::int64_t{50}}) {
    const std::int64_t after = interval == 0 ? 0 : (last - 1) / interval * interval;
    const auto values = window(series, fields, skipped_by_average, after);
    for (const auto& mean : {arithmetic_mean(values), harmonic_mean(values)}) {
      if (mean) means.push_back(*mean);
    }
  }
  return means;
}

bool near_any(double value, const std::vector<double>& means, double tolerance) {
  return std::any_of(means.begin(), means.end(),
                     [&](double mean) { return relative_difference(value, mean) <= tolerance; });
}

/// The value agrees with a recomputed mean; or with the last printed average, when that in turn
/// is within half the limit of a recomputed mean: an average that was cleared at a moment of which
/// we do not know must not refuse a healthy run, an average that the iterations contradict must.
bool agrees(double value, const LegSeries& series, const MetricFields& fields, double max_drop) {
  const auto means = plausible_means(series, fields);
  if (near_any(value, means, csv_tolerance)) return true;
  const auto& printed = series.iterations.back().*fields.average;
  if (!printed || !(*printed > 0)) return false;
  const double slack = std::isfinite(max_drop) ? std::max(csv_tolerance, max_drop / 2) : 0;
  return relative_difference(value, *printed) <= csv_tolerance && near_any(*printed, means, slack);
}

std::string seen_in_log(const LegSeries& series, const MetricFields& fields) {
  const Iteration& last = series.iterations.back();
  if (!fields.averaged) {
    const auto& value = last.*fields.now;
    return value ? fmt::format("the last iteration says {:.1f}", *value)
                 : std::string("the last iteration does not print it");
  }
  const auto mean = arithmetic_mean(window(series, fields, skipped_by_average, 0));
  const auto& printed = last.*fields.average;
  return fmt::format("the iterations from the third on give {}, the last printed average is {}",
                     mean ? fmt::format("{:.1f}", *mean) : "nothing",
                     printed ? fmt::format("{:.1f}", *printed) : "absent");
}

void compare_value(const Inputs& inputs, const PhaseInput& phase, const LegData& leg,
                   const MetricFields& fields, Reasons& reasons) {
  const double value = *leg.value;
  const auto& last = leg.series->iterations.back().*fields.now;
  const bool good = fields.averaged ? agrees(value, *leg.series, fields,
                                             max_drop_of(inputs.config, leg.precision))
                                    : last && relative_difference(value, *last) <= csv_tolerance;
  if (good) return;
  Reason reason = about(Code::csv_series_disagree, phase, leg,
                        fmt::format("the {} of {} is {:.1f} in the {}, but {}",
                                    inputs.config.workload.metric, title(phase, leg), value,
                                    name(*inputs.source), seen_in_log(*leg.series, fields)));
  if (leg.row != nullptr) cite(reason, phase, leg.row->where);
  cite(reason, phase, leg.series->iterations.back().where);
  reasons.push_back(std::move(reason));
}

}  // namespace

/// tokens/s/GPU = sequence length x global batch / seconds / GPUs checks each line: the median over
/// the measured lines must be within 0.3 %, and at most one odd line further off than 1 %.
void check_recomputed(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      std::vector<double> ratios;
      for (const Iteration* iteration : leg.measured) {
        const auto expected = recomputed_tokens(inputs.config, leg, *iteration);
        if (expected && iteration->tokens) ratios.push_back(*iteration->tokens / *expected);
      }
      const auto middle = median(ratios);
      const auto off = std::count_if(ratios.begin(), ratios.end(), [](double ratio) {
        return std::abs(ratio - 1) > recompute_tolerance;
      });
      if (!middle && !leg.measured.empty() && leg.any_row() != nullptr) {
        reasons.push_back(about(Code::throughput_not_recomputed, phase, leg,
                                fmt::format("the throughput of {} could not be recomputed from its "
                                            "times: a size or a time is unknown",
                                            title(phase, leg))));
      }
      if (!middle || (std::abs(*middle - 1) <= median_tolerance && off <= 1)) continue;
      Reason reason = about(
          Code::series_inconsistent, phase, leg,
          fmt::format("the printed throughput of {} is {:.3f} times what follows from sequence "
                      "length, global batch, GPUs and the printed times (median; {} of {} "
                      "iterations are off by more than 1 %)",
                      title(phase, leg), *middle, off, ratios.size()));
      cite(reason, phase, leg.measured.back()->where);
      cite(reason, phase, leg.any_row()->where);
      reasons.push_back(std::move(reason));
    }
  }
}

void check_csv_against_series(const Inputs& inputs, Reasons& reasons) {
  if (!inputs.source || *inputs.source == MetricSource::series) return;
  const auto fields = fields_of(inputs.config.workload.metric);
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      if (!leg.value || leg.series == nullptr) continue;
      if (fields) {
        compare_value(inputs, phase, leg, *fields, reasons);
      } else {
        reasons.push_back(about(Code::csv_series_not_compared, phase, leg,
                                fmt::format("{} of {} has no counterpart in the iteration lines",
                                            inputs.config.workload.metric, title(phase, leg))));
      }
    }
  }
}

}  // namespace abgate::compare
