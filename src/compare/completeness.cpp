#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"
#include "statistics.hpp"

namespace abgate::compare {
namespace {

/// Below three measured iterations a median is no more robust than a mean.
constexpr std::size_t fewest_measured = 3;

/// The line that most likely explains why a leg stopped; it is quoted and judges nothing.
std::string explanation(const PhaseInput& phase, const LegData& leg, Reason& reason) {
  for (const char* kind : {"oom", "slurm_kill", "traceback"}) {
    for (const Marker& marker : phase.evidence->markers) {
      const bool of_leg = marker.precision.empty() || same_name(marker.precision, leg.precision);
      if (marker.kind != kind || !of_leg) continue;
      cite(reason, phase, marker.where);
      return fmt::format("; the log says: {}", text::printable(marker.text));
    }
  }
  return "";
}

void check_end(const Inputs& inputs, const PhaseInput& phase, const LegData& leg,
               Reasons& reasons) {
  const Iteration& last = leg.series->iterations.back();
  std::int64_t furthest = last.k;
  for (const Iteration& iteration : leg.series->iterations)
    furthest = std::max(furthest, iteration.k);
  if (last.k != last.total || furthest != last.total) {
    Reason reason = about(Code::series_incomplete, phase, leg, "");
    cite(reason, phase, last.where);
    reason.message =
        fmt::format("{} stopped at iteration {} of {}", title(phase, leg), last.k, last.total) +
        explanation(phase, leg, reason);
    reasons.push_back(std::move(reason));
  }
  const std::int64_t requested = inputs.config.workload.requested_iterations;
  if (requested > 0 && last.total != requested) {
    Reason reason = about(Code::iterations_not_as_asked, phase, leg,
                          fmt::format("{} was set up for {} iterations, but {} were asked for: the "
                                      "knob was ignored",
                                      title(phase, leg), last.total, requested));
    cite(reason, phase, last.where);
    reasons.push_back(std::move(reason));
  }
}

void check_enough(const PhaseInput& phase, const LegData& leg, Reasons& reasons) {
  if (leg.measured.size() >= fewest_measured) return;
  Reason reason = about(Code::too_few_iterations, phase, leg,
                        fmt::format("{} has {} measured iterations after the warm-up, at least {} "
                                    "are needed",
                                    title(phase, leg), leg.measured.size(), fewest_measured));
  cite(reason, phase, leg.series->iterations.back().where);
  reasons.push_back(std::move(reason));
}

/// Iterations that the log must have printed and that cannot be read: absent, or without both time
/// and throughput.
void check_gaps(const PhaseInput& phase, const LegData& leg, Reasons& reasons) {
  std::set<std::int64_t> seen;
  for (const Iteration& iteration : leg.series->iterations)
    seen.insert(iteration.k);
  std::vector<std::string> absent;
  std::int64_t next = 1;
  std::int64_t count = 0;
  for (const std::int64_t k : seen) {
    if (k > next) {
      absent.push_back(k - 1 == next ? fmt::format("{}", next) : fmt::format("{}-{}", next, k - 1));
      count += k - next;
    }
    next = k + 1;
  }
  if (count > 0) {
    Reason reason =
        about(Code::series_gap, phase, leg,
              fmt::format("{} lacks iteration {} ({} cut or glued lines were dropped)",
                          title(phase, leg), text::join(absent, ", "), leg.series->dropped));
    cite(reason, phase, leg.series->iterations.front().where);
    reasons.push_back(std::move(reason));
  } else if (leg.throughput.size() < leg.measured.size()) {
    reasons.push_back(
        about(Code::series_gap, phase, leg,
              fmt::format("{} has {} measured iterations that print neither throughput nor a time",
                          title(phase, leg), leg.measured.size() - leg.throughput.size())));
  } else if (leg.series->dropped > 0) {
    reasons.push_back(about(Code::lines_dropped, phase, leg,
                            fmt::format("{} cut or glued lines of {} were dropped; every iteration "
                                        "is there nevertheless",
                                        leg.series->dropped, title(phase, leg))));
  }
}

void check_monotonic(const PhaseInput& phase, const LegData& leg, Reasons& reasons) {
  const auto& iterations = leg.series->iterations;
  const auto back = std::adjacent_find(
      iterations.begin(), iterations.end(),
      [](const Iteration& a, const Iteration& b) { return b.k <= a.k || b.total != a.total; });
  if (back == iterations.end() && !leg.series->non_monotonic) return;
  Reason reason = about(Code::series_non_monotonic, phase, leg,
                        fmt::format("the iterations of {} go back or change their total: the leg "
                                    "was started more than once",
                                    title(phase, leg)));
  if (back != iterations.end()) {
    reason.message += fmt::format(" ({}/{} is followed by {}/{})", back->k, back->total,
                                  std::next(back)->k, std::next(back)->total);
    cite(reason, phase, std::next(back)->where);
  }
  reasons.push_back(std::move(reason));
}

void say_no_series(const Inputs& inputs, const PhaseInput& phase, const LegData& leg,
                   Reasons& reasons) {
  const bool required = inputs.config.workload.evidence_required();
  Reason reason =
      about(Code::series_missing, phase, leg,
            fmt::format("no node log prints an iteration of {}, so {} not checked: completeness, "
                        "loss, contamination, agreement with the result file",
                        title(phase, leg), required ? "these cannot be and were" : "these were"));
  if (!required) reason.weight = Weight::note;
  reasons.push_back(std::move(reason));
}

bool tell_the_same(const Iteration& a, const Iteration& b) {
  return a.total == b.total && a.elapsed_ms == b.elapsed_ms && a.tokens == b.tokens;
}

/// The first iteration of which two logs tell different things.
const Iteration* conflict_between(const LegSeries& a, const LegSeries& b) {
  std::map<std::int64_t, const Iteration*> known;
  for (const Iteration& iteration : a.iterations)
    known.emplace(iteration.k, &iteration);
  for (const Iteration& iteration : b.iterations) {
    const auto found = known.find(iteration.k);
    if (found != known.end() && !tell_the_same(*found->second, iteration)) return &iteration;
  }
  return nullptr;
}

}  // namespace

/// LESSONS 3, 8: last iteration = total = requested, for each expected leg of each phase. A leg
/// without row and without series is missing, which says it all.
void check_completeness(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      if (leg.series == nullptr) {
        if (leg.any_row() != nullptr) say_no_series(inputs, phase, leg, reasons);
        continue;
      }
      check_end(inputs, phase, leg, reasons);
      check_enough(phase, leg, reasons);
      check_gaps(phase, leg, reasons);
      check_monotonic(phase, leg, reasons);
    }
  }
}

/// Several nodes may print the same iterations; what they print must agree.
void check_series_copies(const Inputs& inputs, Reasons& reasons) {
  for (const PhaseInput& phase : inputs.phases) {
    for (const LegData& leg : phase.legs) {
      for (const LegSeries* copy : leg.copies) {
        const Iteration* conflict =
            copy == leg.series ? nullptr : conflict_between(*leg.series, *copy);
        if (conflict == nullptr) continue;
        Reason reason =
            about(Code::series_conflict, phase, leg,
                  fmt::format("nodes {} and {} print different numbers for iteration {} of {}",
                              text::printable(leg.series->node), text::printable(copy->node),
                              conflict->k, title(phase, leg)));
        reason.node = copy->node;
        cite(reason, phase, conflict->where);
        reasons.push_back(std::move(reason));
        break;
      }
    }
  }
}

}  // namespace abgate::compare
