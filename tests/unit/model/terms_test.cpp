#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <abgate/model/terms.hpp>
#include <abgate/model/verdict.hpp>

namespace abgate {
namespace {

TEST(Orders, SidesOf) {
  constexpr Side a = Side::baseline;
  constexpr Side b = Side::candidate;
  EXPECT_EQ(sides_of(Order::ab), (std::vector<Side>{a, b}));
  EXPECT_EQ(sides_of(Order::ba), (std::vector<Side>{b, a}));
  EXPECT_EQ(sides_of(Order::aba), (std::vector<Side>{a, b, a}));
  EXPECT_EQ(sides_of(Order::abba), (std::vector<Side>{a, b, b, a}));
}

TEST(Verdicts, CodesAreThoseOfTheHelpText) {
  EXPECT_EQ(code_of(Verdict::pass), 0);
  EXPECT_EQ(code_of(Verdict::regression), 1);
  EXPECT_EQ(exit_code::usage, 2);
  EXPECT_EQ(code_of(Verdict::no_verdict), 3);
  EXPECT_EQ(code_of(Verdict::infra), 4);
  EXPECT_EQ(exit_code::signal_base, 128);
}

TEST(Verdicts, TitleIsForPeople) {
  EXPECT_EQ(title(Verdict::no_verdict), "NO VERDICT");
  EXPECT_EQ(title(Verdict::pass), "PASS");
}

/// Every value has its own name, and the name reads back; nothing else does.
template <class T, class Parse>
void expect_names(std::initializer_list<std::pair<T, std::string_view>> table, Parse parse) {
  for (const auto& [value, text] : table) {
    EXPECT_EQ(name(value), text);
    EXPECT_EQ(parse(text), value);
  }
  for (const std::string_view wrong : {"", "x", "Baseline", "AB", "pass ", "NO VERDICT", "?"})
    EXPECT_EQ(parse(wrong), std::nullopt) << wrong;
}

TEST(Names, ReadBack) {
  expect_names<Side>({{Side::baseline, "baseline"}, {Side::candidate, "candidate"}}, parse_side);
  expect_names<Order>(
      {{Order::ab, "ab"}, {Order::ba, "ba"}, {Order::aba, "aba"}, {Order::abba, "abba"}},
      parse_order);
  expect_names<Launcher>({{Launcher::slurm, "slurm"}, {Launcher::local, "local"}}, parse_launcher);
  expect_names<Verdict>({{Verdict::pass, "PASS"},
                         {Verdict::regression, "REGRESSION"},
                         {Verdict::no_verdict, "NO_VERDICT"},
                         {Verdict::infra, "INFRA"}},
                        parse_verdict);
  expect_names<Weight>({{Weight::distrust, "distrust"},
                        {Weight::regression, "regression"},
                        {Weight::infra, "infra"},
                        {Weight::leg, "leg"},
                        {Weight::note, "note"}},
                       parse_weight);
  expect_names<LegOutcome>({{LegOutcome::pass, "pass"},
                            {LegOutcome::regression, "regression"},
                            {LegOutcome::untrusted, "untrusted"},
                            {LegOutcome::missing, "missing"}},
                           parse_leg_outcome);
}

TEST(Names, Sources) {
  EXPECT_EQ(name(MetricSource::perf_csv), "perf.csv");
  EXPECT_EQ(name(MetricSource::model_csv), "per-model CSV");
  EXPECT_EQ(name(MetricSource::series), "series");
}

TEST(Locations, NameTheLineWhenThereIsOne) {
  EXPECT_EQ(format(Location{"2-candidate/perf.csv", 3}), "2-candidate/perf.csv:3");
  EXPECT_EQ(format(Location{"2-candidate/perf.csv", 0}), "2-candidate/perf.csv");
}

TEST(ProcessEnds, OnlyExitZeroSucceeded) {
  EXPECT_TRUE((ProcessEnd{"exited", 0, ""}).succeeded());
  for (const char* kind : {"signaled", "timed_out", "interrupted", "spawn_failed", ""})
    EXPECT_FALSE((ProcessEnd{kind, 0, ""}).succeeded()) << kind;
  EXPECT_FALSE((ProcessEnd{"exited", 1, ""}).succeeded());
}

}  // namespace
}  // namespace abgate
