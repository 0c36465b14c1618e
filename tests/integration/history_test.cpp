// `abgate history`, and what a gate does when its results folder fails it.
#include <fstream>

#include <gmock/gmock.h>

#include <abgate/base/json.hpp>

#include "support/changed_phases.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class HistoryCommand : public ChangedPhases {
 protected:
  std::string results() const { return directory_ / "results"; }
  std::string history_file() const { return results() + "/history.jsonl"; }

  ProgramResult keep(const char* candidate, const std::vector<std::string>& environment = {}) {
    const std::string phases = ABGATE_SOURCE_DIR "/tests/data/phases/";
    return abgate({"score", "--workload", gptoss, "--baseline", phases + "gptoss-baseline",
                   "--candidate", phases + candidate, "--results-dir", results()},
                  environment);
  }
  ProgramResult history(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "history");
    return abgate(with(arguments, {"--results-dir", results()}));
  }
  std::vector<std::string> ids() {
    const auto listed = parse_json(history({"export", "--format", "json"}).out, "history");
    std::vector<std::string> out;
    for (const Json& entry : listed->find("entries")->items())
      out.push_back(entry.find("run_id")->as_string());
    return out;
  }
  void damage() {
    std::ofstream(history_file(), std::ios::app) << "{\"schema_version\":1,\"run_id\":\"torn";
  }
};

TEST_F(HistoryCommand, ListsShowsExportsAndFollows) {
  ASSERT_EQ(keep("gptoss-candidate-ok").exit, 0);
  ASSERT_EQ(keep("gptoss-candidate-slow").exit, 1);
  const auto list = history({"list"});
  EXPECT_EQ(list.exit, 0);
  EXPECT_THAT(list.out, StartsWith("STARTED (UTC)"));
  EXPECT_THAT(list.out, HasSubstr("2 gates: 1 PASS, 1 REGRESSION"));
  EXPECT_EQ(list.err, "");
  EXPECT_THAT(history({"list", "--verdict", "regression"}).out, HasSubstr("1 gate: 1 REGRESSION"));
  EXPECT_THAT(history({"list", "--last", "1"}).out, HasSubstr("1 gate: "));
  EXPECT_THAT(history({"list", "--workload", "other"}).out, HasSubstr("no gates"));
  EXPECT_THAT(history({"list", "--since", "1h"}).out, HasSubstr("2 gates"));
  EXPECT_THAT(history({"list", "--since", "2100-01-01"}).out, HasSubstr("no gates"));
  EXPECT_THAT(history({"list", "--precision", "FP8", "--format", "csv"}).out,
              AllOf(HasSubstr(",FP8,"), Not(HasSubstr(",BF16,"))));
  EXPECT_THAT(history({"list", "--format", "html"}).out, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(history({"trend"}).out, HasSubstr("too few gates to look for a change (2 of 10)"));
  EXPECT_TRUE(parse_json(history({"trend", "--format", "json"}).out, "trend"));

  const std::string id = ids().at(1);
  const auto shown = history({"show", id});
  EXPECT_EQ(shown.exit, 0) << shown.describe();
  EXPECT_THAT(shown.out, HasSubstr("REGRESSION"));
  EXPECT_EQ(history({"show", id.substr(0, 21)}).out, shown.out);
}

TEST_F(HistoryCommand, DamagedLinesAreToldAndHarmNothing) {
  ASSERT_EQ(keep("gptoss-candidate-ok").exit, 0);
  damage();
  ASSERT_EQ(keep("gptoss-candidate-ok").exit, 0);
  const auto list = history({"list"});
  EXPECT_EQ(list.exit, 0);
  EXPECT_THAT(list.out, HasSubstr("2 gates: 2 PASS"));
  EXPECT_EQ(list.err, history_file() + ": 1 damaged line was skipped: 2\n");
}

TEST_F(HistoryCommand, BadQuestionsExitWithTwo) {
  EXPECT_THAT(history({"list"}).err, HasSubstr("is no directory"));
  EXPECT_EQ(history({"list"}).exit, 2);
  fs::create_directory(results());
  EXPECT_EQ(history({"list"}).out, "no gates\n");
  EXPECT_EQ(abgate({"history", "list"}).exit, 2);
  EXPECT_THAT(history({"list", "--since", "yesterday"}).err, HasSubstr("28d"));
  EXPECT_EQ(history({"list", "--since", "yesterday"}).exit, 2);
  EXPECT_EQ(history({"list", "--last", "0"}).exit, 2);
  EXPECT_EQ(history({"list", "--verdict", "MAYBE"}).exit, 2);
  EXPECT_EQ(history({"trend", "--format", "csv"}).exit, 2);
  EXPECT_EQ(history({"prune"}).exit, 2);
  EXPECT_THAT(history({"show", "../../etc"}).err, HasSubstr("no gate ../../etc"));
  ASSERT_EQ(keep("gptoss-candidate-ok").exit, 0);
  ASSERT_EQ(keep("gptoss-candidate-ok").exit, 0);
  EXPECT_THAT(history({"show", "2"}).err, HasSubstr("2 gates begin with 2: "));
}

TEST_F(HistoryCommand, IdsCarryTheCiRunAndAttempt) {
  ASSERT_EQ(keep("gptoss-candidate-ok", {"GITHUB_RUN_ID=1234", "GITHUB_RUN_ATTEMPT=2"}).exit, 0);
  ASSERT_EQ(keep("gptoss-candidate-ok", {"GITHUB_RUN_ID=../x", "GITHUB_RUN_ATTEMPT=2"}).exit, 0);
  const auto all = ids();
  EXPECT_THAT(all.at(0), testing::EndsWith("-r1234-a2"));
  EXPECT_THAT(all.at(1), Not(HasSubstr("x")));
}

TEST_F(HistoryCommand, PruneKeepsWhatThePolicySays) {
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(keep("gptoss-candidate-ok").exit, 0);
  damage();
  const auto before = ids();
  const auto dry = history({"prune", "--keep-last", "1", "--dry-run"});
  EXPECT_EQ(dry.out, before[0] + "\n" + before[1] + "\n2 of 3 gates would go\n");
  EXPECT_EQ(ids(), before);
  EXPECT_EQ(history({"prune", "--keep-days", "1"}).out, "0 of 3 gates are gone\n");

  // What is not ours stays: a folder with another file, and one without a line.
  write_file(results() + "/runs/" + before[0] + "/notes.txt", "mine");
  write_file(results() + "/runs/foreign/gate.json", "{}");
  const auto pruned = history({"prune", "--keep-last", "1"});
  EXPECT_EQ(pruned.exit, 4);
  EXPECT_EQ(pruned.out, "1 of 3 gates are gone\n");
  EXPECT_THAT(pruned.err, AllOf(HasSubstr("1 damaged line was skipped: 4"),
                                HasSubstr(before[0] + ": could not be removed: Directory not "
                                                      "empty; the gate stays in the history")));
  EXPECT_THAT(ids(), ElementsAre(before[0], before[2]));
  EXPECT_TRUE(fs::exists(results() + "/runs/" + before[0] + "/gate.json"));
  EXPECT_FALSE(fs::exists(results() + "/runs/" + before[1]));
  EXPECT_TRUE(fs::exists(results() + "/runs/foreign/gate.json"));
  EXPECT_THAT(read_file(history_file()), testing::EndsWith("\"torn\n"));
}

TEST_F(HistoryCommand, AnUnusableFolderIsKnownBeforeScoring) {
  write_file(directory_ / "file", "in the way");
  const std::string phases = ABGATE_SOURCE_DIR "/tests/data/phases/";
  const auto run = abgate({"score", "--workload", gptoss, "--baseline", phases + "gptoss-baseline",
                           "--candidate", phases + "gptoss-candidate-ok", "--results-dir",
                           directory_ / "file/results"});
  EXPECT_EQ(run.exit, 4) << run.describe();
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("Not a directory"));
}

