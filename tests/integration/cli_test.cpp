// The built binary, without a scheduler: what a person or a script at the command line sees.
#include <algorithm>
#include <regex>

#include <gmock/gmock.h>
#include <unistd.h>

#include "support/changed_phases.hpp"
#include "support/files.hpp"
#include "support/gate.hpp"
#include "support/golden.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The run id is a time and a random number.
std::string without_run_id(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9]{8}-[0-9]{6}-[0-9a-f]{6}"), "RUN-ID");
}

TEST(Cli, HelpNamesEveryExitCode) {
  const auto help = abgate({"--help"});
  EXPECT_EQ(help.exit, 0);
  for (const char* word : {"PASS", "REGRESSION", "usage", "NO VERDICT", "INFRA", "128+N"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

TEST(Cli, UsageErrorsExitWithTwo) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {},
           {"frobnicate"},
           {"run"},
           {"run", "--workload", "demo"},
           {"plan", "--workload", "demo", "--cluster", "local", "--format", "xml"},
           {"report"},
           {"report", "/nowhere"},
           {"score", "--workload", "demo"},
           {"configs", "phases"}}) {
    const auto run = abgate(arguments);
    EXPECT_EQ(run.exit, 2) << run.describe();
    EXPECT_FALSE(run.err.empty());
  }
}

