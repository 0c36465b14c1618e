// Output folders that fail (LESSONS 29): with the built binary, on a small file system of its own.
#include <gmock/gmock.h>
#include <unistd.h>

#include "support/changed_phases.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Folders : public testing::Test {
 protected:
  std::filesystem::path disk() const { return directory_ / "disk"; }
  std::vector<std::string> gate(const std::filesystem::path& work,
                                std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"--cluster", "local", "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return standin_arguments(work, all);
  }
  /// Runs a script in a mount namespace of its own, where `disk()` is a file system of that size.
  /// The script finds the gate's command in "$@" and leaves what is to be looked at in `kept`.
  ProgramResult on_small_disk(const std::string& options, const std::string& script,
                              const std::vector<std::string>& command) const {
    std::filesystem::create_directories(disk());
    std::filesystem::create_directories(directory_ / "kept");
    std::vector<std::string> argv{"unshare", "--mount"};
    if (::geteuid() != 0) argv.push_back("--map-root-user");
    const std::string whole = "disk=$1 kept=$2; shift 2; mount -t tmpfs -o " + options +
                              " tmpfs $disk || exit 99; " + script;
    for (const std::string& word :
         std::vector<std::string>{"sh", "-c", whole, "sh", disk(), directory_ / "kept"}) {
      argv.push_back(word);
    }
    argv.insert(argv.end(), command.begin(), command.end());
    return run_program(argv, {}, "/", std::chrono::seconds(60));
  }
  TempDir directory_;
};

TEST_F(Folders, ADiskThatThePhasesFillStillTakesTheRecord) {
  const auto run = on_small_disk(
      "size=2m",
      "\"$@\"; code=$?; cp $disk/work/gate.json $disk/work/summary.txt $kept; exit $code",
      gate(disk() / "work", {"--baseline-env", "ABGATE_STANDIN_FAULT=spam:40000"}));
  EXPECT_EQ(run.exit, 4) << run.describe();
  const Json record = read_record(directory_ / "kept");
  ASSERT_TRUE(record.is_object()) << run.describe();
  EXPECT_EQ(record.find("verdict")->as_string(), "INFRA");
  EXPECT_THAT(read_file(directory_ / "kept/gate.json"), HasSubstr("No space left on device"));
  EXPECT_THAT(read_file(directory_ / "kept/summary.txt"), HasSubstr("INFRA"));
}

TEST_F(Folders, AVerdictThatNoFileTakesStandsOnStderrAndIsNoSuccess) {
  // The history's disk is full by the end; the gate's own is not.
  const auto run = on_small_disk(
      "size=64k",
      "mkdir -p $disk/results/runs; echo '{\"old\": 1}' > $disk/results/history.jsonl; "
      "(sleep 1; head -c 1000000 /dev/zero >$disk/filler) 2>/dev/null & "
      "\"$@\"; code=$?; cp $disk/results/history.jsonl $kept; exit $code",
      gate(directory_ / "work", {"--results-dir", disk() / "results", "--max-drop", "0.4"}));
  EXPECT_NE(run.exit, 0) << run.describe();
  EXPECT_THAT(run.err, HasSubstr("not everything could be written"));
  EXPECT_THAT(run.err, HasSubstr("exit code"));
  // Nothing old was damaged, and no half line was left.
  const std::string history = read_file(directory_ / "kept/history.jsonl");
  EXPECT_THAT(history, testing::StartsWith("{\"old\": 1}\n"));
  EXPECT_EQ(history.back(), '\n');
}

TEST_F(Folders, AReadOnlyFolderIsKnownBeforeAnythingStarts) {
  for (const char* option : {"--work-dir", "--results-dir"}) {
    const auto run = on_small_disk("ro,size=64k", "exec \"$@\"",
                                   std::string(option) == "--work-dir"
                                       ? gate(disk() / "work")
                                       : gate(directory_ / option, {option, disk() / "results"}));
    EXPECT_EQ(run.exit, 4) << run.describe();
    EXPECT_THAT(run.err, HasSubstr("Read-only file system"));
    EXPECT_THAT(run.err, HasSubstr("nothing was run"));
  }
}

TEST_F(Folders, AWorkDirectoryThatVanishesLeavesTheVerdictOnStderr) {
  write_file(directory_ / "engine",
             "#!/bin/sh\n[ \"$1\" = --version ] && exec echo stand-in\nrm -rf " +
                 (directory_ / "work").string() + "\n");
  std::filesystem::permissions(directory_ / "engine", std::filesystem::perms::owner_all);
  const auto run = run_program(gate(directory_ / "work", {"--engine", directory_ / "engine"}));
  EXPECT_THAT(run.exit, testing::AnyOf(3, 4)) << run.describe();
  EXPECT_THAT(run.err, HasSubstr("not everything could be written"));
  EXPECT_THAT(run.out, Not(HasSubstr("PASS")));
}

TEST_F(Folders, TooFewDescriptorsAreNeverAPass) {
  for (const int limit : {3, 5, 7, 9, 11}) {
    std::vector<std::string> argv{"sh", "-c",
                                  "ulimit -n " + std::to_string(limit) + "; exec \"$@\"", "sh"};
    const auto work = directory_ / ("work" + std::to_string(limit));
    // A candidate half as fast: whatever is measured, PASS would be a lie.
    for (const auto& argument :
         gate(work, {"--candidate-env", "ABGATE_STANDIN_SLOWDOWN=2", "--nodes", "1"})) {
      argv.push_back(argument);
    }
    const auto run = run_program(argv);
    EXPECT_NE(run.exit, 0) << limit << run.describe();
    EXPECT_EQ(run.signal, 0) << limit << run.describe();
    EXPECT_FALSE(run.out.empty() && run.err.empty()) << limit;
  }
}

}  // namespace
}  // namespace abgate::test