TEST_F(HistoryCommand, AFullDiskLeavesTheOldLinesAndTheVerdictOnStderr) {
  fs::create_directory(results());
  const std::string old(200 * 1024, '\n');
  write_file(history_file(), old);
  const std::string phases = ABGATE_SOURCE_DIR "/tests/data/phases/";
  // A file may not grow beyond 200 KiB; the record is smaller, the history is full.
  const auto run =
      run_program({"/bin/bash", "-c", "ulimit -f 200; exec \"$@\"", "bash", abgate_binary(),
                   "score", "--workload", gptoss, "--baseline", phases + "gptoss-baseline",
                   "--candidate", phases + "gptoss-candidate-ok", "--results-dir", results()});
  EXPECT_EQ(run.exit, 4) << run.describe();
  EXPECT_THAT(run.err, HasSubstr("history.jsonl: could not be written: File too large"));
  EXPECT_THAT(run.err, HasSubstr("abgate: PASS (exit code 0), not everything could be written"));
  EXPECT_EQ(read_file(history_file()), old);
}

TEST_F(HistoryCommand, AFolderThatVanishesDuringTheGateIsNotMadeAgain) {
  const std::string engine = directory_ / "engine";
  write_file(engine, "#!/bin/sh\nrm -rf '" + results() + "'\nexec '" + standin_binary().string() +
                         "' \"$@\"\n");
  fs::permissions(engine, fs::perms::owner_all);
  const auto run =
      run_gate(directory_ / "work",
               {"--cluster", "local", "--engine", engine, "--results-dir", results()}, {});
  EXPECT_NE(run.program.exit, 0) << run.describe();
  EXPECT_THAT(run.program.err, HasSubstr("results/runs: could not be created: No such file"));
  EXPECT_THAT(run.program.err, HasSubstr("not everything could be written"));
  EXPECT_FALSE(fs::exists(results()));
  EXPECT_FALSE(run.record.is_null());
}

}  // namespace
}  // namespace abgate::test
