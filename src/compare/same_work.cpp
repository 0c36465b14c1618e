#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"

namespace abgate::compare {
namespace {

using Fact = std::optional<std::string>;

Fact count(const std::optional<std::int64_t>& value) {
  if (!value || *value <= 0) return {};
  return fmt::format("{}", *value);
}

using Count = std::optional<std::int64_t> MetricRow::*;

Fact row_count(const MetricRow* row, Count member) {
  return row == nullptr ? Fact() : count(row->*member);
}

Fact row_model(const LegData& leg) {
  if (leg.row == nullptr || leg.row->model.empty()) return {};
  return text::printable(leg.row->model);
}

Fact logged_model(const LegData& leg) {
  if (leg.series == nullptr || leg.series->model.empty()) return {};
  return text::printable(leg.series->model);
}

Fact logged_micro_batch(const LegData& leg) {
  return leg.series == nullptr ? Fact() : count(leg.series->micro_batch_size);
}

/// Every value that the measured lines print; more than one is a difference by itself.
Fact logged_global_batch(const LegData& leg) {
  std::set<std::string> values;
  for (const Iteration* iteration : leg.measured) {
    if (const auto value = count(iteration->global_batch_size)) values.insert(*value);
  }
  if (values.empty() && leg.series != nullptr) return count(leg.series->global_batch_size);
  if (values.empty()) return {};
  return text::join({values.begin(), values.end()}, " and ");
}

Fact log_shapes(const LegData& leg) {
  std::set<std::string> values;
  for (const Iteration* iteration : leg.measured) {
    if (!iteration->shape.empty()) values.insert(text::printable(iteration->shape));
  }
  if (values.empty()) return {};
  return text::join({values.begin(), values.end()}, " and ");
}

enum class Origin { row, log };

struct Matter {
  std::string_view what;
  Origin origin;
  Fact (*read)(const LegData&);
};

template <Count member>
Fact of_row(const LegData& leg) {
  return row_count(leg.row, member);
}

/// All that makes two legs the same work (LESSONS 7, 10).
constexpr std::array matters{
    Matter{"batch size", Origin::row, of_row<&MetricRow::batch_size>},
    Matter{"global batch size", Origin::row, of_row<&MetricRow::global_batch_size>},
    Matter{"sequence length", Origin::row, of_row<&MetricRow::seq_len>},
    Matter{"GPUs", Origin::row, of_row<&MetricRow::gpus>},
    Matter{"nodes", Origin::row, of_row<&MetricRow::nodes>},
    Matter{"GPUs per node", Origin::row, of_row<&MetricRow::gpus_per_node>},
    Matter{"model", Origin::row, row_model},
    Matter{"model in the log", Origin::log, logged_model},
    Matter{"micro batch size in the log", Origin::log, logged_micro_batch},
    Matter{"global batch size in the log", Origin::log, logged_global_batch},
    Matter{"number of iterations", Origin::log,
           [](const LegData& leg) { return count(leg.total()); }},
    Matter{"shape of the log lines", Origin::log, log_shapes},
};

/// A leg that is missing says nothing about its work; its absence is said elsewhere.
bool has_work(const LegData& leg) {
  return leg.row != nullptr || leg.series != nullptr;
}

/// A cell that only one side fills is a difference; a log line that only one side prints is none,
/// because a log can lose lines.
bool comparable(const Matter& matter, const LegData& a, const LegData& b, const Fact& left,
                const Fact& right) {
  if (matter.origin == Origin::row) return a.row != nullptr && b.row != nullptr;
  return left && right;
}

void compare_legs(const PhaseInput& first, const LegData& a, const PhaseInput& second,
                  const LegData& b, Reasons& reasons) {
  std::vector<std::string> differences;
  for (const Matter& matter : matters) {
    const Fact left = matter.read(a);
    const Fact right = matter.read(b);
    if (left == right || !comparable(matter, a, b, left, right)) continue;
    differences.push_back(fmt::format("{} {} against {}", matter.what, left.value_or("(none)"),
                                      right.value_or("(none)")));
  }
  if (differences.empty()) return;
  Reason reason = about(Code::work_differs, second, b,
                        fmt::format("{} in {} and {} is not the same work: {}", a.precision,
                                    title(first), title(second), text::join(differences, ", ")));
  if (a.row != nullptr) cite(reason, first, a.row->where);
  if (b.row != nullptr) cite(reason, second, b.row->where);
  reasons.push_back(std::move(reason));
}

/// Results and log of one leg must tell of the same batch.
void check_row_against_log(const PhaseInput& phase, const LegData& leg, Reasons& reasons) {
  const Fact in_row = row_count(leg.any_row(), &MetricRow::global_batch_size);
  const Fact in_log = logged_global_batch(leg);
  const Fact micro_row = row_count(leg.any_row(), &MetricRow::batch_size);
  const Fact micro_log = logged_micro_batch(leg);
  std::vector<std::string> differences;
  if (in_row && in_log && *in_row != *in_log) {
    differences.push_back(fmt::format("global batch size {} against {}", *in_row, *in_log));
  }
  if (micro_row && micro_log && *micro_row != *micro_log) {
    differences.push_back(fmt::format("batch size {} against {}", *micro_row, *micro_log));
  }
  if (differences.empty()) return;
  Reason reason = about(Code::work_differs, phase, leg,
                        fmt::format("the result row and the log of {} differ: {}",
                                    title(phase, leg), text::join(differences, ", ")));
  cite(reason, phase, leg.any_row()->where);
  cite(reason, phase, leg.series->iterations.back().where);
  reasons.push_back(std::move(reason));
}

bool ends_with_name(const std::string& text, const std::string& end) {
  const std::string a = text::to_lower(text::trim(text));
  const std::string b = text::to_lower(text::trim(end));
  return a.size() >= b.size() && a.compare(a.size() - b.size(), b.size(), b) == 0;
}

/// perf.csv names `<card>_<Model>` and the log `<Model>` (FORMATS 3, 4).
void check_model(const Workload& workload, const PhaseInput& phase, const LegData& leg,
                 Reasons& reasons) {
  if (workload.model.empty()) return;
  const MetricRow* row = leg.perf_rows.empty() ? nullptr : leg.perf_rows.front();
  std::string seen;
  Location where;
  if (row != nullptr && !row->model.empty() && !ends_with_name(row->model, workload.model)) {
    seen = row->model;
    where = row->where;
  } else if (const Fact logged = logged_model(leg);
             logged && !same_name(leg.series->model, workload.model)) {
    seen = leg.series->model;
    where = leg.series->iterations.front().where;
  }
  if (seen.empty()) return;
  Reason reason = about(Code::wrong_model, phase, leg,
                        fmt::format("{} trained {}, the workload is {}", title(phase, leg),
                                    text::printable(seen), workload.model));
  cite(reason, phase, where);
  reasons.push_back(std::move(reason));
}

/// A per-GPU metric that was divided by the wrong number of GPUs halves or doubles (LESSONS 10).
void check_size(const GateConfig& config, const PhaseInput& phase, const LegData& leg,
                Reasons& reasons) {
  const MetricRow* row = leg.any_row();
  if (row == nullptr) return;
  std::vector<std::string> differences;
  const auto hold = [&](std::string_view what, const std::optional<std::int64_t>& seen,
                        std::int64_t configured) {
    if (!seen || *seen <= 0 || configured <= 0 || *seen == configured) return;
    differences.push_back(fmt::format("{} {} instead of {}", *seen, what, configured));
  };
  hold("nodes", row->nodes, config.nodes);
  hold("GPUs per node", row->gpus_per_node, config.workload.gpus_per_node);
  hold("GPUs", row->gpus, config.nodes * config.workload.gpus_per_node);
  if (differences.empty()) return;
  Reason reason = about(
      Code::not_as_configured, phase, leg,
      fmt::format("the row of {} tells of {}", title(phase, leg), text::join(differences, ", ")));
  cite(reason, phase, row->where);
  reasons.push_back(std::move(reason));
}

}  // namespace

void check_same_work(const Inputs& inputs, Reasons& reasons) {
  for (std::size_t i = 0; i < inputs.config.workload.precisions.size(); ++i) {
    const PhaseInput* first = nullptr;
    for (const PhaseInput& phase : inputs.phases) {
      if (!has_work(phase.legs[i])) continue;
      if (first == nullptr) {
        first = &phase;
      } else {
        compare_legs(*first, first->legs[i], phase, phase.legs[i], reasons);
      }
    }
  }
}

void check_configured_work(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      check_row_against_log(phase, leg, reasons);
      check_model(inputs.config.workload, phase, leg, reasons);
      check_size(inputs.config, phase, leg, reasons);
    }
  }
}

}  // namespace abgate::compare
