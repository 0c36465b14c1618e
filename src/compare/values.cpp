#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"
#include "statistics.hpp"

namespace abgate::compare {
namespace {

bool usable(const std::optional<double>& value) {
  return value && std::isfinite(*value) && *value > 0;
}

std::string quoted(const std::string& raw) {
  constexpr std::size_t longest = 60;
  return raw.empty() ? "an empty cell" : "\"" + text::printable(raw.substr(0, longest)) + "\"";
}

/// Why the leg has nothing, as far as the evidence tells.
std::string missing_because(const PhaseInput& phase, const LegData& leg) {
  if (!phase.present) return "the phase did not run";
  const auto& nodes = phase.evidence->nodes;
  const bool started = std::any_of(nodes.begin(), nodes.end(), [&](const NodeTrace& node) {
    return std::any_of(node.legs_started.begin(), node.legs_started.end(),
                       [&](const std::string& p) { return same_name(p, leg.precision); });
  });
  if (leg.series != nullptr) {
    const Iteration& last = leg.series->iterations.back();
    return fmt::format("its log stops at iteration {} of {}", last.k, last.total);
  }
  if (nodes.empty()) return "there are no node logs either";
  return started ? "its log shows that it started" : "no node log shows that it started";
}

void say_missing(const Inputs& inputs, const PhaseInput& phase, const LegData& leg,
                 Reasons& reasons) {
  Reason reason = about(Code::leg_missing, phase, leg,
                        fmt::format("{} has no {} row: {}", title(phase, leg),
                                    inputs.config.workload.metric, missing_because(phase, leg)));
  if (leg.series != nullptr) cite(reason, phase, leg.series->iterations.back().where);
  reasons.push_back(std::move(reason));
}

void say_duplicates(const PhaseInput& phase, const LegData& leg,
                    const std::vector<const MetricRow*>& rows, Reasons& reasons) {
  std::vector<std::string> values;
  Reason reason = about(Code::duplicate_rows, phase, leg, "");
  for (const MetricRow* row : rows) {
    values.push_back(quoted(row->performance));
    cite(reason, phase, row->where);
  }
  reason.message = fmt::format("{} has {} rows where one belongs: {}", title(phase, leg),
                               rows.size(), text::join(values, ", "));
  reasons.push_back(std::move(reason));
}

/// A row's SUCCESS means only "not NaN", but anything else means that there is no result
/// (LESSONS 3, 4).
void read_row(const PhaseInput& phase, LegData& leg, const MetricRow& row, bool needs_status,
              Reasons& reasons) {
  leg.row = &row;
  if (needs_status && text::trim(row.status) != "SUCCESS") {
    Reason reason = about(Code::row_not_success, phase, leg,
                          fmt::format("the row of {} has status {} instead of SUCCESS",
                                      title(phase, leg), quoted(row.status)));
    cite(reason, phase, row.where);
    reasons.push_back(std::move(reason));
    return;
  }
  if (!usable(row.value)) {
    Reason reason = about(
        Code::value_not_usable, phase, leg,
        fmt::format("the value of {} is {}, not a finite, positive number ({})", title(phase, leg),
                    quoted(row.performance), format(place(phase, row.where))));
    cite(reason, phase, row.where);
    reasons.push_back(std::move(reason));
    return;
  }
  leg.value = row.value;
}

/// In perf.csv every further row is one too many, also an equal one: it shows that the engine ran
/// twice. Per-model CSVs are copied between nodes, so only copies that differ are.
bool is_duplicated(const std::vector<const MetricRow*>& rows, bool perf) {
  std::set<std::string> values;
  for (const MetricRow* row : rows)
    values.insert(row->performance);
  return perf ? rows.size() > 1 : values.size() > 1;
}

void read_rows(const PhaseInput& phase, LegData& leg, const std::vector<const MetricRow*>& rows,
               bool perf, Reasons& reasons) {
  if (is_duplicated(rows, perf)) say_duplicates(phase, leg, rows, reasons);
  if (!rows.empty()) read_row(phase, leg, *rows.front(), perf, reasons);
}

void read_series(LegData& leg) {
  // Half a series is no mean of the leg: every measured iteration must have its throughput.
  if (leg.throughput.size() == leg.measured.size()) leg.value = harmonic_mean(leg.throughput);
}

void read_leg(const Inputs& inputs, const PhaseInput& phase, LegData& leg, Reasons& reasons) {
  if (inputs.source && *inputs.source == MetricSource::perf_csv) {
    read_rows(phase, leg, leg.perf_rows, true, reasons);
  } else {
    // perf.csv lacked another leg; what it says against this one is not hidden by that.
    LegData aside = leg;
    read_rows(phase, aside, leg.perf_rows, true, reasons);
    if (inputs.source == MetricSource::model_csv) {
      read_rows(phase, leg, leg.model_rows, false, reasons);
    } else if (inputs.source == MetricSource::series) {
      read_series(leg);
    }
  }
  if (!leg.value && leg.row == nullptr) say_missing(inputs, phase, leg, reasons);
}

/// A row of this phase that is a failure and that no leg took: a failed model leaves one without
/// precision and metric.
bool is_other_failure(const Inputs& inputs, const PhaseInput& phase, const MetricRow& row) {
  const std::string_view status = text::trim(row.status);
  const bool fresh = row.job.empty() || phase.job.empty() || row.job == phase.job;
  if (!fresh || status.empty() || status == "SUCCESS") return false;
  const auto& expected = inputs.config.workload.precisions;
  const bool of_leg = std::any_of(expected.begin(), expected.end(), [&](const std::string& e) {
    return same_name(e, row.precision);
  });
  return !of_leg || row.metric != inputs.config.workload.metric;
}

/// Precisions of rows and logs that no expected leg has.
std::set<std::string> unexpected_precisions(const Inputs& inputs, const PhaseInput& phase) {
  std::set<std::string> out;
  const auto look = [&](const std::string& precision) {
    const auto& expected = inputs.config.workload.precisions;
    const bool known = std::any_of(expected.begin(), expected.end(),
                                   [&](const std::string& e) { return same_name(e, precision); });
    if (!known && !text::trim(precision).empty()) out.insert(text::printable(precision));
  };
  for (const MetricRow& row : phase.evidence->perf_csv)
    look(row.precision);
  for (const MetricRow& row : phase.evidence->model_csv)
    look(row.precision);
  for (const LegSeries& series : phase.evidence->series)
    look(series.precision);
  return out;
}

/// The first of the other source's rows that says something else than perf.csv. 0.1 % allows for a
/// rounded cell.
void say_difference(const PhaseInput& phase, const LegData& leg,
                    const std::vector<const MetricRow*>& others, std::string_view source,
                    Reasons& reasons) {
  constexpr double tolerance = 0.001;
  const MetricRow& perf = *leg.perf_rows.front();
  const auto differs = [&](const MetricRow* row) {
    if (!usable(perf.value) || !usable(row->value)) return false;
    return relative_difference(*row->value, *perf.value) > tolerance;
  };
  const auto found = std::find_if(others.begin(), others.end(), differs);
  if (found == others.end()) return;
  Reason reason =
      about(Code::sources_disagree, phase, leg,
            fmt::format("{} is {} in perf.csv and {} in {}", title(phase, leg),
                        quoted(perf.performance), quoted((*found)->performance), source));
  cite(reason, phase, perf.where);
  cite(reason, phase, (*found)->where);
  reasons.push_back(std::move(reason));
}

}  // namespace

void read_values(Inputs& inputs, Reasons& reasons) {
  for (PhaseInput& phase : inputs.phases) {
    for (LegData& leg : phase.legs)
      read_leg(inputs, phase, leg, reasons);
  }
}

/// perf.csv and perf_entry_super.json are made from the per-model CSVs, so a difference shows that
/// one of them is not this run's.
void check_sources_agree(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      if (leg.perf_rows.empty()) continue;
      say_difference(phase, leg, leg.model_rows, "the per-model CSV", reasons);
      say_difference(phase, leg, leg.super_rows, "perf_entry_super.json", reasons);
    }
  }
}

