// What a cluster does to a gate (issue 4): each way of losing the nodes is told from the others,
// every way of being stopped gives them back, and nothing is left behind.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include <gmock/gmock.h>

#include "cluster/slurm_cluster.hpp"
#include "support/files.hpp"
#include "support/gate.hpp"

namespace abgate::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto cluster_file = ABGATE_SOURCE_DIR "/tests/data/cluster/test-slurm.json";

/// `pid program` of every process whose command line, folder or environment names that path.
std::vector<std::string> processes_of(const std::filesystem::path& path) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string pid = entry.path().filename();
    if (!std::all_of(pid.begin(), pid.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
    if (std::stoi(pid) == ::getpid() || !process_lives(std::stoi(pid))) continue;
    std::string text;
    for (const char* file : {"cmdline", "environ"}) {
      std::ifstream in(entry.path() / file);
      text.append(std::istreambuf_iterator<char>(in), {});
    }
    std::error_code gone;
    text += std::filesystem::read_symlink(entry.path() / "cwd", gone).string();
    if (text.find(path.string()) == std::string::npos) continue;
    std::ifstream in(entry.path() / "comm");
    std::string name;
    std::getline(in, name);
    found.push_back(pid + " " + name);
  }
  return found;
}

/// A gate whose first phase hangs after three iterations.
class Survive : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_TRUE(SlurmCluster::shared().becomes_idle(seconds(30)));
    EXPECT_THAT(processes_of(directory_.path()), IsEmpty());
  }

  std::filesystem::path work() const { return directory_ / "work"; }
  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"--cluster", cluster_file, "--baseline-env",
                                 "ABGATE_STANDIN_FAULT=hang"};
    all.insert(all.end(), more.begin(), more.end());
    return standin_arguments(work(), all);
  }
  /// Starts it, under another program where `before` says so, and waits for the hang.
  void start(const std::vector<std::string>& more = {},
             const std::vector<std::string>& before = {}) {
    std::vector<std::string> argv = before;
    for (const auto& argument : arguments(more))
      argv.push_back(argument);
    running_.emplace(Command{argv, SlurmCluster::shared().environment(), {}});
    ASSERT_TRUE(eventually([&] { return hangs(); }, seconds(30))) << running_->err();
  }
  bool hangs() const {
    const auto output = work() / "phases/1-baseline/slurm_output";
    if (!std::filesystem::exists(output)) return false;
    for (const auto& entry : std::filesystem::directory_iterator(output)) {
      const std::string name = entry.path().filename();
      if (name.ends_with("node_1.out") &&
          read_file(entry.path()).find("iteration        3/") != std::string::npos) {
        return true;
      }
    }
    return false;
  }
  GateRun end(milliseconds timeout = seconds(20)) {
    GateRun run;
    run.work_dir = work();
    run.program = running_->wait(timeout);
    run.record = read_record(work());
    return run;
  }
  std::string job() const {
    const auto allocation = parse_json(read_file(work() / "allocation.json"), "allocation.json");
    return allocation ? allocation->find("job_id")->as_string() : "";
  }
  static std::string slurm(const std::vector<std::string>& argv) {
    return SlurmCluster::shared().run(argv).out;
  }
  /// The process of abgate that runs that subcommand; 0 when there is none.
  pid_t abgate_process(const std::string& subcommand) const {
    for (const auto& process : processes_of(work())) {
      const pid_t pid = std::stoi(process);
      const std::string line = read_file("/proc/" + std::to_string(pid) + "/cmdline");
      const std::string word = '\0' + subcommand + '\0';
      if (process.ends_with(" abgate") && line.find(word) != std::string::npos) return pid;
    }
    return 0;
  }
  pid_t salloc() const {
    for (const auto& process : processes_of(work())) {
      if (process.ends_with(" salloc")) return std::stoi(process);
    }
    return 0;
  }

  TempDir directory_;
  std::optional<RunningProgram> running_;
};

