#include <fmt/format.h>

#include <abgate/io/files.hpp>
#include <abgate/process/process.hpp>
#include <abgate/runner/workspace.hpp>

namespace abgate::runner {
namespace {

std::string variable(const Environment& environment, std::string_view key) {
  const std::string* value = find_variable(environment, key);
  return value != nullptr ? *value : "";
}

void check_work_dir(const GateConfig& config, WorkDir state, std::vector<Obstacle>& obstacles) {
  if (state == WorkDir::new_or_empty && !io::is_new_or_empty(config.work_dir)) {
    obstacles.push_back(
        {false, fmt::format("the work directory {} is not empty: results that lie there could be "
                            "taken for new ones; give a new --work-dir",
                            config.work_dir)});
    return;
  }
  for (const std::string& folder : {config.work_dir, config.results_dir}) {
    if (folder.empty()) continue;
    auto made = io::make_directories(folder);
    if (made) made = io::probe_writable(folder);
    if (!made) obstacles.push_back({true, io::format(made.error())});
  }
}

void check_scripts(const GateConfig& config, std::vector<Obstacle>& obstacles) {
  if (config.scripts_dir.empty()) {
    obstacles.push_back({false,
                         "no run scripts: give --scripts DIR, the scripts/ folder of a MAD "
                         "checkout"});
    return;
  }
  // The workload names its script as the engine sees it, below the phase directory.
  std::string inside = config.workload.scripts;
  constexpr std::string_view prefix = "scripts/";
  if (inside.starts_with(prefix)) inside.erase(0, prefix.size());
  const std::string path = config.scripts_dir + "/" + inside;
  if (!io::exists(path)) {
    obstacles.push_back(
        {false, fmt::format("the workload's run script {} does not exist; --scripts must name the "
                            "scripts/ folder of a MAD checkout",
                            path)});
  }
}

void check_programs(const GatePlan& plan, const Environment& environment,
                    std::vector<Obstacle>& obstacles) {
  const std::string path = variable(environment, "PATH");
  if (!process::find_program(plan.config.engine, path)) {
    obstacles.push_back(
        {false, fmt::format("the engine \"{}\" is no executable file and not on PATH; give "
                            "--engine PATH",
                            plan.config.engine)});
  }
  if (plan.config.launcher != Launcher::slurm) return;
  for (const char* program : {"salloc", "srun", "scancel"}) {
    if (!process::find_program(program, path)) {
      obstacles.push_back({true, fmt::format("Slurm's command {} is not on PATH", program)});
    }
  }
}

void check_library(const GateConfig& config, std::vector<Obstacle>& obstacles) {
  if (!config.candidate.library.empty() && !io::exists(config.candidate.library)) {
    obstacles.push_back(
        {false, fmt::format("the candidate library {} does not exist", config.candidate.library)});
  }
}

void check_allocation(const GateConfig& config, const Environment& environment,
                      std::vector<Obstacle>& obstacles) {
  if (config.launcher != Launcher::slurm) return;
  const std::string job = variable(environment, "SLURM_JOB_ID");
  if (!job.empty() && !config.use_allocation) {
    obstacles.push_back(
        {false, fmt::format("this shell stands in Slurm job {}: give --use-allocation to run "
                            "inside it, or start from outside",
                            job)});
  }
  if (job.empty() && config.use_allocation) {
    obstacles.push_back({false,
                         "--use-allocation was given, but SLURM_JOB_ID is not set: this "
                         "shell stands in no allocation"});
  }
}

}  // namespace

std::vector<Obstacle> preflight(const GatePlan& plan, const Environment& environment,
                                WorkDir work_dir) {
  std::vector<Obstacle> obstacles;
  check_allocation(plan.config, environment, obstacles);
  check_scripts(plan.config, obstacles);
  check_programs(plan, environment, obstacles);
  check_library(plan.config, obstacles);
  check_work_dir(plan.config, work_dir, obstacles);
  return obstacles;
}

Status<std::string> prepare_workspace(const GatePlan& plan, const std::string& work_dir,
                                      ArtifactStore& store) {
  // Images that only exist on this host go to the nodes through this folder (FORMATS 1).
  if (plan.config.cluster.docker_builds.empty()) {
    if (auto made = store.make_directories(work_dir + "/docker_builds"); !made) return made;
  }
  for (const PhasePlan& phase : plan.phases) {
    const std::string directory = work_dir + "/" + phase.directory;
    if (auto made = store.make_directories(directory); !made) return made;
    if (auto written = store.write(directory + "/manifest.json", phase.manifest); !written) {
      return written;
    }
    if (auto copied = store.copy_tree(plan.config.scripts_dir, directory + "/scripts"); !copied) {
      return copied;
    }
  }
  return {};
}

}  // namespace abgate::runner
