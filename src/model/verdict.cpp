#include <algorithm>
#include <array>
#include <utility>

#include <abgate/model/verdict.hpp>

namespace abgate {
namespace {

constexpr std::array weights{std::pair{Weight::distrust, std::string_view("distrust")},
                             std::pair{Weight::regression, std::string_view("regression")},
                             std::pair{Weight::infra, std::string_view("infra")},
                             std::pair{Weight::leg, std::string_view("leg")},
                             std::pair{Weight::note, std::string_view("note")}};
constexpr std::array outcomes{std::pair{LegOutcome::pass, std::string_view("pass")},
                              std::pair{LegOutcome::regression, std::string_view("regression")},
                              std::pair{LegOutcome::untrusted, std::string_view("untrusted")},
                              std::pair{LegOutcome::missing, std::string_view("missing")}};

constexpr std::array uses{std::pair{IterationUse::warm_up, std::string_view("warm-up")},
                          std::pair{IterationUse::measured, std::string_view("measured")},
                          std::pair{IterationUse::contaminated, std::string_view("contaminated")}};

bool any_of_weight(const std::vector<Reason>& reasons, Weight weight) {
  return std::any_of(reasons.begin(), reasons.end(),
                     [&](const Reason& reason) { return reason.weight == weight; });
}

}  // namespace

std::string_view name(Weight weight) {
  for (const auto& [value, text] : weights) {
    if (value == weight) return text;
  }
  return "note";
}

std::optional<Weight> parse_weight(std::string_view s) {
  for (const auto& [value, text] : weights) {
    if (text == s) return value;
  }
  return {};
}

std::string_view name(LegOutcome outcome) {
  for (const auto& [value, text] : outcomes) {
    if (value == outcome) return text;
  }
  return "missing";
}

std::string_view name(IterationUse use) {
  for (const auto& [value, text] : uses) {
    if (value == use) return text;
  }
  return "measured";
}

std::optional<LegOutcome> parse_leg_outcome(std::string_view s) {
  for (const auto& [value, text] : outcomes) {
    if (text == s) return value;
  }
  return {};
}

Verdict verdict_of(const std::vector<LegResult>& legs, const std::vector<Reason>& reasons) {
  if (any_of_weight(reasons, Weight::distrust)) return Verdict::no_verdict;
  const auto has = [&](LegOutcome outcome) {
    return std::any_of(legs.begin(), legs.end(),
                       [&](const LegResult& leg) { return leg.outcome == outcome; });
  };
  if (has(LegOutcome::regression) || any_of_weight(reasons, Weight::regression)) {
    return Verdict::regression;
  }
  if (any_of_weight(reasons, Weight::infra)) return Verdict::infra;
  const bool all_pass = !legs.empty() && std::all_of(legs.begin(), legs.end(), [](const auto& leg) {
    return leg.outcome == LegOutcome::pass;
  });
  return all_pass && !any_of_weight(reasons, Weight::leg) ? Verdict::pass : Verdict::no_verdict;
}

void sort_by_weight(std::vector<Reason>& reasons) {
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason& a, const Reason& b) { return a.weight < b.weight; });
}

}  // namespace abgate