TEST_F(Survive, AnAllocationThatSomebodyCancelsIsInfra) {
  start();
  slurm({"scancel", job()});
  const auto run = end();
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_EQ(run.verdict(), "INFRA");
  EXPECT_THAT(run.reason_text("allocation-lost", "message"), HasSubstr("CANCELLED"));
  // How far it came is told although its numbers do not count.
  EXPECT_THAT(run.reason_text("leg-missing", "message"), HasSubstr("stops at iteration 3 of"));
}

TEST_F(Survive, AFailedNodeIsNamed) {
  start();
  slurm({"scontrol", "update", "nodename=mi355x-1", "state=down", "reason=test"});
  const auto run = end();
  slurm({"scontrol", "update", "nodename=mi355x-1", "state=resume"});
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_THAT(run.reason_text("allocation-node-failed", "message"), HasSubstr("mi355x-1"));
}

TEST_F(Survive, PreemptionIsToldFromOtherLosses) {
  start({"--partition", "low"});
  RunningProgram winner({{"salloc", "--partition=high", "--nodes=4", "--exclusive", "true"},
                         SlurmCluster::shared().environment(),
                         {}});
  const auto run = end();
  winner.wait(seconds(20));
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_TRUE(run.has_reason("allocation-preempted")) << run.describe();
}

TEST_F(Survive, AKilledSallocLeavesNoAllocation) {
  start();
  ASSERT_GT(salloc(), 0);
  ::kill(salloc(), SIGKILL);
  const auto run = end();
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_THAT(run.reason_text("allocation-lost", "message"), HasSubstr("salloc was killed"));
}

TEST_F(Survive, AKilledInnerProcessIsInfraWhateverSallocReturns) {
  start();
  ASSERT_GT(abgate_process("inner"), 0);
  ::kill(abgate_process("inner"), SIGKILL);
  const auto run = end();
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_EQ(run.verdict(), "INFRA");
}

TEST_F(Survive, APhaseThatDoesNotMoveIsEndedLongBeforeItsBudget) {
  start({"--progress-timeout", "4s"});
  const auto run = end(seconds(60));
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_THAT(run.reason_text("no-progress", "message"),
              HasSubstr("last seen: BF16 iteration 3/12, no progress for"));
  EXPECT_EQ(run.reason_text("no-progress", "side"), "baseline");
  EXPECT_EQ(run.record.find("phases")->items().at(1).find("state")->as_string(), "done");
}

TEST_F(Survive, AQueueThatNeverMovesSaysWhyAndCancelsItsJob) {
  running_.emplace(Command{arguments({"--partition", "down", "--queue-timeout", "2s"}),
                           SlurmCluster::shared().environment(),
                           {}});
  const auto run = end();
  EXPECT_EQ(run.program.exit, 4) << run.describe();
  EXPECT_THAT(run.reason_text("queue-budget", "message"), HasSubstr("reason PartitionDown"));
}

TEST_F(Survive, AControllerThatIsAwayForAWhileCostsNothing) {
  // Its own cluster: the others' tests need theirs. It is away while the phases change.
  SlurmCluster cluster(2);
  const auto pids = cluster.daemons();
  const auto controller = std::find_if(pids.begin(), pids.end(), [](pid_t pid) {
    return read_file("/proc/" + std::to_string(pid) + "/comm") == "slurmctld\n";
  });
  ASSERT_NE(controller, pids.end());
  GateRun run;
  run.work_dir = work();
  running_.emplace(
      Command{standin_arguments(work(), {"--cluster", cluster_file, "--max-drop", "0.3"}),
              cluster.environment(),
              {}});
  ASSERT_TRUE(running_->wait_for_output("BF16 started", seconds(30))) << running_->err();
  ::kill(*controller, SIGSTOP);
  std::this_thread::sleep_for(seconds(6));
  ::kill(*controller, SIGCONT);
  run = end(seconds(120));
  // Whatever the noise of this host says of the numbers, no reason comes from the cluster.
  EXPECT_EQ(run.record.find("step")->as_string(), "finished") << run.describe();
  EXPECT_THAT(run.codes(), testing::Each(testing::AnyOf("contaminated", "mean-median-apart",
                                                        "results-identical")))
      << run.describe();
}

