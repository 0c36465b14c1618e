// Every format of every kind of record, as whole texts.
#include <gtest/gtest.h>

#include <abgate/report/github.hpp>
#include <abgate/report/render.hpp>

#include "sample_records.hpp"
#include "support/golden.hpp"

namespace abgate::report {
namespace {

using namespace abgate::test;

struct Sample {
  std::string name;
  GateRecord (*record)();
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{{"pass", pass_record},
                                       {"regression", regression_record},
                                       {"no-verdict", untrusted_record},
                                       {"infra", refused_record},
                                       {"signal", cancelled_record},
                                       {"running", running_record},
                                       {"advisory", advisory_record},
                                       {"aba", aba_record},
                                       {"score", scored_record}};
  return all;
}

TEST(Formats, WholeTexts) {
  const std::pair<std::string, std::string> endings[] = {
      {"markdown", ".md"}, {"html", ".html"}, {"junit", ".xml"}, {"github", ".github"}};
  for (const Sample& sample : samples()) {
    if (sample.name == "advisory" || sample.name == "aba" || sample.name == "score") continue;
    for (const auto& [format, ending] : endings) {
      SCOPED_TRACE(sample.name + " " + format);
      expect_golden("report/" + sample.name + ending, find_format(format)->render(sample.record()));
    }
    expect_golden("report/" + sample.name + ".output",
                  render_outputs(sample.record(), "/gates/tonight/gate.json"));
  }
}

TEST(Formats, EveryNameIsKnownAndNoOther) {
  for (const std::string& name : format_names())
    EXPECT_NE(find_format(name), nullptr) << name;
  EXPECT_EQ(find_format("xml"), nullptr);
}

TEST(Formats, EveryReportThatPeopleReadEndsWithTheCommandThatRepeatsTheGate) {
  for (const Sample& sample : samples()) {
    const std::string start = sample.name == "score" ? "abgate score " : "abgate run --from ";
    for (const char* format : {"text", "markdown", "html", "junit"}) {
      SCOPED_TRACE(sample.name + " " + format);
      const std::string report = find_format(format)->render(sample.record());
      const std::size_t command = report.rfind(start);
      ASSERT_NE(command, std::string::npos);
      constexpr std::size_t the_end = 700;  // the command itself, and the end of the page
      EXPECT_LT(report.size() - command, the_end);
    }
  }
}

TEST(Outputs, TheLeastRatioIsUnknownWhenALegIs) {
  EXPECT_NE(render_outputs(missing_leg_record(), "r").find("\nratio_min=\nratio_bf16=0.99"),
            std::string::npos);
  EXPECT_NE(render_outputs(regression_record(), "r").find("\nratio_min=0.9747"), std::string::npos);
  EXPECT_NE(render_outputs(refused_record(), "r").find("\nratio_min=\nrecord=r\n"),
            std::string::npos);
}

TEST(Junit, AGateWithoutPassIsNeverAllGreen) {
  GateRecord record = pass_record();
  record.signal = 15;
  record.verdict = Verdict::no_verdict;
  record.exit_code = 143;
  const std::string junit = find_format("junit")->render(record);
  EXPECT_NE(junit.find("tests=\"3\" failures=\"0\" errors=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<testcase name=\"gate\""), std::string::npos) << junit;
}

}  // namespace
}  // namespace abgate::report
