// The fixture itself: what the gate tests stand on.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>

#include <sys/stat.h>
#include <unistd.h>

#include "cluster/slurm_cluster.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

using std::chrono::seconds;

constexpr auto script = ABGATE_SOURCE_DIR "/tests/cluster/private-slurm";

// Processes that carry the configuration of this cluster, whoever started them.
std::vector<pid_t> processes_with(const std::string& entry) {
  std::vector<pid_t> pids;
  for (const auto& folder : std::filesystem::directory_iterator("/proc")) {
    const auto name = folder.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(folder.path() / "environ", std::ios::binary);
    for (std::string one; std::getline(file, one, '\0');) {
      if (one == entry) pids.push_back(static_cast<pid_t>(std::stol(name)));
    }
  }
  return pids;
}

// What they are, for the message of a failing assertion.
std::string names_of(const std::vector<pid_t>& pids) {
  std::string text;
  for (const auto pid : pids) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
    for (std::string word; std::getline(file, word, '\0');)
      text += word + ' ';
    text += '\n';
  }
  return text;
}

bool any_lives(const std::vector<pid_t>& pids) {
  return std::any_of(pids.begin(), pids.end(), process_lives);
}

std::set<std::string> set_of_lines(const std::string& text) {
  const auto lines = lines_of(text);
  return {lines.begin(), lines.end()};
}

TEST(Cluster, FourNodesAreIdle) {
  const auto& cluster = SlurmCluster::shared();
  EXPECT_TRUE(cluster.becomes_idle());
  const auto nodes = cluster.run({"sinfo", "-h", "-N", "-p", "meta64", "-o", "%N %T %G"});
  EXPECT_EQ(nodes.out,
            "mi355x-0 idle gpu:8\nmi355x-1 idle gpu:8\nmi355x-2 idle gpu:8\nmi355x-3 idle gpu:8\n")
      << nodes.describe();
}

TEST(Cluster, AStepRunsOnTwoNodes) {
  const auto run =
      SlurmCluster::shared().run({"salloc", "-N2", "srun", "bash", "-c", "echo $SLURMD_NODENAME"});
  EXPECT_EQ(run.exit, 0) << run.describe();
  const auto nodes = set_of_lines(run.out);
  EXPECT_EQ(nodes.size(), 2U) << run.describe();
  for (const auto& node : nodes)
    EXPECT_EQ(node.rfind("mi355x-", 0), 0U) << node;
}

TEST(Cluster, PartitionsRefuseAndKeepWaiting) {
  const auto& cluster = SlurmCluster::shared();
  EXPECT_EQ(cluster.run({"salloc", "-p", "nope", "true"}).exit, 1);
  const auto too_many = cluster.run({"salloc", "-p", "small", "-N2", "true"});
  EXPECT_EQ(too_many.exit, 1) << too_many.describe();

  RunningProgram waiting({{"salloc", "-p", "down", "-N1", "true"}, cluster.environment(), {}});
  EXPECT_TRUE(waiting.wait_for_output("queued and waiting for resources", seconds(10)));
  ASSERT_EQ(cluster.jobs().size(), 1U);
  cluster.run({"scancel", cluster.jobs().front()});
  EXPECT_EQ(waiting.wait(seconds(10)).exit, 1);
  EXPECT_TRUE(cluster.becomes_idle());
}

TEST(Cluster, StopLeavesNothingWhateverRuns) {
  SlurmCluster cluster(2);
  const auto conf = cluster.environment().back();
  ASSERT_EQ(conf.rfind("SLURM_CONF=", 0), 0U);
  auto pids = cluster.daemons();
  ASSERT_EQ(pids.size(), 5U) << "munged, slurmctld, two slurmd, the watcher";
  RunningProgram stubborn(
      {{"salloc", "-N2", "srun", "bash", "-c", "trap '' TERM; echo up; while :; do sleep 1; done"},
       cluster.environment(),
       {}});
  ASSERT_TRUE(stubborn.wait_for_output("up\nup", seconds(20)));
  const auto job_processes = processes_with(conf);
  EXPECT_GE(job_processes.size(), 4U);
  pids.insert(pids.end(), job_processes.begin(), job_processes.end());

  cluster.stop();

  EXPECT_TRUE(eventually([&] { return !any_lives(pids); }, seconds(5)));
  EXPECT_TRUE(eventually([&] { return processes_with(conf).empty(); }, seconds(5)))
      << names_of(processes_with(conf));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cluster.directory())) {
    EXPECT_FALSE(entry.is_socket()) << entry.path();
  }
}