TEST_F(Survive, OnlyTheEnginesOwnSecondJobIsCancelled) {
  // With that one there is no room for the second job, so the engine gives up waiting for it.
  auto foreign = SlurmCluster::shared().run({"sbatch", "--parsable", "--exclusive", "--nodes=1",
                                             "--wrap", "sleep 60", "--output=/dev/null"},
                                            "/tmp");
  foreign.out.pop_back();
  running_.emplace(Command{standin_arguments(work(), {"--cluster", cluster_file, "--candidate-env",
                                                      "ABGATE_STANDIN_FAULT=second-job:3"}),
                           SlurmCluster::shared().environment(),
                           {}});
  const auto run = end(seconds(60));
  EXPECT_EQ(run.program.exit, 3) << run.describe();
  EXPECT_TRUE(run.has_reason("engine-submitted-own-job"));
  EXPECT_THAT(run.program.err, HasSubstr("which the engine had submitted"));
  EXPECT_THAT(SlurmCluster::shared().jobs(), testing::ElementsAre(foreign.out));
  slurm({"scancel", foreign.out});
}

struct Stop {
  const char* name;
  int signal;
  std::vector<std::string> before;  ///< what starts the gate
  bool group = false;               ///< to the whole group, as a terminal does it
};

class Stopped : public Survive, public testing::WithParamInterface<Stop> {};

/// FORMATS 7: within seven seconds everything is gone and the record says how far it came.
TEST_P(Stopped, GivesEverythingBackAndSaysHowFarItCame) {
  const Stop& stop = GetParam();
  start({}, stop.before);
  if (stop.group) {
    running_->send_group_signal(stop.signal);
  } else {
    ::kill(abgate_process("run"), stop.signal);
  }
  // A second one, of another kind, changes nothing.
  std::this_thread::sleep_for(milliseconds(20));
  if (const pid_t pid = abgate_process("run"); pid > 0) {
    ::kill(pid, stop.signal == SIGTERM ? SIGINT : SIGTERM);
  }
  const auto run = end();
  EXPECT_EQ(run.program.exit, 128 + stop.signal) << run.describe();
  EXPECT_LT(run.program.elapsed, seconds(37)) << "start of at most 30 s and 7 s";
  EXPECT_TRUE(SlurmCluster::shared().becomes_idle(seconds(7)));
  EXPECT_EQ(run.record.find("signal")->as_integer(), stop.signal);
  EXPECT_EQ(run.record.find("step")->as_string(), "phase 1");
  EXPECT_THAT(run.reason_text("stopped-by-signal", "message"), HasSubstr("phase 1"));
}

INSTANTIATE_TEST_SUITE_P(
    All, Stopped,
    testing::Values(
        Stop{"Term", SIGTERM, {}}, Stop{"Int", SIGINT, {}}, Stop{"Hup", SIGHUP, {}},
        Stop{"GroupInt", SIGINT, {}, true}, Stop{"UnderNohup", SIGTERM, {"nohup"}},
        Stop{"UnderSetsid", SIGTERM, {"setsid", "--wait"}},
        Stop{"ClosedOutput", SIGTERM, {"sh", "-c", "exec \"$@\" >&- 2>&-", "sh"}},
        Stop{"NobodyReads", SIGTERM, {"sh", "-c", "exec \"$@\" >/dev/full 2>&1", "sh"}},
        Stop{"InBackgroundWithIntIgnored", SIGINT, {"sh", "-c", "trap '' INT; exec \"$@\"", "sh"}}),
    [](const auto& tested) { return tested.param.name; });

