#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"
#include "same_times.hpp"

// LESSONS 5: stale results read as new.

namespace abgate::compare {
namespace {

template <class Pair>
void for_each_pair(const Inputs& inputs, Pair pair) {
  for (std::size_t i = 0; i < inputs.phases.size(); ++i) {
    for (std::size_t j = i + 1; j < inputs.phases.size(); ++j)
      pair(inputs.phases[i], inputs.phases[j]);
  }
}

std::string trimmed_path(std::string path) {
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
  return path;
}

/// Legs whose iterations took the same times in both phases.
std::vector<std::string> legs_with_same_times(const PhaseInput& a, const PhaseInput& b) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < a.legs.size(); ++i) {
    const LegSeries* first = a.legs[i].series;
    const LegSeries* second = b.legs[i].series;
    if (first != nullptr && second != nullptr && same_times(*first, *second)) {
      out.push_back(a.legs[i].precision);
    }
  }
  return out;
}

/// Without a series, all of several values being equal is no coincidence either.
bool all_values_equal(const PhaseInput& a, const PhaseInput& b) {
  if (a.legs.size() < 2) return false;
  for (std::size_t i = 0; i < a.legs.size(); ++i) {
    if (a.legs[i].series != nullptr || b.legs[i].series != nullptr) return false;
    if (!a.legs[i].value || a.legs[i].value != b.legs[i].value) return false;
  }
  return true;
}

void compare_results(const PhaseInput& a, const PhaseInput& b, Reasons& reasons) {
  std::string what;
  if (!a.evidence->perf_csv_sha256.empty() && !a.evidence->perf_csv.empty() &&
      a.evidence->perf_csv_sha256 == b.evidence->perf_csv_sha256) {
    what = "perf.csv is the same, byte for byte";
  } else if (const auto legs = legs_with_same_times(a, b); !legs.empty()) {
    what = fmt::format("the iterations of {} took the same times", text::join(legs, " and "));
  } else if (all_values_equal(a, b)) {
    what = "every value is the same";
  }
  if (what.empty()) return;
  Reason reason = about(Code::results_identical, b,
                        fmt::format("{} and {} are one measurement: {}", title(a), title(b), what));
  if (!a.evidence->perf_csv.empty()) cite(reason, a, {a.evidence->perf_csv.front().where.file, 0});
  if (!b.evidence->perf_csv.empty()) cite(reason, b, {b.evidence->perf_csv.front().where.file, 0});
  reasons.push_back(std::move(reason));
}

bool submitted(const PhaseInput& phase, const std::string& job) {
  const auto& jobs = phase.evidence->engine.submitted_jobs;
  return std::find(jobs.begin(), jobs.end(), job) != jobs.end();
}

struct JobRows {
  std::set<std::string> jobs;
  std::vector<const MetricRow*> rows;
};

/// Rows that name a job; with a known job, only those that name another one.
JobRows rows_with_job(const PhaseInput& phase) {
  JobRows out;
  for (const auto* rows : {&phase.evidence->perf_csv, &phase.evidence->model_csv}) {
    for (const MetricRow& row : *rows) {
      if (row.job.empty() || row.job == phase.job) continue;
      out.jobs.insert(row.job);
      out.rows.push_back(&row);
    }
  }
  return out;
}

Reason stale_reason(const PhaseInput& phase, const JobRows& found, const std::string& message) {
  Reason reason = about(Code::stale_rows, phase, message);
  for (const MetricRow* row : found.rows)
    cite(reason, phase, row->where);
  return reason;
}

void check_stale_rows_of(const Inputs& inputs, const PhaseInput& phase, Reasons& reasons) {
  const JobRows found = rows_with_job(phase);
  if (found.rows.empty()) return;
  const std::string jobs = text::printable(fmt::format("{}", fmt::join(found.jobs, ", ")));
  if (phase.job.empty()) {
    // One job in all rows is the phase's own.
    if (found.jobs.size() == 1) return;
    reasons.push_back(stale_reason(
        phase, found,
        fmt::format("the rows of {} come from several jobs ({}), and nothing says which one is "
                    "its own",
                    title(phase), jobs)));
    return;
  }
  Reason reason =
      stale_reason(phase, found,
                   fmt::format("{} rows of {} come from job {}, not from job {}; they do not count",
                               found.rows.size(), title(phase), jobs, phase.job));
  // A fresh directory of ours cannot hold them honestly. Elsewhere perf.csv is cumulative, and
  // older rows are normal.
  if (!phase.ours(inputs.context)) reason.weight = Weight::note;
  reasons.push_back(std::move(reason));
}

void check_stale_logs_of(const PhaseInput& phase, Reasons& reasons) {
  std::set<std::string> jobs;
  std::set<std::string> foreign;
  for (const NodeTrace& node : phase.evidence->nodes) {
    if (node.job.empty()) continue;
    jobs.insert(node.job);
    // A job that the engine itself submitted is said as such.
    if (!phase.job.empty() && node.job != phase.job && !submitted(phase, node.job)) {
      foreign.insert(node.job);
    }
  }
  const bool several = phase.own_job.empty() && jobs.size() > 1;
  if (foreign.empty() && !several) return;
  const std::string names =
      text::printable(fmt::format("{}", fmt::join(several ? jobs : foreign, ", ")));
  Reason reason = about(
      Code::stale_logs, phase,
      several ? fmt::format("the node logs of {} come from several jobs: {}", title(phase), names)
              : fmt::format("node logs of {} come from job {}, not from job {}", title(phase),
                            names, phase.job));
  for (const NodeTrace& node : phase.evidence->nodes) {
    const bool strange = several || foreign.count(node.job) > 0;
    if (strange && !node.files.empty()) cite(reason, phase, {node.files.front(), 0});
  }
  reasons.push_back(std::move(reason));
}

}  // namespace

void check_directories(const Inputs& inputs, Reasons& reasons) {
  for_each_pair(inputs, [&](const PhaseInput& a, const PhaseInput& b) {
    const std::string first = trimmed_path(a.evidence->directory);
    if (first.empty() || first != trimmed_path(b.evidence->directory)) return;
    reasons.push_back(about(Code::same_directory, b,
                            fmt::format("{} and {} are one directory, {}", title(a), title(b),
                                        text::printable(first))));
  });
}

void check_identical_results(const Inputs& inputs, Reasons& reasons) {
  for_each_pair(inputs,
                [&](const PhaseInput& a, const PhaseInput& b) { compare_results(a, b, reasons); });
}

void check_stale_rows(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases)
    check_stale_rows_of(inputs, phase, reasons);
}

void check_stale_logs(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases)
    check_stale_logs_of(phase, reasons);
}

}  // namespace abgate::compare
