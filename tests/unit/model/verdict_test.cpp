#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abgate/model/verdict.hpp>

namespace abgate {
namespace {

constexpr Weight weights[] = {Weight::distrust, Weight::regression, Weight::infra, Weight::leg,
                              Weight::note};
constexpr LegOutcome outcomes[] = {LegOutcome::pass, LegOutcome::regression, LegOutcome::untrusted,
                                   LegOutcome::missing};

Reason reason_of(Weight weight, std::string code = "x") {
  Reason reason;
  reason.code = std::move(code);
  reason.weight = weight;
  return reason;
}

LegResult leg_of(LegOutcome outcome) {
  LegResult leg;
  leg.outcome = outcome;
  return leg;
}

/// DESIGN 2 as a ladder of symptoms, each with its exit code: the first that is there decides.
int first_symptom(unsigned reason_bits, unsigned leg_bits) {
  const auto reason = [&](unsigned i) { return ((reason_bits >> i) & 1U) != 0; };
  const auto leg = [&](unsigned i) { return ((leg_bits >> i) & 1U) != 0; };
  const struct {
    bool there;
    int code;
  } ladder[] = {{reason(0), 3},                                 // run-level distrust
                {reason(1) || leg(1), 1},                       // a red ratio
                {reason(2), 4},                                 // infrastructure
                {reason(3), 3},                                 // one leg's own trouble
                {leg(2) || leg(3), 3},    {leg_bits == 0, 3}};  // nothing was measured
  for (const auto& rung : ladder) {
    if (rung.there) return rung.code;
  }
  return 0;
}

TEST(VerdictOf, EverySubsetOfReasonsAndOutcomes) {
  int passes = 0;
  for (unsigned reason_bits = 0; reason_bits < 32; ++reason_bits) {
    for (unsigned leg_bits = 0; leg_bits < 16; ++leg_bits) {
      std::vector<Reason> reasons;
      std::vector<LegResult> legs;
      for (unsigned i = 5; i-- > 0;) {
        if (((reason_bits >> i) & 1U) != 0) reasons.push_back(reason_of(weights[i]));
      }
      for (unsigned i = 0; i < 4; ++i) {
        if (((leg_bits >> i) & 1U) != 0) legs.push_back(leg_of(outcomes[i]));
      }
      const Verdict verdict = verdict_of(legs, reasons);
      EXPECT_EQ(code_of(verdict), first_symptom(reason_bits, leg_bits))
          << "reasons " << reason_bits << ", legs " << leg_bits;
      passes += verdict == Verdict::pass ? 1 : 0;
    }
  }
  // Only passing legs, with a note or without one.
  EXPECT_EQ(passes, 2);
}

TEST(VerdictOf, NothingMeasuredIsNoVerdict) {
  EXPECT_EQ(verdict_of({}, {}), Verdict::no_verdict);
}

TEST(VerdictOf, OnePassingLegDoesNotCarryAMissingOne) {
  EXPECT_EQ(verdict_of({leg_of(LegOutcome::pass), leg_of(LegOutcome::missing)}, {}),
            Verdict::no_verdict);
}

TEST(VerdictOf, ARedLegIsNotHiddenByAMissingOne) {
  EXPECT_EQ(verdict_of({leg_of(LegOutcome::missing), leg_of(LegOutcome::regression)},
                       {reason_of(Weight::leg), reason_of(Weight::infra)}),
            Verdict::regression);
}

TEST(VerdictOf, DistrustStandsOverARedRatio) {
  EXPECT_EQ(verdict_of({leg_of(LegOutcome::regression)}, {reason_of(Weight::distrust)}),
            Verdict::no_verdict);
}

TEST(SortByWeight, MostDecisiveFirstAndStable) {
  std::vector<Reason> reasons{
      reason_of(Weight::note, "n1"),     reason_of(Weight::leg, "l1"),
      reason_of(Weight::distrust, "d1"), reason_of(Weight::infra, "i1"),
      reason_of(Weight::leg, "l2"),      reason_of(Weight::regression, "r1"),
      reason_of(Weight::distrust, "d2"), reason_of(Weight::note, "n2")};
  sort_by_weight(reasons);
  std::vector<std::string> codes;
  for (const Reason& reason : reasons)
    codes.push_back(reason.code);
  EXPECT_EQ(codes, (std::vector<std::string>{"d1", "d2", "r1", "i1", "l1", "l2", "n1", "n2"}));
}

}  // namespace
}  // namespace abgate