/// A gate that was stopped in its first phase.
class Resume : public Survive {
 protected:
  void stop_in_the_first_phase() {
    start();
    ::kill(abgate_process("run"), SIGTERM);
    first_ = end();
    ASSERT_EQ(first_.program.exit, 128 + SIGTERM) << first_.describe();
    // The record names the fault; what was planned is kept, so the next attempt would hang again.
    std::string record = read_file(work() / "gate.json");
    const std::size_t at = record.find("\"hang\"");
    ASSERT_NE(at, std::string::npos);
    write_file(work() / "gate.json", record.replace(at, 6, "\"spam:1\""));
  }
  GateRun resume(std::vector<std::string> more = {}) {
    std::vector<std::string> argv{abgate_binary(), "run", "--resume", work()};
    argv.insert(argv.end(), more.begin(), more.end());
    GateRun run;
    run.work_dir = work();
    run.program = SlurmCluster::shared().run(argv, "/", seconds(120));
    run.record = read_record(work());
    return run;
  }
  GateRun first_;
};

TEST_F(Resume, RepeatsEveryPhaseOnTheSameNodes) {
  stop_in_the_first_phase();
  const std::string old_job = job();
  const auto run = resume();
  EXPECT_EQ(run.record.find("step")->as_string(), "finished") << run.describe();
  EXPECT_EQ(run.record.find("run_id")->as_string(),
            first_.record.find("run_id")->as_string() + ".2");
  EXPECT_EQ(*run.record.at({"allocation", "nodes"}), *first_.record.at({"allocation", "nodes"}));
  EXPECT_NE(run.record.at({"allocation", "job_id"})->as_string(), old_job);
  EXPECT_THAT(run.reason_text("resumed", "message"),
              testing::AllOf(HasSubstr("on the same nodes"), HasSubstr("(job " + old_job + ")"),
                             HasSubstr("by signal 15")));
  EXPECT_TRUE(std::filesystem::exists(work() / "attempts/1/gate.json"));
  EXPECT_TRUE(std::filesystem::exists(work() / "attempts/1/phases/1-baseline/engine.log"));
  // Every number is from the new allocation.
  for (const char* phase : {"1-baseline", "2-candidate"}) {
    EXPECT_THAT(read_file(work() / "phases" / phase / "phase.json"),
                HasSubstr(run.record.find("run_id")->as_string()));
  }
  const auto again = resume();
  EXPECT_EQ(again.program.exit, 2) << again.describe();
  EXPECT_THAT(again.program.err, HasSubstr("has finished; start a new one"));
}

TEST_F(Resume, TakesOtherNodesWhenOneCannotBeHad) {
  stop_in_the_first_phase();
  const std::string node = first_.record.at({"allocation", "nodes"})->items().front().as_string();
  slurm({"scontrol", "update", "nodename=" + node, "state=drain", "reason=test"});
  const auto run = resume();
  slurm({"scontrol", "update", "nodename=" + node, "state=resume"});
  EXPECT_EQ(run.record.find("step")->as_string(), "finished") << run.describe();
  EXPECT_THAT(run.reason_text("resumed", "message"),
              HasSubstr("other nodes are taken, as " + node + " can't be had"));
}

TEST_F(Resume, AGateWhosePhasesAreDoneIsOnlyScored) {
  const auto gate = run_gate(work(), {"--cluster", cluster_file, "--max-drop", "0.3"},
                             SlurmCluster::shared().environment());
  ASSERT_EQ(gate.program.exit, 0) << gate.describe();
  std::string record = read_file(gate.work_dir / "gate.json");
  const std::string finished = "\"step\": \"finished\"";
  record.replace(record.find(finished), finished.size(), "\"step\": \"phases done\"");
  write_file(gate.work_dir / "gate.json", record);
  const auto again = SlurmCluster::shared().run({abgate_binary(), "run", "--resume", gate.work_dir},
                                                "/", seconds(60));
  EXPECT_EQ(again.exit, 0) << again.describe();
  EXPECT_THAT(again.err, testing::Not(HasSubstr("slurm:")));
  const Json scored = read_record(gate.work_dir);
  EXPECT_EQ(*scored.find("legs"), *gate.record.find("legs"));
  EXPECT_EQ(*scored.find("run_id"), *gate.record.find("run_id"));
}

