#include <algorithm>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <abgate/base/text.hpp>
#include <abgate/report/text.hpp>

#include "sample_records.hpp"
#include "support/golden.hpp"

namespace abgate::report {
namespace {

using namespace abgate::test;

std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// What holds for every report, whatever the record.
void expect_readable(const std::string& report) {
  ASSERT_TRUE(report.ends_with("\n"));
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(width_of(line), 100U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
    EXPECT_EQ(text::printable(line), line);
  }
  EXPECT_EQ(report.find("\n\n\n"), std::string::npos) << report;
}

TEST(TextReport, WholeTexts) {
  const std::pair<std::string, GateRecord> reports[] = {{"pass", pass_record()},
                                                        {"regression", regression_record()},
                                                        {"leg-missing", missing_leg_record()},
                                                        {"refused", refused_record()},
                                                        {"advisory", advisory_record()},
                                                        {"cancelled", cancelled_record()},
                                                        {"aba", aba_record()},
                                                        {"unfinished", minimal_record()}};
  for (const auto& [name, record] : reports) {
    SCOPED_TRACE(name);
    const std::string report = render_text(record);
    expect_readable(report);
    expect_golden("report/" + name + ".txt", report);
  }
}

TEST(TextReport, TheLegLineOfTheManual) {
  GateRecord record = pass_record();
  EXPECT_NE(render_text(record).find("\nBF16  ratio 0.9993 (-0.07 %)  baseline 8281.8  candidate "
                                     "8276.0 tok/s/GPU  limit -2.0 %\n"),
            std::string::npos)
      << render_text(record);
}

TEST(TextReport, TheVerdictComesFirst) {
  EXPECT_TRUE(render_text(pass_record()).starts_with("PASS "));
  EXPECT_TRUE(render_text(regression_record()).starts_with("REGRESSION "));
  EXPECT_TRUE(render_text(missing_leg_record()).starts_with("NO VERDICT "));
  EXPECT_TRUE(render_text(refused_record()).starts_with("INFRA "));
}

TEST(TextReport, AdviceIsLoudOnlyWhereItChangedTheExitCode) {
  GateRecord record = pass_record();
  record.advisory = true;
  EXPECT_EQ(render_text(record).find("ADVISORY"), std::string::npos);
  EXPECT_NE(render_text(advisory_record()).find("ADVISORY"), std::string::npos);
}

TEST(TextReport, ReasonsSayWhereTheyApplyOnce) {
  GateRecord record = missing_leg_record();
  record.reasons[0].message = "the candidate's phase 2 wrote no row";
  const std::string report = render_text(record);
  EXPECT_NE(report.find("* the candidate's phase 2 wrote no row (FP8) [leg-missing]"),
            std::string::npos)
      << report;
}

TEST(TextReport, MostDecisiveReasonFirstNotesLast) {
  GateRecord record = regression_record();
  Reason distrust = record.reasons[1];
  distrust.weight = Weight::distrust;
  distrust.code = "stale";
  record.reasons.push_back(distrust);
  const std::string report = render_text(record);
  const std::size_t stale = report.find("[stale]");
  const std::size_t red = report.find("[regression]");
  const std::size_t notes = report.find("\nNotes\n");
  const std::size_t drift = report.find("[drift]");
  ASSERT_NE(drift, std::string::npos);
  EXPECT_LT(stale, red);
  EXPECT_LT(red, report.find("\nPhases\n"));
  EXPECT_LT(report.find("\nEvidence\n"), notes);
  EXPECT_LT(notes, drift);
}

TEST(TextReport, ManyPlacesAreCounted) {
  GateRecord record = regression_record();
  record.reasons[1].evidence.assign(12, {"2-candidate/perf.csv", 7});
  const std::string report = render_text(record);
  EXPECT_NE(report.find("    and 7 more places\n"), std::string::npos) << report;
}

TEST(TextReport, TextFromOutsideCannotDriveTheTerminal) {
  GateRecord record = missing_leg_record();
  const std::string evil =
      "\x1b]0;owned\x07\x1b[2J\xC2\x9B"
      "31m\r\xFF\xE2\x80\xAE";
  record.reasons[0].message = evil;
  record.reasons[0].code = evil;
  record.reasons[0].node = evil;
  record.reasons[0].evidence = {{evil, 1}};
  record.legs[0].precision = evil;
  record.legs[0].unit = evil;
  record.legs[0].metric = evil;
  record.phases[0].directory = evil;
  record.phases[0].proof = evil;
  record.phases[0].nodes = {evil};
  record.phases[0].exit = ProcessEnd{evil, 1, evil};
  record.phases[1].state = evil;
  record.phases[1].exit.reset();
  record.allocation->job_id = evil;
  record.allocation->nodes = {evil};
  record.allocation->messages = {evil};
  record.allocation->scrubbed = {evil};
  record.run_id = record.command = record.tool_version = record.step = evil;
  record.finished.reset();
  record.config.set("workload", Json::object({{"name", evil}}));
  record.config.set("cluster", Json::object({{"name", evil}}));
  expect_readable(render_text(record));
}

/// Words of random length, some longer than a line, some not ASCII.
class Words {
 public:
  std::string next() {
    static const char* const letters[] = {"a", "Z", "-",  "/",  "é",   "漢",
                                          "😀", " ", "\t", "\n", "\x1b"};
    std::string out;
    const std::size_t length = pick(5) == 0 ? pick(300) : pick(30);
    for (std::size_t i = 0; i < length; ++i)
      out += letters[pick(std::size(letters))];
    if (pick(6) == 0) out += std::string(pick(250), 'x');
    return out;
  }
  std::size_t pick(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

 private:
  std::mt19937 random_{42};
};

TEST(TextReport, FitsTheTerminalWhateverTheNames) {
  Words words;
  for (int round = 0; round < 80; ++round) {
    GateRecord record = round % 2 == 0 ? full_record() : missing_leg_record();
    record.run_id = words.next();
    record.step = words.next();
    record.command = words.next();
    if (words.pick(2) == 0) record.finished.reset();
    record.config.set("workload", Json::object({{"name", words.next()}}));
    for (Reason& reason : record.reasons) {
      reason.message = words.next() + " " + words.next() + " " + words.next();
      reason.code = words.next();
      reason.node = words.next();
      reason.evidence = {{words.next(), 12345}, {words.next(), 0}};
    }
    for (LegResult& leg : record.legs) {
      leg.precision = words.next();
      leg.unit = words.next();
      leg.metric = words.next();
      leg.baseline = words.pick(2) == 0 ? 1e300 : 1e-12;
      leg.ratio = words.pick(2) == 0 ? 1e200 : 0.979999999;
    }
    for (PhaseRecord& phase : record.phases) {
      phase.directory = words.next();
      phase.proof = words.next();
      phase.nodes.assign(words.pick(60), words.next());
      phase.exit = ProcessEnd{"timed_out", 0, words.next()};
    }
    record.allocation->nodes.assign(words.pick(60), "mi355x-0123");
    record.allocation->messages = {words.next()};
    expect_readable(render_text(record));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(TextReport, LongNodeListsHangInTheirColumn) {
  GateRecord record = pass_record();
  for (int i = 2; i < 44; ++i)
    record.phases[0].nodes.push_back("mi355x-" + std::to_string(i));
  expect_golden("report/many-nodes.txt", render_text(record));
}

}  // namespace
}  // namespace abgate::report
