#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"

// Rule: perf.csv, then the per-model CSVs, then (only with --allow-log-metric) the iterations. The
// first source that holds every expected leg of every phase is taken for all of them; a row that
// says FAILURE or NaN is held, so that no fallback can hide it. When none is complete, the one
// that holds most legs is taken, so that the legs which exist still show their numbers.

namespace abgate::compare {
namespace {

bool holds(const LegData& leg, MetricSource source) {
  switch (source) {
    case MetricSource::perf_csv:
      return !leg.perf_rows.empty();
    case MetricSource::model_csv:
      return !leg.model_rows.empty();
    case MetricSource::series:
      return !leg.throughput.empty();
  }
  return false;
}

std::vector<std::string> legs_without(const Inputs& inputs, MetricSource source) {
  std::vector<std::string> out;
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      if (!holds(leg, source)) out.push_back(title(phase, leg));
    }
  }
  return out;
}

bool any_perf_csv_without_rows(const Inputs& inputs) {
  return std::any_of(inputs.phases.begin(), inputs.phases.end(), [](const PhaseInput& phase) {
    if (phase.evidence->perf_csv_sha256.empty()) return false;
    return std::all_of(phase.legs.begin(), phase.legs.end(),
                       [](const LegData& leg) { return leg.perf_rows.empty(); });
  });
}

}  // namespace

void choose_source(Inputs& inputs, Reasons& reasons) {
  std::vector<MetricSource> order{MetricSource::perf_csv, MetricSource::model_csv};
  if (inputs.config.allow_log_metric) order.push_back(MetricSource::series);

  std::size_t expected = 0;
  for (const PhaseInput& phase : inputs.phases)
    expected += phase.legs.size();
  std::size_t fewest_lacking = expected;
  for (const MetricSource source : order) {
    const std::size_t lacking = legs_without(inputs, source).size();
    if (lacking < fewest_lacking) {
      fewest_lacking = lacking;
      inputs.source = source;
    }
  }
  if (!inputs.source || *inputs.source == MetricSource::perf_csv) return;
  Reason fallback = make_reason(
      Code::source_fallback,
      fmt::format("scored from the {} on both sides, because perf.csv holds no row for {}",
                  name(*inputs.source),
                  text::join(legs_without(inputs, MetricSource::perf_csv), ", ")));
  // LESSONS 2: the engine wrote perf.csv and had not one row of this run to write.
  const bool allowed = *inputs.source == MetricSource::series;  // by --allow-log-metric
  if (!allowed && any_perf_csv_without_rows(inputs)) fallback.weight = Weight::leg;
  reasons.push_back(std::move(fallback));
  if (*inputs.source == MetricSource::series) {
    reasons.push_back(make_reason(
        Code::log_metric,
        "scored from the iterations in the node logs (harmonic mean after the warm-up), as "
        "--allow-log-metric permits; no result file holds these values"));
  }
}

}  // namespace abgate::compare
