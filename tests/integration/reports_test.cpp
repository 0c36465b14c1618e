// What a gate leaves for its readers, through the built binary.
#include <regex>

#include <gmock/gmock.h>

#include "support/changed_phases.hpp"
#include "support/files.hpp"
#include "support/gate.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

class Reports : public ChangedPhases {
 protected:
  ProgramResult score_text(const std::vector<std::string>& more,
                           const std::vector<std::string>& environment = {}) {
    return abgate(
        with({"score", "--workload", gptoss, "--baseline", baseline(), "--candidate", candidate()},
             more),
        environment);
  }
  fs::path out() const { return directory_ / "out"; }
};

TEST_F(Reports, ScoreLeavesThemWhereItIsTold) {
  take("gptoss-candidate-slow");
  const auto run = score_text({"--out", out()});
  EXPECT_EQ(run.exit, 1) << run.describe();
  EXPECT_EQ(read_file(out() / "summary.txt"), run.out);
  EXPECT_THAT(read_file(out() / "summary.md"), StartsWith("## REGRESSION\n"));
  EXPECT_THAT(read_file(out() / "junit.xml"), HasSubstr("<failure type=\"regression\""));
  EXPECT_THAT(read_file(out() / "report.html"), HasSubstr("<h1>REGRESSION</h1>"));
  // Each is what `report` makes of the record.
  const std::pair<const char*, const char*> files[] = {{"text", "summary.txt"},
                                                       {"markdown", "summary.md"},
                                                       {"html", "report.html"},
                                                       {"junit", "junit.xml"},
                                                       {"json", "gate.json"}};
  for (const auto& [format, file] : files) {
    const auto report = abgate({"report", out(), "--format", format});
    EXPECT_EQ(report.exit, 0) << report.describe();
    EXPECT_EQ(report.out, read_file(out() / file)) << format;
  }
}

TEST_F(Reports, ThePageDrawsTheIterationsOfRealLogs) {
  take("gptoss-candidate-ok");
  ASSERT_EQ(score_text({"--out", out()}).exit, 0);
  const std::string page = read_file(out() / "report.html");
  const std::regex point("iteration [0-9]+: [0-9.]+ \\((measured|warm-up, not counted)\\)");
  const auto points =
      std::distance(std::sregex_iterator(page.begin(), page.end(), point), std::sregex_iterator());
  EXPECT_EQ(points, 4 * 15);  // two legs, two phases, 15 iterations
}

TEST_F(Reports, TheCommandOfAScoreRepeatsIt) {
  take("gptoss-candidate-slow");
  const auto first = score_text({"--max-drop", "FP8=0.031", "--out", out()});
  const std::string command = first.out.substr(first.out.rfind("abgate score"));
  const auto again =
      run_program({"bash", "-c", command},
                  {"PATH=" + abgate_binary().parent_path().string() + ":/usr/bin:/bin"}, "/");
  EXPECT_EQ(again.exit, first.exit) << again.describe();
  const std::regex fleeting("run  .*|time  .*");
  EXPECT_EQ(std::regex_replace(again.out, fleeting, ""),
            std::regex_replace(first.out, fleeting, ""));
}

TEST_F(Reports, AGitHubJobGetsSummaryOutputsAndAnnotations) {
  take("gptoss-candidate-slow");
  const fs::path summary = directory_ / "summary";
  const fs::path output = directory_ / "output";
  write_file(output, "before=1\n");
  const auto run = score_text({"--out", out()},
                              {"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=" + summary.string(),
                               "GITHUB_OUTPUT=" + output.string()});
  EXPECT_EQ(run.exit, 1);
  EXPECT_EQ(read_file(summary), read_file(out() / "summary.md"));
  const auto outputs = lines_of(read_file(output));
  ASSERT_EQ(outputs.size(), 7U);
  EXPECT_THAT(outputs, testing::Contains("verdict=REGRESSION"));
  EXPECT_THAT(outputs, testing::Contains("exit_code=1"));
  EXPECT_EQ(outputs.back(), "record=" + (out() / "gate.json").string());
  // The report stands between marks that no log can know; the commands come after it.
  const auto lines = lines_of(run.out);
  ASSERT_THAT(lines.front(), testing::MatchesRegex("::stop-commands::abgate-[0-9a-f]+"));
  const std::string token = lines.front().substr(std::string("::stop-commands::").size());
  const auto end = std::find(lines.begin(), lines.end(), "::" + token + "::");
  ASSERT_NE(end, lines.end());
  EXPECT_THAT(*(end + 1), StartsWith("::error title=abgate%3A REGRESSION::"));
}

TEST_F(Reports, WhatGitHubDoesNotTakeChangesNoVerdict) {
  take("gptoss-candidate-ok");
  const auto run = score_text(
      {}, {"GITHUB_STEP_SUMMARY=/nowhere/summary", "GITHUB_OUTPUT=" + directory_.path().string()});
  EXPECT_EQ(run.exit, 0) << run.describe();
  EXPECT_THAT(run.err, HasSubstr("warning: GITHUB_STEP_SUMMARY: /nowhere/summary"));
  EXPECT_THAT(run.err, HasSubstr("warning: GITHUB_OUTPUT: "));
}

