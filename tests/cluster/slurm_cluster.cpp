#include "cluster/slurm_cluster.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <unistd.h>

#include "support/files.hpp"

namespace abgate::test {
namespace {

constexpr auto script = ABGATE_SOURCE_DIR "/tests/cluster/private-slurm";

SlurmCluster* shared_cluster = nullptr;

ProgramResult run_script(const std::string& command, const std::filesystem::path& directory,
                         const std::vector<std::string>& options = {}) {
  std::vector<std::string> argv{"bash", script, command, directory};
  argv.insert(argv.end(), options.begin(), options.end());
  return run_program(argv, {}, {}, std::chrono::seconds(120));
}

// Variables of an outer Slurm would change what salloc and srun do here.
std::vector<std::string> outer_slurm_variables() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with("SLURM") || text.starts_with("SALLOC_") || text.starts_with("SBATCH_")) {
      names.emplace_back(text.substr(0, text.find('=')));
    }
  }
  return names;
}

std::string path_entry() {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): no thread sets it
  return "PATH=" + std::string(path != nullptr ? path : "/usr/bin:/bin") + ":/usr/sbin:/sbin";
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

SlurmCluster::SlurmCluster(int nodes) : environment_(outer_slurm_variables()) {
  const auto started =
      run_script("start", directory(),
                 {"--nodes", std::to_string(nodes), "--watch", std::to_string(::getpid())});
  if (started.exit != 0) {
    throw std::runtime_error("the private Slurm did not start\n" + started.describe());
  }
  running_ = true;
  environment_.push_back(path_entry());
  for (auto& entry : lines_of(run_script("env", directory()).out)) {
    environment_.push_back(std::move(entry));
  }
}

SlurmCluster::~SlurmCluster() {
  stop();
}

SlurmCluster& SlurmCluster::shared() {
  if (shared_cluster == nullptr) throw std::runtime_error("the shared Slurm does not run");
  return *shared_cluster;
}

std::vector<std::string> SlurmCluster::environment_with(
    const std::vector<std::string>& more) const {
  auto entries = environment_;
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

std::vector<pid_t> SlurmCluster::daemons() const {
  std::vector<pid_t> pids;
  for (const auto& line : lines_of(read_file(directory() / "run" / "pids"))) {
    pids.push_back(static_cast<pid_t>(std::stol(line)));
  }
  return pids;
}

ProgramResult SlurmCluster::run(const std::vector<std::string>& argv,
                                const std::filesystem::path& cwd,
                                std::chrono::milliseconds timeout) const {
  return run_program(argv, environment_, cwd, timeout);
}

std::vector<std::string> SlurmCluster::jobs() const {
  return lines_of(run({"squeue", "-h", "-o", "%A"}).out);
}

bool SlurmCluster::becomes_idle(std::chrono::milliseconds timeout) const {
  return eventually(
      [&] {
        const auto states = lines_of(run({"sinfo", "-h", "-N", "-p", "meta64", "-o", "%T"}).out);
        return jobs().empty() && !states.empty() &&
               std::all_of(states.begin(), states.end(),
                           [](const auto& state) { return state == "idle"; });
      },
      timeout);
}

void SlurmCluster::stop() {
  if (!running_) return;
  running_ = false;
  const auto stopped = run_script("stop", directory());
  if (stopped.exit != 0) ADD_FAILURE() << "private-slurm stop: " << stopped.describe();
}

ClusterEnvironment::ClusterEnvironment() = default;
ClusterEnvironment::~ClusterEnvironment() = default;

void ClusterEnvironment::SetUp() {
  try {
    cluster_ = std::make_unique<SlurmCluster>();
    shared_cluster = cluster_.get();
  } catch (const std::exception& error) {
    FAIL() << error.what();
  }
}

void ClusterEnvironment::TearDown() {
  shared_cluster = nullptr;
  cluster_.reset();
}

}  // namespace abgate::test