TEST_F(Resume, OneAbgateAtATimeInAWorkDirectory) {
  start();
  const auto run = resume();
  EXPECT_EQ(run.program.exit, 2) << run.describe();
  EXPECT_THAT(run.program.err, HasSubstr("another abgate works in"));
  running_->send_signal(SIGTERM);
  EXPECT_EQ(end().program.exit, 128 + SIGTERM);
}

TEST_F(Resume, TakesNoOptionThatWouldChangeTheGate) {
  const auto run = resume({"--max-drop", "0.4"});
  EXPECT_EQ(run.program.exit, 2) << run.describe();
  EXPECT_THAT(run.program.err, HasSubstr("--max-drop"));
}

TEST_F(Survive, TheDoctorAsksSlurmAndTheNodes) {
  const auto run = SlurmCluster::shared().run(
      {abgate_binary(), "doctor", "--workload", "demo", "--cluster", cluster_file, "--nodes", "2",
       "--engine", standin_binary(), "--scripts", ABGATE_SOURCE_DIR "/tests/data/scripts",
       "--work-dir", work(), "--nodelist", "mi355x-[2-3]"},
      "/");
  EXPECT_EQ(run.exit, 0) << run.describe();
  EXPECT_THAT(run.out, HasSubstr("partition meta64 has 4 usable nodes, a gate takes 2"));
  EXPECT_THAT(run.out, HasSubstr("mi355x-2 answers"));
  EXPECT_THAT(run.out, HasSubstr("mi355x-3 answers"));
}

/// What the engine and its steps get (LESSONS 25, FORMATS 6).
TEST_F(Survive, TheEnginesEnvironmentIsCleanAndEndsBrokenSteps) {
  write_file(directory_ / "engine",
             "#!/bin/sh\n[ \"$1\" = --version ] && exec echo stand-in\nenv; exit 3\n");
  std::filesystem::permissions(directory_ / "engine", std::filesystem::perms::owner_all);
  const auto run =
      run_gate(work(), {"--cluster", cluster_file, "--engine", directory_ / "engine"},
               SlurmCluster::shared().environment_with({"SBATCH_PARTITION=nope", "SRUN_DEBUG=3"}));
  EXPECT_EQ(run.program.exit, 3) << run.describe();
  const auto lines = lines_of(read_file(run.work_dir / "phases/1-baseline/engine.log"));
  EXPECT_THAT(lines, Contains("SLURM_KILL_BAD_EXIT=1"));
  EXPECT_THAT(lines, Contains(HasSubstr("MAD_DOCKER_BUILDS=")));
  EXPECT_THAT(lines, testing::Not(Contains(HasSubstr("SBATCH_PARTITION"))));
  EXPECT_THAT(lines, testing::Not(Contains(HasSubstr("SRUN_DEBUG"))));
}

/// SIGKILL of any one of the processes that a gate is made of, at any moment.
TEST_F(Survive, KilledAtAnyMomentLeavesNothing) {
  std::mt19937 random(20261201);  // NOLINT(cert-msc51-cpp): the same moments every time
  for (int round = 0; round < 5; ++round) {
    SCOPED_TRACE(round);
    std::filesystem::remove_all(work());
    running_.emplace(Command{standin_arguments(work(), {"--cluster", cluster_file}),
                             SlurmCluster::shared().environment(),
                             {}});
    std::this_thread::sleep_for(milliseconds(random() % 5000));
    running_->send_signal(SIGKILL);
    running_->wait(seconds(5));
    EXPECT_TRUE(SlurmCluster::shared().becomes_idle(seconds(30)));
    EXPECT_TRUE(eventually([&] { return processes_of(work()).empty(); }, seconds(10)));
  }
}

}  // namespace
}  // namespace abgate::test
