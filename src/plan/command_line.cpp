#include <abgate/base/duration.hpp>
#include <abgate/plan/plan.hpp>

namespace abgate::plan {
namespace {

void add_option(std::vector<std::string>& argv, const std::string& option,
                const std::string& value) {
  if (!value.empty()) argv.push_back(option + "=" + value);
}

}  // namespace

std::vector<std::string> salloc_argv(const GateConfig& config, const std::string& job_name) {
  if (config.launcher != Launcher::slurm || config.use_allocation) return {};
  const Cluster& cluster = config.cluster;
  std::vector<std::string> argv = {"salloc"};
  add_option(argv, "--job-name", job_name);
  add_option(argv, "--nodes", std::to_string(config.nodes));
  add_option(argv, "--partition", cluster.partition);
  add_option(argv, "--qos", cluster.qos);
  add_option(argv, "--account", cluster.account);
  add_option(argv, "--reservation", cluster.reservation);
  add_option(argv, "--nodelist", config.nodelist);
  add_option(argv, "--exclude", config.exclude);
  add_option(argv, "--time", duration::to_slurm(config.workload.time_limit));
  if (cluster.exclusive) argv.emplace_back("--exclusive");
  if (!cluster.gres.empty()) argv.push_back(cluster.gres);
  // Without it salloc lets its command run on when the allocation is lost (FORMATS 6). A task
  // count is left out: madengine gives srun its own, and salloc would export one beside it.
  argv.emplace_back("--kill-command=TERM");
  argv.emplace_back("--no-bell");
  argv.insert(argv.end(), cluster.extra_salloc_args.begin(), cluster.extra_salloc_args.end());
  return argv;
}

std::vector<std::string> engine_argv(const GateConfig& config) {
  // --live-output is no ornament: without it madengine gives a docker pull 60 seconds (FORMATS 2).
  return {config.engine.empty() ? "madengine" : config.engine,
          "run",
          "-m",
          "manifest.json",
          "-o",
          "perf.csv",
          "--live-output",
          "--verbose"};
}

}  // namespace abgate::plan
