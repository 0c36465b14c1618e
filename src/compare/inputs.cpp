#include "inputs.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

namespace abgate::compare {
namespace {

/// The first printed iteration's time can leak into the next line: the warm-up is at least two
/// printed lines (FORMATS 4).
constexpr std::int64_t minimum_warmup = 2;

const PhaseEvidence& nothing() {
  static const PhaseEvidence evidence;
  return evidence;
}

/// The only job that the node logs name; nothing when they name none or several.
std::string job_of_logs(const PhaseEvidence& evidence) {
  std::set<std::string> jobs;
  for (const NodeTrace& node : evidence.nodes) {
    if (!node.job.empty()) jobs.insert(node.job);
  }
  return jobs.size() == 1 ? *jobs.begin() : std::string();
}

std::string job_of(const PhaseInput& phase) {
  if (!phase.own_job.empty()) return phase.own_job;
  const PhaseEvidence& evidence = *phase.evidence;
  std::string job = job_of_logs(evidence);
  if (!job.empty()) return job;
  if (!evidence.engine.in_place_job.empty()) return evidence.engine.in_place_job;
  return evidence.engine.submitted_jobs.size() == 1 ? evidence.engine.submitted_jobs.front() : job;
}

/// Rows of other jobs do not count (LESSONS 5); a row that names no job cannot be told apart.
std::vector<const MetricRow*> rows_of(const std::vector<MetricRow>& rows, const PhaseInput& phase,
                                      const LegData& leg, const std::string& metric) {
  std::vector<const MetricRow*> out;
  for (const MetricRow& row : rows) {
    const bool fresh = row.job.empty() || phase.job.empty() || row.job == phase.job;
    if (fresh && same_name(row.precision, leg.precision) && row.metric == metric) {
      out.push_back(&row);
    }
  }
  return out;
}

void take_series(LegData& leg, const PhaseEvidence& evidence) {
  for (const LegSeries& series : evidence.series) {
    if (series.iterations.empty() || !same_name(series.precision, leg.precision)) continue;
    leg.copies.push_back(&series);
    if (leg.series == nullptr || series.iterations.size() > leg.series->iterations.size()) {
      leg.series = &series;
    }
  }
}

/// An iteration is measured when neither its number nor its place among the printed lines is
/// within the warm-up; so a log that lost its head measures less, never more.
void take_measured(LegData& leg, const GateConfig& config) {
  if (leg.series == nullptr) return;
  const std::int64_t warmup = std::max(minimum_warmup, config.workload.warmup_iterations);
  std::int64_t printed = 0;
  for (const Iteration& iteration : leg.series->iterations) {
    ++printed;
    if (printed <= warmup || iteration.k <= warmup) continue;
    leg.measured.push_back(&iteration);
    const auto tokens =
        iteration.tokens ? iteration.tokens : recomputed_tokens(config, leg, iteration);
    if (tokens && *tokens > 0) leg.throughput.push_back(*tokens);
  }
}

void take_legs(PhaseInput& phase, const GateConfig& config) {
  for (const std::string& precision : config.workload.precisions) {
    LegData leg;
    leg.precision = precision;
    leg.perf_rows = rows_of(phase.evidence->perf_csv, phase, leg, config.workload.metric);
    leg.model_rows = rows_of(phase.evidence->model_csv, phase, leg, config.workload.metric);
    leg.super_rows = rows_of(phase.evidence->super_rows, phase, leg, config.workload.metric);
    take_series(leg, *phase.evidence);
    take_measured(leg, config);
    phase.legs.push_back(std::move(leg));
  }
}

PhaseInput phase_input(const PhaseEvidence* evidence, int index, Side side,
                       const GateConfig& config, const Context& context) {
  PhaseInput phase;
  phase.evidence = evidence == nullptr ? &nothing() : evidence;
  phase.index = index;
  phase.side = side;
  phase.present = evidence != nullptr;
  if (context.live) phase.own_job = context.job_id;
  if (phase.own_job.empty() && phase.evidence->proof) phase.own_job = phase.evidence->proof->job_id;
  phase.job = job_of(phase);
  take_legs(phase, config);
  return phase;
}

/// A run of ours has exactly the phases of its order, whether they ran or not.
void arrange_by_order(Inputs& inputs, const std::vector<PhaseEvidence>& phases) {
  std::set<const PhaseEvidence*> used;
  int index = 0;
  for (const Side side : sides_of(inputs.config.order)) {
    ++index;
    const auto found = std::find_if(phases.begin(), phases.end(), [&](const PhaseEvidence& phase) {
      return phase.index == index;
    });
    const PhaseEvidence* evidence = found == phases.end() ? nullptr : &*found;
    if (evidence != nullptr) used.insert(evidence);
    inputs.phases.push_back(phase_input(evidence, index, side, inputs.config, inputs.context));
  }
  for (const PhaseEvidence& phase : phases) {
    if (used.count(&phase) == 0) inputs.unexpected.push_back(&phase);
  }
}

/// Directories from elsewhere are the phases; a side that was not given is still expected.
void arrange_as_given(Inputs& inputs, const std::vector<PhaseEvidence>& phases) {
  int position = 0;
  for (const PhaseEvidence& phase : phases) {
    ++position;
    inputs.phases.push_back(phase_input(&phase, phase.index > 0 ? phase.index : position,
                                        phase.side, inputs.config, inputs.context));
  }
  for (const Side side : {Side::baseline, Side::candidate}) {
    if (!inputs.of(side).empty()) continue;
    ++position;
    inputs.phases.push_back(phase_input(nullptr, position, side, inputs.config, inputs.context));
  }
}

}  // namespace

const MetricRow* LegData::any_row() const {
  if (row != nullptr) return row;
  if (!perf_rows.empty()) return perf_rows.front();
  return model_rows.empty() ? nullptr : model_rows.front();
}

std::optional<std::int64_t> LegData::total() const {
  if (series == nullptr) return {};
  return series->iterations.back().total;
}

bool PhaseInput::measured() const {
  return std::any_of(legs.begin(), legs.end(), [](const LegData& leg) { return leg.value; });
}

std::vector<const PhaseInput*> Inputs::of(Side side) const {
  std::vector<const PhaseInput*> out;
  for (const PhaseInput& phase : phases) {
    if (phase.side == side) out.push_back(&phase);
  }
  return out;
}

Inputs arrange(const GateConfig& config, const std::vector<PhaseEvidence>& phases,
               const Context& context) {
  Inputs inputs{config, context, {}, {}, {}};
  if (context.live) {
    arrange_by_order(inputs, phases);
  } else {
    arrange_as_given(inputs, phases);
  }
  return inputs;
}

double max_drop_of(const GateConfig& config, const std::string& precision) {
  const auto found = config.max_drop.find(precision);
  return found == config.max_drop.end() ? config.workload.max_drop : found->second;
}

bool same_name(std::string_view a, std::string_view b) {
  return text::to_lower(text::trim(a)) == text::to_lower(text::trim(b));
}

double seconds_of(const Iteration& iteration) {
  return iteration.elapsed_ms.value_or(0) / 1000;
}

std::optional<double> recomputed_tokens(const GateConfig& config, const LegData& leg,
                                        const Iteration& iteration) {
  const MetricRow* row = leg.any_row();
  const double seconds = seconds_of(iteration);
  if (row == nullptr || !row->seq_len || !(seconds > 0)) return {};
  auto batch = row->global_batch_size;
  if (iteration.global_batch_size) batch = iteration.global_batch_size;
  if (!batch && leg.series != nullptr) batch = leg.series->global_batch_size;
  std::int64_t gpus = row->gpus.value_or(0);
  if (gpus <= 0) gpus = config.nodes * config.workload.gpus_per_node;
  if (!batch || *batch <= 0 || gpus <= 0 || *row->seq_len <= 0) return {};
  return static_cast<double>(*row->seq_len) * static_cast<double>(*batch) / seconds /
         static_cast<double>(gpus);
}

std::string title(const PhaseInput& phase) {
  return fmt::format("phase {} ({})", phase.index, name(phase.side));
}

std::string title(const PhaseInput& phase, const LegData& leg) {
  return fmt::format("{} in {}", leg.precision, title(phase));
}

std::string base_name(std::string_view directory) {
  while (directory.size() > 1 && directory.back() == '/')
    directory.remove_suffix(1);
  const std::size_t slash = directory.rfind('/');
  return std::string(slash == std::string_view::npos ? directory : directory.substr(slash + 1));
}

Location place(const PhaseInput& phase, const Location& where) {
  const std::string base = base_name(phase.evidence->directory);
  return {base.empty() ? where.file : base + "/" + where.file, where.line};
}

Reason about(Code code, const PhaseInput& phase, std::string message) {
  Reason reason = make_reason(code, std::move(message));
  reason.side = phase.side;
  reason.phase = phase.index;
  return reason;
}

Reason about(Code code, const PhaseInput& phase, const LegData& leg, std::string message) {
  Reason reason = about(code, phase, std::move(message));
  reason.precision = leg.precision;
  return reason;
}

void cite(Reason& reason, const PhaseInput& phase, const Location& where) {
  constexpr std::size_t most = 8;
  if (where.file.empty() || reason.evidence.size() >= most) return;
  reason.evidence.push_back(place(phase, where));
}

}  // namespace abgate::compare