/// In a foreign, cumulative perf.csv a failure that names no job can be an old one.
void check_failed_rows(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    std::vector<const MetricRow*> failed;
    for (const MetricRow& row : phase.evidence->perf_csv) {
      if (is_other_failure(inputs, phase, row)) failed.push_back(&row);
    }
    if (failed.empty()) continue;
    Reason reason = about(Code::row_not_success, phase,
                          fmt::format("perf.csv of {} has {} rows beside the scored ones with "
                                      "status {} instead of SUCCESS",
                                      title(phase), failed.size(), quoted(failed.front()->status)));
    const bool own = phase.ours(inputs.context) ||
                     std::any_of(failed.begin(), failed.end(),
                                 [](const MetricRow* row) { return !row->job.empty(); });
    if (!own) reason.weight = Weight::note;
    for (const MetricRow* row : failed)
      cite(reason, phase, row->where);
    reasons.push_back(std::move(reason));
  }
}

void check_unexpected_legs(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const std::string& precision : unexpected_precisions(inputs, phase)) {
      Reason reason =
          about(Code::leg_unexpected, phase,
                fmt::format("{} also measured {}, which the workload does not expect; it is not "
                            "scored",
                            title(phase), precision));
      reason.precision = precision;
      reasons.push_back(std::move(reason));
    }
  }
}

/// What could not be read could have told a failure, so it withholds PASS, and a refused perf.csv
/// must not be replaced in silence by another source. Of the copies of results it is only said:
/// what they lack is missed by the checks that need it.
bool withholds(const PhaseInput& phase, const Diagnostic& problem) {
  if (problem.severity != Severity::error) return false;
  const std::string name = base_name(problem.file);
  if (name == "perf.csv") return phase.evidence->perf_csv.empty();
  return !name.starts_with("perf_") && name != "manifest.json";
}

void check_problems(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const Diagnostic& problem : phase.evidence->problems) {
      Reason reason = about(Code::evidence_unreadable, phase,
                            fmt::format("{}: {}", title(phase), text::printable(format(problem))));
      if (!withholds(phase, problem)) reason.weight = Weight::note;
      cite(reason, phase, {problem.file, problem.position.line});
      reasons.push_back(std::move(reason));
    }
  }
}

}  // namespace abgate::compare
