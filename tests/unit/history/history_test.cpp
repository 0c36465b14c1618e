#include <gmock/gmock.h>

#include <abgate/history/history.hpp>

#include "sample_entries.hpp"

namespace abgate::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string text_of(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries)
    text += to_line(entry) + "\n";
  return text;
}

std::vector<std::string> ids(const std::vector<Entry>& entries) {
  std::vector<std::string> out;
  for (const Entry& entry : entries)
    out.push_back(entry.run_id.substr(8));
  return out;
}

Filter filter_by(void (*set)(Filter&)) {
  Filter filter;
  set(filter);
  return filter;
}

std::vector<std::string> left_by(void (*set)(Filter&)) {
  History history = test::mixed_history();
  apply(filter_by(set), history);
  return ids(history.entries);
}

TEST(HistoryTest, DamagedLinesAreSkippedAndTold) {
  const std::string one = to_line(test::night(1, 1, 1));
  const std::string two = to_line(test::night(2, 1, 1));
  const auto history = parse_history(one + "\n" + one.substr(0, 99) + "\n\n \nnull\n" + two);
  EXPECT_THAT(ids(history.entries), ElementsAre("02-000001", "03-000002"));
  ASSERT_EQ(history.damaged.size(), 2U);
  EXPECT_EQ(history.damaged[0].number, 2);
  EXPECT_EQ(history.damaged[1],
            (DamagedLine{5, "schema_version: missing; this is no line of a history"}));
  EXPECT_EQ(damage_text(history.damaged), "2 damaged lines were skipped: 2, 5");
}

TEST(HistoryTest, DamageIsToldShortly) {
  EXPECT_EQ(damage_text({}), "");
  EXPECT_EQ(damage_text({{7, ""}}), "1 damaged line was skipped: 7");
  EXPECT_EQ(damage_text(std::vector<DamagedLine>(12, DamagedLine{7, ""})),
            "12 damaged lines were skipped: 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 and 2 more");
}

TEST(HistoryTest, EntriesAreSortedByStart) {
  auto unknown = test::night(9, 1, 1);
  unknown.started.reset();
  const auto history =
      parse_history(text_of({test::night(3, 1, 1), unknown, test::night(1, 1, 1)}));
  EXPECT_THAT(ids(history.entries), ElementsAre("02-000001", "04-000003", "10-000009"));
}

TEST(HistoryTest, AnEmptyTextIsAnEmptyHistory) {
  EXPECT_THAT(parse_history("").entries, IsEmpty());
  EXPECT_THAT(parse_history("\n\n").damaged, IsEmpty());
}

TEST(HistoryTest, FiltersLetThroughWhatTheyName) {
  EXPECT_EQ(left_by([](Filter&) {}).size(), 8U);
  EXPECT_EQ(left_by([](Filter& f) { f.workload = "gpt-oss-120b-training"; }).size(), 7U);
  EXPECT_THAT(left_by([](Filter& f) { f.workload = "gpt-oss"; }), IsEmpty());
  EXPECT_EQ(left_by([](Filter& f) { f.cluster = "ruby"; }).size(), 7U);
  EXPECT_EQ(left_by([](Filter& f) { f.precision = "FP8"; }).size(), 6U);
  EXPECT_THAT(left_by([](Filter& f) {
                f.verdicts = {Verdict::infra, Verdict::regression};
              }),
              ElementsAre("03-000002", "04-000003", "05-000004"));
  EXPECT_THAT(left_by([](Filter& f) { f.since = test::night(6, 1, 1).started; }),
              ElementsAre("07-000006", "08-000007"));
  EXPECT_THAT(left_by([](Filter& f) {
                f.verdicts = {Verdict::pass};
                f.last = 2;
              }),
              ElementsAre("07-000006", "08-000007"));
}

TEST(HistoryTest, APrecisionDropsTheOtherLegs) {
  History history = test::mixed_history();
  apply(filter_by([](Filter& f) { f.precision = "FP8"; }), history);
  for (const Entry& entry : history.entries) {
    ASSERT_EQ(entry.legs.size(), 1U);
    EXPECT_EQ(entry.legs[0].precision, "FP8");
  }
}

std::vector<std::string> expired_ids(const History& history, const Filter& filter,
                                     const Policy& policy) {
  std::vector<std::string> out;
  for (const std::string& id : expired(history, filter, policy))
    out.push_back(id.substr(8));
  return out;
}

TEST(PruneTest, AnEntryIsKeptByEitherPolicy) {
  const History history = test::mixed_history();
  Policy young;
  young.since = test::night(3, 1, 1).started;
  EXPECT_THAT(expired_ids(history, {}, young), ElementsAre("01-000000", "02-000001", "03-000002"));
  Policy last;
  last.last = 6;  // of each workload and cluster, and the eighth gate is alone with its own
  EXPECT_THAT(expired_ids(history, {}, last), ElementsAre("01-000000"));
  Policy both = young;
  both.last = 6;
  EXPECT_THAT(expired_ids(history, {}, both), ElementsAre("01-000000"));
}

TEST(PruneTest, OnlyWhatTheFilterMatchesExpires) {
  Policy none;
  none.last = 0;
  const Filter infra = filter_by([](Filter& f) { f.verdicts = {Verdict::infra}; });
  EXPECT_THAT(expired_ids(test::mixed_history(), infra, none), ElementsAre("05-000004"));
}

TEST(PruneTest, WhatHasNoStartHasNoAge) {
  History history;
  history.entries = {test::night(1, 1, 1)};
  history.entries[0].started.reset();
  Policy young;
  young.since = test::night(100, 1, 1).started;
  EXPECT_THAT(expired(history, {}, young), IsEmpty());
}

TEST(PruneTest, AnIdThatStandsTwiceStaysWhileOneLineOfItDoes) {
  History history;
  history.entries = {test::night(1, 1, 1), test::night(5, 1, 1)};
  history.entries[0].run_id = history.entries[1].run_id;
  Policy young;
  young.since = test::night(3, 1, 1).started;
  EXPECT_THAT(expired(history, {}, young), IsEmpty());
}

TEST(PruneTest, OtherLinesStayByteForByte) {
  const std::string one = to_line(test::night(1, 1, 1));
  const std::string two = to_line(test::night(2, 1, 1));
  const std::string torn = two.substr(0, 77);
  EXPECT_EQ(without(one + "\n" + torn + "\n{} \n" + two + "\nrest", {test::night(1, 1, 1).run_id}),
            torn + "\n{} \n" + two + "\nrest\n");
}

}  // namespace
}  // namespace abgate::history
