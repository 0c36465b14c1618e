#include <algorithm>

#include <gmock/gmock.h>

#include <abgate/runner/selftest.hpp>

#include "fakes.hpp"

namespace abgate::runner {
namespace {

using testing::HasSubstr;

std::string failures(const std::vector<SelftestResult>& results) {
  return all_passed(results) ? "" : render_selftest(results);
}

TEST(Selftest, TheJudgePasses) {
  SteppingClock clock;
  EXPECT_EQ(failures(selftest(clock)), "");
}

TEST(Selftest, EveryLessonOfALyingGateIsThere) {
  SteppingClock clock;
  const auto results = selftest(clock);
  for (int lesson = 1; lesson <= 11; ++lesson) {
    EXPECT_TRUE(std::any_of(results.begin(), results.end(), [&](const SelftestResult& result) {
      return result.lesson == lesson;
    })) << lesson;
  }
}

/// A judge that always gives the same answer must fail on every other case.
std::vector<SelftestResult> judged_always(Verdict verdict) {
  SteppingClock clock;
  return selftest(clock, [&](const ForeignGate& gate, ArtifactStore& store, WallClock& time) {
    GateRecord record = score_directories(gate, store, time);
    record.verdict = verdict;
    record.exit_code = code_of(verdict);
    return record;
  });
}

TEST(Selftest, AJudgeThatAlwaysPassesFailsOnEveryBadPair) {
  for (const SelftestResult& result : judged_always(Verdict::pass)) {
    EXPECT_EQ(result.passed, result.name.starts_with("a healthy pair")) << result.name;
  }
}

TEST(Selftest, AJudgeThatAlwaysRefusesFailsToo) {
  EXPECT_FALSE(all_passed(judged_always(Verdict::no_verdict)));
}

/// Refusing for another reason is no proof that the case's own check works.
TEST(Selftest, TheReasonMustBeTheCasesOwn) {
  SteppingClock clock;
  const auto results =
      selftest(clock, [](const ForeignGate& gate, ArtifactStore& store, WallClock& time) {
        GateRecord record = score_directories(gate, store, time);
        for (Reason& reason : record.reasons)
          reason.code = "other-reason";
        return record;
      });
  for (const SelftestResult& result : results) {
    EXPECT_EQ(result.passed, result.name.starts_with("a healthy pair")) << result.name;
  }
  EXPECT_THAT(render_selftest(results), HasSubstr("found    NO VERDICT: other-reason"));
}

TEST(Selftest, NothingAtAllIsNoSuccess) {
  EXPECT_FALSE(all_passed({}));
}

}  // namespace
}  // namespace abgate::runner