TEST_F(Reports, JsonOnStdoutStaysJsonInAGitHubJob) {
  take("gptoss-candidate-ok");
  const auto run = score_text({"--format", "json"}, {"GITHUB_ACTIONS=true"});
  EXPECT_TRUE(parse_json(run.out, "stdout")) << run.out.substr(0, 200);
}

TEST_F(Reports, AFolderThatTakesNoReportIsSaidAndNoPass) {
  take("gptoss-candidate-ok");
  write_file(out(), "a file");
  const auto run = score_text({"--out", out()});
  EXPECT_EQ(run.exit, 4) << run.describe();
  EXPECT_THAT(run.err, HasSubstr("could not be saved: "));
  EXPECT_THAT(run.err, HasSubstr("PASS"));
}

TEST_F(Reports, TwoRecordsSideBySide) {
  take("gptoss-candidate-slow");
  ASSERT_EQ(score_text({"--out", out()}).exit, 1);
  const fs::path lenient = directory_ / "lenient";
  ASSERT_EQ(score_text({"--max-drop", "0.2", "--out", lenient}).exit, 0);
  const auto text = abgate({"report", out(), "--against", lenient});
  EXPECT_EQ(text.exit, 0);
  EXPECT_TRUE(std::regex_search(text.out, std::regex("\n  verdict +REGRESSION +PASS\n")))
      << text.out;
  EXPECT_TRUE(std::regex_search(text.out, std::regex("\n  max_drop.FP8 +0.02 +0.2\n"))) << text.out;
  EXPECT_THAT(text.out, Not(HasSubstr("workload.metric")));
  const auto markdown = abgate({"report", out(), "--against", lenient, "--format", "markdown"});
  EXPECT_THAT(markdown.out, HasSubstr("| verdict | REGRESSION | PASS | - |"));
  EXPECT_EQ(abgate({"report", out(), "--against", lenient, "--format", "html"}).exit, 2);
  EXPECT_EQ(abgate({"report", out(), "--against", "/nowhere"}).exit, 2);
}

TEST_F(Reports, AScoreIsNoRunThatCouldBeRepeated) {
  take("gptoss-candidate-ok");
  ASSERT_EQ(score_text({"--out", out()}).exit, 0);
  const auto run = abgate({"run", "--from", out()});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("was made by `score`"));
}

TEST(Repeat, AGateRunsAgainFromItsRecord) {
  const TempDir directory;
  const GateRun first = run_gate(directory / "first", {"--cluster", "local"}, {});
  ASSERT_EQ(first.program.exit, 0) << first.describe();
  const auto shown = abgate({"run", "--from", first.work_dir, "--dry-run"});
  EXPECT_EQ(shown.exit, 0) << shown.describe();
  EXPECT_THAT(shown.out, HasSubstr("ABGATE_STANDIN_RCCL"));

  const fs::path again = directory / "again";
  const auto second =
      abgate({"run", "--from", first.work_dir / "gate.json", "--work-dir", again, "--quiet"});
  const Json record = read_record(again);
  const Json* config = record.find("config");
  ASSERT_NE(config, nullptr) << second.describe();
  Json before = *first.record.find("config");
  Json after = *config;
  for (Json* each : {&before, &after}) {
    each->set("work_dir", "");
    each->find("origins")->set("work_dir", "");
  }
  EXPECT_EQ(after, before);
  EXPECT_EQ(second.exit, static_cast<int>(record.find("exit_code")->as_integer()));
  EXPECT_EQ(record.find("phases")->items().front().find("manifest_sha256")->as_string(),
            first.record.find("phases")->items().front().find("manifest_sha256")->as_string());
}

TEST(Repeat, WhatContradictsTheRecordIsAnError) {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--workload", "demo"},
                                             {"--cluster", "local"},
                                             {"--order", "ba"},
                                             {"--max-drop", "0.4"},
                                             {"--candidate-image", "x:y"},
                                             {"--advisory"}}) {
    const auto run = abgate(with({"run", "--from", "/nowhere"}, more));
    EXPECT_EQ(run.exit, 2);
    EXPECT_THAT(run.err, HasSubstr(more.front() + " excludes --from")) << run.err;
  }
  EXPECT_THAT(abgate({"run", "--from", "/nowhere"}).err, HasSubstr("/nowhere"));
  EXPECT_THAT(abgate({"run"}).err, HasSubstr("--workload is required"));
}

TEST(Help, ExplainsEveryReasonThatItLists) {
  const auto list = abgate({"help", "reasons"});
  EXPECT_EQ(list.exit, 0);
  int codes = 0;
  for (const std::string& line : lines_of(list.out)) {
    if (line.empty()) break;
    ++codes;
    const std::string code = line.substr(0, line.find(' '));
    if (codes % 10 != 1) continue;  // a process each: a sample; docs are checked elsewhere
    const auto one = abgate({"help", "reasons", code});
    EXPECT_EQ(one.exit, 0) << code;
    EXPECT_THAT(one.out, StartsWith("### " + code + "\n\nWeight:"));
    EXPECT_THAT(one.out.substr(5), Not(HasSubstr("\n#"))) << "one entry only";
  }
  EXPECT_GT(codes, 60);
}

