#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/report/record_json.hpp>

namespace abgate::report {
namespace {

int expected_exit_code(const GateRecord& record) {
  if (record.signal) return exit_code::signal_base + *record.signal;
  // Advice changes what the caller sees of a judgement; an INFRA problem still shows.
  const bool forgiven =
      record.verdict == Verdict::regression || record.verdict == Verdict::no_verdict;
  return record.advisory && forgiven ? exit_code::pass : code_of(record.verdict);
}

void check_exit_code(const GateRecord& record, std::vector<Contradiction>& found) {
  const int expected = expected_exit_code(record);
  if (record.exit_code == expected) return;
  // What an advisory gate would be forgiven is only known at its end.
  const bool open_end = record.advisory && !record.finished && !record.signal;
  if (open_end && record.exit_code == code_of(record.verdict)) return;
  found.push_back(
      {"exit_code",
       {},
       fmt::format("exit code {} contradicts the verdict {}{}{}: it should be {}", record.exit_code,
                   name(record.verdict), record.advisory ? " of an advisory gate" : "",
                   record.signal ? fmt::format(" after signal {}", *record.signal) : "",
                   expected)});
}

void check_verdict(const GateRecord& record, std::vector<Contradiction>& found) {
  const Verdict amounts_to = verdict_of(record.legs, record.reasons);
  if (record.verdict == amounts_to) return;
  // Before the end, and after a signal, a record may know less than it will; never more.
  const bool claims = record.verdict == Verdict::pass || record.verdict == Verdict::regression;
  if (!claims && (record.signal || !record.finished)) return;
  found.push_back({"verdict",
                   {},
                   fmt::format("the verdict {} is not what the legs and reasons of the "
                               "record amount to: {}",
                               name(record.verdict), name(amounts_to))});
}

/// A PASS speaks for every leg and side that the gate was configured for.
void check_pass(const GateRecord& record, std::vector<Contradiction>& found) {
  if (record.verdict != Verdict::pass) return;
  const Json* precisions = record.config.at({"workload", "precisions"});
  if (precisions != nullptr && precisions->is_array()) {
    for (const Json& precision : precisions->items()) {
      const auto legs =
          std::count_if(record.legs.begin(), record.legs.end(), [&](const LegResult& leg) {
            return precision.is_string() && leg.precision == precision.as_string();
          });
      if (legs == 1) continue;
      found.push_back(
          {"legs",
           {},
           fmt::format("PASS, but the record has {} legs of an expected precision", legs)});
    }
    if (record.legs.size() != precisions->items().size()) {
      found.push_back({"legs",
                       {},
                       fmt::format("PASS with {} legs, but {} precisions were expected",
                                   record.legs.size(), precisions->items().size())});
    }
  }
  for (const Side side : {Side::baseline, Side::candidate}) {
    const bool ran = std::any_of(
        record.phases.begin(), record.phases.end(),
        [&](const PhaseRecord& phase) { return phase.side == side && phase.state == "done"; });
    if (ran) continue;
    found.push_back(
        {"phases", {}, fmt::format("PASS, but no phase of the {} is done", name(side))});
  }
}

/// The limit of each leg is the configured one.
void check_limits(const GateRecord& record, std::vector<Contradiction>& found) {
  const Json* limits = record.config.find("max_drop");
  for (std::size_t i = 0; limits != nullptr && i < record.legs.size(); ++i) {
    const Json* limit = limits->find(record.legs[i].precision);
    if (limit == nullptr || !limit->is_numeric()) continue;
    if (limit->as_number() == record.legs[i].max_drop) continue;
    found.push_back({"legs", i, "the leg's max_drop is not the configured one"});
  }
}

bool same_number(double a, double b) {
  constexpr double rounding = 1e-9;  // a mean of logarithms and back loses the last digits
  return std::abs(a - b) <= rounding * std::abs(b);
}

/// What is wrong with one leg, or nothing.
std::string leg_fault(const LegResult& leg) {
  if (leg.ratio && leg.baseline && leg.candidate &&
      !same_number(*leg.ratio, *leg.candidate / *leg.baseline)) {
    return fmt::format("the ratio {} is not candidate / baseline = {}",
                       number::shortest(*leg.ratio),
                       number::shortest(*leg.candidate / *leg.baseline));
  }
  if (leg.outcome != LegOutcome::pass && leg.outcome != LegOutcome::regression) return "";
  if (!leg.ratio || !leg.baseline || !leg.candidate) {
    return fmt::format("the outcome {} needs a baseline, a candidate and a ratio",
                       name(leg.outcome));
  }
  const bool red = *leg.ratio < 1 - leg.max_drop;
  if (red == (leg.outcome == LegOutcome::regression)) return "";
  return fmt::format("the outcome {} contradicts the ratio {} at a max_drop of {}",
                     name(leg.outcome), number::shortest(*leg.ratio),
                     number::shortest(leg.max_drop));
}

}  // namespace

std::vector<Contradiction> contradictions(const GateRecord& record) {
  std::vector<Contradiction> found;
  check_exit_code(record, found);
  check_verdict(record, found);
  check_pass(record, found);
  check_limits(record, found);
  for (std::size_t i = 0; i < record.legs.size(); ++i) {
    std::string fault = leg_fault(record.legs[i]);
    if (!fault.empty()) found.push_back({"legs", i, std::move(fault)});
  }
  return found;
}

}  // namespace abgate::report