// A test program that is killed can't call stop.
TEST(Cluster, EndsWithTheProcessThatItWatches) {
  const TempDir directory;
  RunningProgram watched({{"sleep", "600"}, {}, {}});
  const auto started = run_program({"bash", script, "start", directory / "c", "--nodes", "1",
                                    "--watch", std::to_string(watched.pid())});
  ASSERT_EQ(started.exit, 0) << started.describe();
  std::vector<pid_t> pids;
  for (const auto& line : lines_of(read_file(directory / "c" / "run" / "pids"))) {
    pids.push_back(static_cast<pid_t>(std::stol(line)));
  }
  ASSERT_EQ(pids.size(), 4U);
  EXPECT_TRUE(std::all_of(pids.begin(), pids.end(), process_lives));

  watched.send_signal(SIGKILL);
  watched.wait(seconds(5));

  EXPECT_TRUE(eventually([&] { return !any_lives(pids); }, seconds(10)));
}

// As an ordinary user, and in a folder whose path is longer than a socket's may be.
TEST(Cluster, StartsForAnOrdinaryUserInALongPath) {
  const TempDir directory;
  const auto folder = directory / std::string(60, 'l');
  std::filesystem::create_directory(folder);
  // The tree of the sources may lie where the user can't read.
  const auto copy = directory / "private-slurm";
  std::filesystem::copy_file(script, copy);
  std::vector<std::string> user;
  if (::geteuid() == 0) {
    user = {"setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"};
    std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(folder, std::filesystem::perms(0777));
  }
  const auto as_user = [&](std::vector<std::string> argv,
                           const std::vector<std::string>& environment) {
    argv.insert(argv.begin(), user.begin(), user.end());
    return run_program(argv, environment, "/");
  };
  const auto cluster = (folder / "c").string();
  const auto started =
      as_user({"bash", copy, "start", cluster, "--watch", std::to_string(::getpid())}, {});
  ASSERT_EQ(started.exit, 0) << started.describe();
  auto environment = SlurmCluster::shared().environment();
  environment.push_back(lines_of(as_user({"bash", copy, "env", cluster}, {}).out).at(0));
  const auto step =
      as_user({"salloc", "-N4", "srun", "bash", "-c", "echo $SLURMD_NODENAME"}, environment);
  EXPECT_EQ(set_of_lines(step.out).size(), 4U) << step.describe();
  const auto stopped = as_user({"bash", copy, "stop", cluster}, {});
  EXPECT_EQ(stopped.exit, 0) << stopped.describe();
  EXPECT_TRUE(processes_with(environment.back()).empty())
      << names_of(processes_with(environment.back()));
}

TEST(Cluster, SaysWhatIsNotInstalled) {
  const TempDir directory;
  const TempDir tools;
  for (const auto* tool : {"bash", "dirname", "basename", "readlink", "mkdir"}) {
    const auto found = run_program({"bash", "-c", std::string("command -v ") + tool});
    std::filesystem::create_symlink(lines_of(found.out).at(0), tools / tool);
  }
  // The script adds the folders of system programs itself; a copy without that line has none.
  auto text = read_file(script);
  const auto place = text.find(" PATH=\"$PATH:/usr/sbin:/sbin\"");
  ASSERT_NE(place, std::string::npos);
  text.erase(place, std::string_view(" PATH=\"$PATH:/usr/sbin:/sbin\"").size());
  write_file(tools / "private-slurm", text);
  const auto run = run_program({tools / "bash", tools / "private-slurm", "start", directory / "c"},
                               {"PATH=" + tools.path().string()});
  EXPECT_EQ(run.exit, 1);
  EXPECT_NE(run.err.find("not installed: munged slurmctld slurmd salloc"), std::string::npos)
      << run.describe();
}

}  // namespace
}  // namespace abgate::test