TEST(Help, KnowsItsTopicsAndNoOthers) {
  EXPECT_THAT(abgate({"help"}).out, HasSubstr("exit-codes"));
  EXPECT_THAT(abgate({"help", "exit-codes"}).out, HasSubstr("128+N"));
  EXPECT_EQ(abgate({"help", "config"}).out, read_file(ABGATE_SOURCE_DIR "/docs/configuration.md"));
  EXPECT_EQ(abgate({"help", "ci"}).out, read_file(ABGATE_SOURCE_DIR "/docs/ci.md"));
  EXPECT_EQ(abgate({"help", "cooking"}).exit, 2);
  EXPECT_EQ(abgate({"help", "ci", "leg-missing"}).exit, 2);
  const auto near = abgate({"help", "reasons", "leg-misin"});
  EXPECT_EQ(near.exit, 2);
  EXPECT_THAT(near.err, HasSubstr(R"(did you mean "leg-missing"?)"));
}

/// What bash offers after these words; the last one is being typed.
std::vector<std::string> completed(const std::string& words) {
  const std::string script =
      "source <(abgate completion bash); COMP_WORDS=(" + words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _abgate; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const auto run =
      run_program({"bash", "-c", script},
                  {"PATH=" + abgate_binary().parent_path().string() + ":/usr/bin:/bin"}, "/");
  EXPECT_EQ(run.err, "");
  return lines_of(run.out);
}

TEST(Completion, OffersCommandsOptionsChoicesAndNames) {
  EXPECT_THAT(completed("abgate re"), ElementsAre("report"));
  EXPECT_THAT(completed("abgate report --for"), ElementsAre("--format"));
  EXPECT_THAT(completed("abgate report --format j"), ElementsAre("junit", "json"));
  EXPECT_THAT(completed("abgate run --workload gpt"), ElementsAre("gpt-oss-120b-training"));
  EXPECT_THAT(completed("abgate run --cluster rub"), ElementsAre("ruby"));
  EXPECT_THAT(completed("abgate validate /et"), ElementsAre("/etc"));
  EXPECT_THAT(completed("abgate help rea"), ElementsAre("reasons"));
  for (const std::string& command : completed("abgate ''"))
    EXPECT_THAT(command, testing::AllOf(Not("inner"), Not("completion"), Not("man")));
}

TEST(ManualPage, SaysWhatTheHelpSays) {
  const auto page = abgate({"man"});
  EXPECT_EQ(page.exit, 0);
  EXPECT_THAT(page.out, StartsWith(".TH ABGATE 1 "));
  for (const char* text : {".SS run\n", "\\fB\\-\\-candidate\\-library\\fR \\fIFILE|DIR\\fR\n",
                           ".SH EXIT STATUS\n", "NO VERDICT"}) {
    EXPECT_THAT(page.out, HasSubstr(text));
  }
  for (const std::string& line : lines_of(page.out)) {
    EXPECT_FALSE(line.starts_with("'")) << line;
    EXPECT_TRUE(!line.starts_with(".") ||
                std::regex_search(line, std::regex("^\\.(TH|SH|SS|TP|PP|nf|fi)( |$)")))
        << line;
  }
}

std::string workflow(const std::string& name) {
  return read_file(ABGATE_SOURCE_DIR "/docs/workflows/" + name + ".yml");
}

TEST(Workflows, TheFormOffersTheWorkloadsThatShip) {
  const std::string form = workflow("dispatch");
  for (const std::string& name : lines_of(abgate({"configs", "workloads"}).out)) {
    const bool offered = form.find("          - " + name + "\n") != std::string::npos;
    EXPECT_EQ(offered, name != "demo") << name;
  }
}

TEST(Workflows, CallWhatExistsAndKeepWhatIsLeft) {
  const std::string help = abgate({"run", "--help"}).out;
  for (const char* name : {"nightly", "weekly", "dispatch"}) {
    SCOPED_TRACE(name);
    const std::string text = workflow(name);
    const std::size_t start = text.find("          exec abgate run ");
    ASSERT_NE(start, std::string::npos);
    const std::string call = text.substr(start, text.find("- name", start) - start);
    EXPECT_THAT(call, Not(HasSubstr("${{"))) << "an input inside of a script is part of it";
    const std::regex option("--[a-z-]+");
    for (auto at = std::sregex_iterator(call.begin(), call.end(), option);
         at != std::sregex_iterator(); ++at)
      EXPECT_THAT(help, HasSubstr("  " + at->str() + " "));
    EXPECT_THAT(text, HasSubstr("if: always()\n        uses: actions/upload-artifact@"));
    EXPECT_THAT(text, HasSubstr("cancel-in-progress: false"));
    EXPECT_THAT(text, HasSubstr("contents: read"));
  }
}

}  // namespace
}  // namespace abgate::test
