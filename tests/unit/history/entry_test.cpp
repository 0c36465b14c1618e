#include <random>

#include <gmock/gmock.h>

#include <abgate/history/entry.hpp>

#include "quick_line.hpp"
#include "sample_entries.hpp"

namespace abgate::history {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string problem(const std::string& line) {
  const auto entry = parse_line(line);
  return entry ? "ok" : entry.error();
}

const std::string smallest = R"({"schema_version":1,"run_id":"a","verdict":"PASS","legs":[]})";

TEST(EntryTest, ALineReadsBackAsWritten) {
  for (const Entry& entry : test::mixed_history().entries) {
    if (entry.nodes.size() == 3) continue;  // the one that is not UTF-8
    const std::string line = to_line(entry);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto read = parse_line(line);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, entry) << line;
  }
}

TEST(EntryTest, BytesThatAreNotUtf8AreReplaced) {
  const auto hostile = test::mixed_history().entries.back();
  const auto read = parse_line(to_line(hostile));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->nodes.back(), "\xEF\xBF\xBD");
  EXPECT_EQ(read->cluster, hostile.cluster);
}

TEST(EntryTest, OrdinaryLinesAreReadQuickly) {
  const auto entries = test::mixed_history().entries;
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
    const auto read = read_quickly(to_line(entries[i]));
    ASSERT_TRUE(read) << to_line(entries[i]);
    EXPECT_EQ(*read, entries[i]);
  }
}

/// What the quick reader takes, the parser takes too, and reads the same.
TEST(EntryTest, TheQuickReaderIsNeverMoreTolerant) {
  const std::string line = to_line(test::mixed_history().entries.at(5));
  std::mt19937 random(11);
  const std::string bytes = "\"\\{}[],:0123456789.-+eEnul tfas\x01\x80\n";
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string changed = line;
    const std::size_t at = random() % changed.size();
    switch (random() % 3) {
      case 0:
        changed[at] = bytes[random() % bytes.size()];
        break;
      case 1:
        changed.erase(at, 1 + random() % 3);
        break;
      default:
        changed.insert(at, 1, bytes[random() % bytes.size()]);
    }
    const auto quick = read_quickly(changed);
    if (!quick) continue;
    ++taken;
    // A key that is not known makes the quick reader give up and the parser go on.
    const auto slow = parse_line(" " + changed);
    ASSERT_TRUE(slow) << changed << "\n" << slow.error();
    ASSERT_EQ(*quick, *slow) << changed;
  }
  EXPECT_GT(taken, 1000);
}

TEST(EntryTest, OlderAndForeignKeysAreNoError) {
  EXPECT_EQ(problem(smallest), "ok");
  EXPECT_EQ(problem(R"({"schema_version":1,"later":{"x":[1]},"run_id":"a","verdict":"PASS",)"
                    R"("started":null,"legs":[{"precision":"FP8","outcome":"pass","ratio":1}]})"),
            "ok");
}

TEST(EntryTest, DamageIsNamed) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string line = smallest;
    return line.replace(line.find(from), from.size(), to);
  };
  EXPECT_THAT(problem(""), StartsWith("column 1: "));
  EXPECT_THAT(problem(smallest.substr(0, 40)), StartsWith("column 34: "));
  EXPECT_THAT(problem(smallest + smallest), HasSubstr("column "));
  EXPECT_EQ(problem("[]"), "schema_version: missing; this is no line of a history");
  EXPECT_EQ(problem(with("1", "2")),
            "schema_version: 2 was written by a newer abgate; this one reads up to 1");
  EXPECT_EQ(problem(with("PASS", "MAYBE")), "verdict: \"MAYBE\" is not known");
  EXPECT_EQ(problem(with(R"("verdict":"PASS",)", "")), "verdict: missing");
  EXPECT_EQ(problem(with("[]", "{}")), "legs: expected an array, found an object");
  EXPECT_EQ(problem(with("[]", R"([{"outcome":"pass","ratio":-1}])")),
            "ratio: not a positive number");
  EXPECT_EQ(problem(with("[]", R"([{"outcome":"pass","ratio":"1"}])")),
            "ratio: expected a number, found a string");
  EXPECT_EQ(problem(with("[]", R"([7])")), "outcome: missing");
  EXPECT_EQ(problem(with(R"("legs":[])", R"("legs":[],"started":"yesterday")")),
            "started: not a time");
  EXPECT_EQ(problem(with(R"("legs":[])", R"("legs":[],"exit_code":256)")),
            "exit_code: not an exit code");
  EXPECT_EQ(problem(with(R"("legs":[])", R"("legs":[],"nodes":[1])")),
            "nodes: holds something that is no string");
}

TEST(EntryTest, AnIdLeadsNowhereElse) {
  for (const char* id : {"", "..", ".hidden", "a/b", "../a", "a b", "a\\u0000b"}) {
    const std::string line =
        R"({"schema_version":1,"verdict":"PASS","legs":[],"run_id":")" + std::string(id) + R"("})";
    EXPECT_EQ(problem(line), "run_id: missing, or not the name of a folder") << id;
  }
}

TEST(EntryTest, AnEntryIsTakenFromARecord) {
  GateRecord record;
  record.run_id = "20261101-100000-aaaaaa";
  record.command = "score";
  record.verdict = Verdict::regression;
  record.exit_code = 1;
  record.reasons.resize(2);
  record.reasons[0].code = "foreign";
  record.reasons[1].code = "regression";
  record.reasons[1].weight = Weight::regression;
  record.phases.resize(2);
  record.phases[0].nodes = {"n2", "n1"};
  record.phases[1].nodes = {"n1", "n2"};
  record.legs.resize(2);
  record.legs[0].precision = "BF16";
  record.legs[0].max_drop = 0.03;
  record.legs[1].precision = "FP8";
  record.config = *parse_json(
      R"({"workload":{"name":"w","reference_values":[{"precision":"BF16","nodes":1,"value":5},)"
      R"({"precision":"BF16","nodes":2,"value":7.5}]},"cluster":{"name":"c"},"nodes":2,)"
      R"("same_build":true})",
      "config");
  const Entry entry = entry_of(record);
  EXPECT_EQ(entry.workload + "/" + entry.cluster + "/" + entry.reason, "w/c/regression");
  EXPECT_EQ(entry.nodes, (std::vector<std::string>{"n2", "n1"}));
  EXPECT_TRUE(entry.same_build);
  EXPECT_EQ(entry.legs.at(0).reference, 7.5);
  EXPECT_EQ(entry.legs.at(0).max_drop, 0.03);
  EXPECT_FALSE(entry.legs.at(1).reference);
  record.allocation.emplace();
  record.allocation->nodes = {"n9"};
  EXPECT_EQ(entry_of(record).nodes, (std::vector<std::string>{"n9"}));
}

}  // namespace
}  // namespace abgate::history