TEST(Cli, AnUnknownNameGetsTheNearestOne) {
  const auto run = abgate({"plan", "--workload", "gpt-oss-120b-trainin", "--cluster", "rubi"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr(R"(did you mean "gpt-oss-120b-training"?)"));
  EXPECT_THAT(run.err, HasSubstr(R"(did you mean "ruby"?)"));
}

TEST(Cli, ConfigsListsNamesOneALine) {
  EXPECT_EQ(abgate({"configs", "workloads"}).out,
            "demo\ngpt-oss-120b-training\nllama-3.1-70b-training\n");
  EXPECT_EQ(abgate({"configs"}).out,
            "workloads/demo\nworkloads/gpt-oss-120b-training\nworkloads/llama-3.1-70b-training\n"
            "clusters/local\nclusters/ruby\nsuites/nightly\nsuites/weekly\n");
}

TEST(Cli, ShippedConfigurationsAreValid) {
  std::vector<std::string> arguments{"validate"};
  for (const char* folder : {"workloads", "clusters", "suites"}) {
    for (const auto& entry :
         fs::directory_iterator(ABGATE_SOURCE_DIR "/configs/" + std::string(folder))) {
      arguments.push_back(entry.path());
    }
  }
  const auto run = abgate(arguments);
  EXPECT_EQ(run.exit, 0) << run.describe();
  EXPECT_EQ(run.err, "");
}

TEST(Cli, ValidateReportsEveryProblemOfEveryFileAtOnce) {
  const TempDir directory;
  write_file(directory / "a.json",
             "{\n  \"schema_version\": 1,\n  \"name\": \"x\",\n  \"model_card\": 7,\n"
             "  \"max_dorp\": 0.02\n}\n");
  write_file(directory / "b.json", "{ \"built_models\": {}, \"slurm\": {} }");
  const auto run = abgate({"validate", directory / "a.json", directory / "b.json"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("a.json:4:17: /model_card: expected a string"));
  EXPECT_THAT(run.err, HasSubstr("a.json:5:3: /max_dorp: unknown key"));
  EXPECT_THAT(run.err, HasSubstr("max_drop"));
  EXPECT_THAT(run.err, HasSubstr("b.json:1:"));
}

struct Sides {
  const char* workload;
  const char* golden;
};

class ShippedManifests : public testing::TestWithParam<Sides> {};

/// What madengine reads, byte for byte, for each shipped workload and side.
TEST_P(ShippedManifests, AreTheGoldenOnesAndValid) {
  const TempDir directory;
  const auto plan =
      abgate({"plan", "--workload", GetParam().workload, "--cluster", "ruby", "--candidate-image",
              "rocm/primus:v26.4-rccl-gfx950-e711c9e", "--out", directory.path()});
  ASSERT_EQ(plan.exit, 0) << plan.describe();
  const auto baseline = directory / "phases/1-baseline/manifest.json";
  const auto candidate = directory / "phases/2-candidate/manifest.json";
  expect_golden("cli/" + std::string(GetParam().golden) + "-baseline.json", read_file(baseline));
  expect_golden("cli/" + std::string(GetParam().golden) + "-candidate.json", read_file(candidate));
  const auto valid = abgate({"validate", baseline, candidate});
  EXPECT_EQ(valid.exit, 0) << valid.describe();
  EXPECT_EQ(valid.err, "");
  const bool knobs = read_file(baseline).find("PRIMUS_") != std::string::npos;
  EXPECT_EQ(knobs, std::string(GetParam().golden) == "gpt-oss");
}

INSTANTIATE_TEST_SUITE_P(Workloads, ShippedManifests,
                         testing::Values(Sides{"gpt-oss-120b-training", "gpt-oss"},
                                         Sides{"llama-3.1-70b-training", "llama"}),
                         [](const auto& tested) {
                           return std::string(tested.index == 0 ? "GptOss" : "Llama");
                         });

TEST(Cli, DryRunEqualsPlanAndWritesNothing) {
  const TempDir directory;
  const std::vector<std::string> options{
      "--workload",        "gpt-oss-120b-training", "--cluster",  "ruby",
      "--candidate-image", "rocm/primus:candidate", "--work-dir", directory / "work"};
  const auto plan = abgate(with({"plan"}, options));
  const auto dry = abgate(with({"run", "--dry-run"}, options));
  ASSERT_EQ(plan.exit, 0) << plan.describe();
  EXPECT_EQ(dry.exit, 0) << dry.describe();
  EXPECT_EQ(without_run_id(plan.out), without_run_id(dry.out));
  EXPECT_FALSE(fs::exists(directory / "work"));
  for (const char* part : {"salloc", "--partition=meta64", "phases/1-baseline", "ruby.json:"}) {
    EXPECT_THAT(plan.out, HasSubstr(part));
  }
  EXPECT_THAT(plan.out, Not(HasSubstr("--gpus")));
  EXPECT_THAT(plan.out, Not(HasSubstr("--gres")));
}

std::string library(const std::string& identity) {
  std::string bytes(
      "\x7f"
      "ELF\0code\0",
      10);
  bytes += "2.30.4";
  bytes += '\0';
  bytes += identity;
  bytes += '\0';
  return bytes;
}

std::vector<std::string> plan_with_library(const fs::path& file,
                                           const std::vector<std::string>& more = {}) {
  return with({"plan", "--workload", "gpt-oss-120b-training", "--cluster", "ruby",
               "--candidate-library", file},
              more);
}

TEST(Cli, ACandidateLibraryPinsTheGateToItsBuild) {
  const TempDir directory;
  write_file(directory / "librccl.so.1.0", library("develop:e711c9e"));
  const auto plan = abgate(plan_with_library(directory / "librccl.so.1.0"));
  ASSERT_EQ(plan.exit, 0) << plan.describe();
  EXPECT_THAT(plan.out, HasSubstr("2.30.4-develop:e711c9e"));
  EXPECT_THAT(plan.out, HasSubstr("sha256"));
  const auto folder = abgate(plan_with_library(directory.path()));
  EXPECT_EQ(folder.exit, 0) << folder.describe();
}

TEST(Cli, ACandidateLibraryThatTellsNoBuildOrAnotherOneIsRefused) {
  const TempDir directory;
  const auto file = directory / "librccl.so.1.0";
  write_file(file, library("nothing"));
  const auto untold = abgate(plan_with_library(file));
  EXPECT_EQ(untold.exit, 2);
  EXPECT_THAT(untold.err, HasSubstr("--candidate-rccl"));
  EXPECT_EQ(abgate(plan_with_library(file, {"--candidate-rccl", "e711c9e"})).exit, 0);
  write_file(file, library("develop:e711c9e"));
  const auto other = abgate(plan_with_library(file, {"--candidate-rccl", "0d2c4fd"}));
  EXPECT_EQ(other.exit, 2);
  EXPECT_THAT(other.err, HasSubstr("0d2c4fd"));
  write_file(file, library("develop:e711c9e") + ".rocm_kpack_ref" + std::string(1, '\0'));
  const auto kpack = abgate(plan_with_library(directory.path()));
  EXPECT_EQ(kpack.exit, 2);
  EXPECT_THAT(kpack.err, HasSubstr(".kpack"));
  write_file(directory / "rccl_gfx950.kpack", "kernels");
  EXPECT_EQ(abgate(plan_with_library(directory.path())).exit, 0);
}

struct Fixture {
  const char* workload;
  const char* baseline;
  const char* candidate;
  int exit;
  const char* code;  ///< a reason that must be among them; empty: none at all
};

class Fixtures : public testing::TestWithParam<Fixture> {};

/// What the real madengine wrote (tests/data/phases).
TEST_P(Fixtures, AreJudgedRightly) {
  const std::string phases = ABGATE_SOURCE_DIR "/tests/data/phases/";
  const auto& tested = GetParam();
  const auto run =
      abgate({"score", "--workload", tested.workload, "--cluster", "ruby", "--format", "json",
              "--baseline", phases + tested.baseline, "--candidate", phases + tested.candidate});
  EXPECT_EQ(run.exit, tested.exit) << run.describe();
  GateRun scored;
  auto record = parse_json(run.out, "score");
  ASSERT_TRUE(record);
  scored.record = std::move(*record);
  if (std::string(tested.code).empty()) {
    EXPECT_THAT(scored.codes(), IsEmpty());
  } else {
    EXPECT_THAT(scored.codes(), Contains(tested.code));
  }
}

constexpr auto llama = "llama-3.1-70b-training";
INSTANTIATE_TEST_SUITE_P(
    Madengine, Fixtures,
    testing::Values(
        Fixture{gptoss, "gptoss-baseline", "gptoss-candidate-ok", 0, ""},
        Fixture{gptoss, "gptoss-inplace/1-baseline", "gptoss-inplace/2-candidate", 0, ""},
        Fixture{llama, "llama-baseline", "llama-candidate-ok", 0, ""},
        Fixture{gptoss, "gptoss-baseline", "gptoss-candidate-slow", 1, "regression"},
        Fixture{gptoss, "gptoss-baseline", "gptoss-candidate-no-fp8", 3, "leg-missing"},
        Fixture{gptoss, "gptoss-baseline", "gptoss-candidate-stock-rccl", 3, "sides-identical"},
        Fixture{gptoss, "gptoss-baseline", "gptoss-candidate-oom-at-5", 3, "series-incomplete"},
        Fixture{gptoss, "gptoss-candidate-oom-at-5", "gptoss-candidate-ok", 3, "series-incomplete"},
        Fixture{gptoss, "gptoss-baseline", "gptoss-baseline", 3, "same-directory"},
        Fixture{gptoss, "gptoss-baseline", "llama-candidate-ok", 3, "wrong-model"},
        Fixture{llama, "gptoss-baseline", "gptoss-candidate-ok", 3, "wrong-model"}));

TEST_F(ChangedPhases, AnEnvironmentExcusesNoLibraryThatNeverLoaded) {
  take("gptoss-candidate-stock-rccl");
  change(candidate(), "manifest.json", [](const std::string& text) {
    return std::regex_replace(text, std::regex("\"NCCL_DEBUG\": \"WARN\""),
                              "\"NCCL_DEBUG\": \"INFO\"");
  });
  const auto run = score();
  EXPECT_EQ(run.program.exit, 3) << run.program.describe();
  EXPECT_THAT(run.codes(), Contains("sides-identical"));
}

TEST_F(ChangedPhases, AMissingManifestIsNoDifference) {
  take("gptoss-candidate-stock-rccl");
  fs::remove(candidate() / "manifest.json");
  const auto run = score();
  EXPECT_EQ(run.program.exit, 3) << run.program.describe();
  EXPECT_THAT(run.program.err, HasSubstr("manifest.json"));
}

TEST_F(ChangedPhases, SocketsAreSeenWithoutManifestsToo) {
  take("gptoss-candidate-ok");
  change(candidate(), ".out", add_sockets);
  fs::remove(candidate() / "manifest.json");
  fs::remove(baseline() / "manifest.json");
  EXPECT_THAT(score().codes(), Contains("transport-differs"));
  change(baseline(), ".out", add_sockets);
  const auto both = score();
  EXPECT_EQ(both.program.exit, 3) << both.program.describe();
  EXPECT_THAT(both.codes(), Contains("fabric-not-tested"));
}

TEST_F(ChangedPhases, TheWorseOfTwoErrorStreamsCounts) {
  take("gptoss-candidate-ok");
  change(candidate(), "node_1/stderr.err", [](const std::string& text) {
    return std::regex_replace(text, std::regex("exited with code 0"), "exited with code 137");
  });
  const auto run = score();
  EXPECT_EQ(run.program.exit, 3) << run.program.describe();
  EXPECT_THAT(run.codes(), Contains("node-failed"));
}

TEST_F(ChangedPhases, AnExitCodeThatIsNoneIsSaid) {
  take("gptoss-candidate-ok");
  write_file(candidate() / "exit_code", "4294967296\n");
  EXPECT_TRUE(score().has_reason("evidence-unreadable"));
}

TEST_F(ChangedPhases, ALongEngineLogIsReadInLinearTime) {
  take("gptoss-candidate-ok");
  std::string log;
  for (int i = 0; i < 200'000; ++i)
    log += "Job " + std::to_string(i) + " pending\r";
  write_file(candidate() / "engine.log", log);
  const auto run = score();
  EXPECT_EQ(run.program.exit, 0) << run.program.describe();
}

class LocalGate : public testing::Test {
 protected:
  GateRun run(const std::vector<std::string>& more,
              const std::vector<std::string>& environment = {}) {
    return run_gate(directory_ / "work", with({"--cluster", "local"}, more), environment);
  }
  TempDir directory_;
};

TEST_F(LocalGate, RunsFromWorkloadToVerdict) {
  const auto gate = run({"--candidate-env", "ABGATE_STANDIN_SLOWDOWN=1.5", "--baseline-env",
                         "ABGATE_STANDIN_FAULT=spam:3000"});
  EXPECT_EQ(gate.program.exit, 1) << gate.describe();
  EXPECT_EQ(gate.verdict(), "REGRESSION");
  const Json& logs = *gate.record.find("phases")->items().front().find("logs");
  ASSERT_FALSE(logs.is_null());
  EXPECT_GT(logs.find("lines_folded")->as_integer(), 3000);
  EXPECT_LT(logs.find("bytes_after")->as_integer(), logs.find("bytes_before")->as_integer() / 4);
  EXPECT_TRUE(logs.find("problems")->items().empty());
}

TEST_F(LocalGate, AFailedBaselineStillLetsTheCandidateRun) {
  const auto gate = run({"--baseline-env", "ABGATE_STANDIN_FAULT=exit:3", "--keep-raw-logs"});
  EXPECT_EQ(gate.program.exit, 3) << gate.describe();
  EXPECT_TRUE(gate.record.find("phases")->items().front().find("logs")->is_null());
  EXPECT_EQ(gate.reason_text("engine-failed", "side"), "baseline");
  EXPECT_TRUE(fs::exists(gate.work_dir / "phases/2-candidate/perf.csv"));
}

TEST_F(LocalGate, SecretsReachNoFileAndNoTerminal) {
  // madengine prints its environment now and then; the stand-in does it for this fault.
  const std::string token = "hf_abcdefghijklmnopqrstuvwxyz012345";
  const auto gate = run({"--quiet"}, {"HF_TOKEN=" + token, "MAD_SECRETS_HFTOKEN=" + token});
  ASSERT_FALSE(gate.record.is_null()) << gate.describe();
  for (const auto& entry : fs::recursive_directory_iterator(gate.work_dir)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_THAT(read_file(entry.path()), Not(HasSubstr(token))) << entry.path();
  }
  EXPECT_THAT(gate.program.out + gate.program.err, Not(HasSubstr(token)));
}

TEST_F(LocalGate, EngineOutputIsRedactedAsItStreams) {
  const std::string token = "hf_abcdefghijklmnopqrstuvwxyz012345";
  write_file(directory_ / "engine", "#!/bin/sh\necho \"token is $HF_TOKEN\"\nexit 1\n");
  fs::permissions(directory_ / "engine", fs::perms::owner_all);
  const auto gate = run({"--engine", directory_ / "engine"}, {"HF_TOKEN=" + token});
  EXPECT_EQ(gate.program.exit, 3) << gate.describe();
  EXPECT_EQ(read_file(gate.work_dir / "phases/1-baseline/engine.log"), "token is [redacted]\n");
}

TEST_F(LocalGate, SecretsInOptionsAreRefused) {
  const auto gate = run({"--candidate-env", "HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz012345"});
  EXPECT_EQ(gate.program.exit, 2) << gate.describe();
  EXPECT_THAT(gate.program.err, Not(HasSubstr("hf_abcdefghijklmnopqrstuvwxyz012345")));
}

TEST_F(LocalGate, ALeftoverInTheWorkDirectoryIsARefusal) {
  write_file(directory_ / "work/phases/1-baseline/perf.csv", "old");
  const auto gate = run({});
  EXPECT_EQ(gate.program.exit, 2) << gate.describe();
  EXPECT_EQ(read_file(directory_ / "work/phases/1-baseline/perf.csv"), "old");
  EXPECT_TRUE(gate.record.is_null());
}

TEST_F(LocalGate, AllObstaclesAreSaidAtOnce) {
  const auto gate = run({"--engine", "/no/such/engine", "--scripts", "/no/such/scripts"});
  EXPECT_EQ(gate.program.exit, 2) << gate.describe();
  EXPECT_THAT(gate.program.err, HasSubstr("/no/such/engine"));
  EXPECT_THAT(gate.program.err, HasSubstr("/no/such/scripts"));
  EXPECT_THAT(gate.program.err, HasSubstr("nothing was allocated"));
}

TEST_F(LocalGate, AnUnwritableResultsFolderIsKnownInTheFirstSecond) {
  write_file(directory_ / "file", "in the way");
  const auto gate = run({"--results-dir", directory_ / "file/results"});
  EXPECT_EQ(gate.program.exit, 4) << gate.describe();
  EXPECT_FALSE(fs::exists(gate.work_dir / "phases"));
}

TEST_F(LocalGate, AReportNobodyReadsIsNoPass) {
  const auto gate = run_program(
      {"/bin/sh", "-c", "exec \"$@\" > /dev/full", "sh", abgate_binary(), "score", "--workload",
       gptoss, "--baseline", ABGATE_SOURCE_DIR "/tests/data/phases/gptoss-baseline", "--candidate",
       ABGATE_SOURCE_DIR "/tests/data/phases/gptoss-candidate-ok"});
  EXPECT_EQ(gate.exit, 4) << gate.describe();
  EXPECT_THAT(gate.err, HasSubstr("PASS"));
}

TEST(Cli, ABrokenRecordIsRefused) {
  const TempDir directory;
  write_file(directory / "gate.json", "{\"schema_version\": 1, \"verdict\": ");
  const auto run = abgate({"report", directory.path()});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("gate.json:1:"));
}

class Doctor : public testing::Test {
 protected:
  ProgramResult examine(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        "doctor", "--workload", "demo", "--cluster", "local", "--work-dir", directory_ / "work"};
    return abgate(with(arguments, more));
  }
  TempDir directory_;
};

TEST_F(Doctor, WithoutAGateProvesTheJudge) {
  const auto run = abgate({"doctor"});
  EXPECT_EQ(run.exit, 0) << run.describe();
  EXPECT_THAT(run.out, HasSubstr("the judge refuses what it must"));
}

TEST_F(Doctor, AHostThatCanRunAGateIsWell) {
  const auto run =
      examine({"--engine", standin_binary(), "--scripts", ABGATE_SOURCE_DIR "/tests/data/scripts"});
  EXPECT_EQ(run.exit, 0) << run.describe();
  EXPECT_THAT(run.out, HasSubstr("is madengine 2"));
  EXPECT_THAT(run.out, HasSubstr(" 0 failed"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "work")) << "nothing is left";
}

TEST_F(Doctor, SaysEverythingThatIsMissingAtOnce) {
  const auto run = examine({"--engine", "/nowhere/madengine"});
  EXPECT_EQ(run.exit, 4) << run.describe();
  EXPECT_THAT(run.out, HasSubstr("FAILED   no run scripts"));
  EXPECT_THAT(run.out, HasSubstr("FAILED   the engine \"/nowhere/madengine\""));
  EXPECT_THAT(run.out, HasSubstr(" 2 failed"));
}

TEST_F(Doctor, AnEngineThatDoesNotStartIsFound) {
  write_file(directory_ / "engine", "#!/bin/sh\necho 'ModuleNotFoundError: typer' >&2\nexit 1\n");
  std::filesystem::permissions(directory_ / "engine", std::filesystem::perms::owner_all);
  const auto run = examine(
      {"--engine", directory_ / "engine", "--scripts", ABGATE_SOURCE_DIR "/tests/data/scripts"});
  EXPECT_EQ(run.exit, 4) << run.describe();
  EXPECT_THAT(run.out, HasSubstr("ModuleNotFoundError: typer"));
}

TEST_F(Doctor, HalfAGateIsAUsageError) {
  EXPECT_EQ(abgate({"doctor", "--workload", "demo"}).exit, 2);
}

}  // namespace
}  // namespace abgate::test
