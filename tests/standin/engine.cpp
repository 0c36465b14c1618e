#include "engine.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

#include "children.hpp"
#include "node.hpp"
#include "results.hpp"
#include "terminal.hpp"
#include "text_file.hpp"

namespace abgate::standin {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr std::int64_t second_job_seconds = 30;

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr ? value : "";
}

void say(std::string_view text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

int code(Exit exit) {
  return static_cast<int>(exit);
}

/// Refuses as madengine would. Versions differ in whether they tell the caller (FORMATS 2).
int refuse(const std::vector<std::string>& reasons, const Faults& faults) {
  for (const auto& reason : reasons)
    say(fmt::format("❌ {}\n", reason));
  if (faults.has("quiet-refusal")) {
    say(celebration);
    return 0;
  }
  say("💥 Execution failed for 1 models\n");
  return code(Exit::run_failure);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const auto line : text::split(text, '\n'))
    if (!text::trim(line).empty()) lines.emplace_back(text::trim(line));
  return lines;
}

/// Outside Slurm there is no job; the number only has to differ from run to run.
std::string invented_job() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return fmt::format("{}", 100'000 + (ms * 31 + getpid()) % 900'000);
}

/// `_<YYYYmmddHHMMSS>_<6hex>` (FORMATS 2).
std::string run_tag() {
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  return fmt::format("_{}_{:06x}", utc_now("%Y%m%d%H%M%S"),
                     static_cast<unsigned>(ticks + getpid()) & 0xffffffU);
}

/// How the nodes' work ended.
struct Outcome {
  bool failed = false;
  std::string error;
  int stop_signal = 0;
};

class Engine {
 public:
  Engine(const Arguments& arguments, const Manifest& manifest, const Settings& settings)
      : arguments_(arguments),
        manifest_(manifest),
        settings_(settings),
        slurm_job_(environment("SLURM_JOB_ID")),
        names_{manifest.output_dir, manifest.name,
               (slurm_job_.empty() ? invented_job() : slurm_job_) +
                   (settings.tagged ? run_tag() : "")} {}

  int run();

 private:
  const Arguments& arguments_;
  const Manifest& manifest_;
  const Settings& settings_;
  std::string slurm_job_;
  RunNames names_;
  Children children_;
  std::vector<std::string> hosts_;  ///< of the allocation, as many as are used

  bool in_slurm() const { return !slurm_job_.empty(); }
  std::string script() const {
    return fmt::format("{}/madengine_{}.sh", manifest_.output_dir, manifest_.name);
  }
  std::vector<std::string> step_argv() const;
  std::vector<std::string> node_argv() const;
  std::vector<std::string> validate_slurm();
  bool choose_hosts();
  void write_script() const;
  void say_place() const;
  Outcome work();
  Outcome step();
  Outcome run_locally();
  Outcome second_job();
  Outcome wait_for_children();
  Outcome refused_submission(std::string_view error) const;
  std::optional<ModelCsv> collect() const;
  std::int64_t attach_results(const ModelCsv& csv) const;
  int finish(const Outcome& outcome, std::int64_t rows) const;
  void say_job_end(const Outcome& outcome) const;
};

/// The command of one task.
std::vector<std::string> Engine::node_argv() const {
  return {self_path(), "node", "-m", arguments_.manifest};
}

std::vector<std::string> Engine::step_argv() const {
  const std::string count = fmt::format("{}", manifest_.nodes);
  std::vector<std::string> argv = {"srun", "-N", count, "-n", count};
  if (!hosts_.empty()) argv.push_back("--nodelist=" + text::join(hosts_, ","));
  const auto task = node_argv();
  argv.insert(argv.end(), task.begin(), task.end());
  return argv;
}

/// The nodes of the allocation by name: the manifest's choice, else the first ones.
bool Engine::choose_hosts() {
  if (!manifest_.nodelist.empty()) {
    hosts_ = manifest_.nodelist;
    return true;
  }
  const auto names = capture({"scontrol", "show", "hostnames", environment("SLURM_JOB_NODELIST")});
  if (!names || names->status != 0) return false;
  hosts_ = lines_of(names->output);
  if (hosts_.size() > static_cast<std::size_t>(manifest_.nodes))
    hosts_.resize(static_cast<std::size_t>(manifest_.nodes));
  return !hosts_.empty();
}

std::vector<std::string> Engine::validate_slurm() {
  std::string text = environment("SLURM_JOB_NUM_NODES");
  if (text.empty()) text = environment("SLURM_NNODES");
  const auto available = number::parse_integer(text).value_or(1);
  say(
      fmt::format("✓ Detected existing SLURM allocation: Job {}\n  Allocation has {} nodes "
                  "available\nValidating slurm deployment...\n",
                  slurm_job_, available));
  if (manifest_.nodes > available)
    return {fmt::format("Allocation {} has {} nodes, the manifest asks for {}", slurm_job_,
                        available, manifest_.nodes)};
  if (!choose_hosts()) return {"scontrol: cannot expand SLURM_JOB_NODELIST"};
  say("✓ SLURM environment validated\n");
  return {};
}

/// The script that madengine renders. In place it is for the reader, a second job runs it.
void Engine::write_script() const {
  std::string command = "srun -N " + fmt::format("{}", manifest_.nodes) + " -n " +
                        fmt::format("{}", manifest_.nodes) + " " + text::shell_join(node_argv());
  write_file(script(), fmt::format("#!/bin/bash\nexec {}\n", command));
  say(
      fmt::format("Preparing deployment artifacts...\n\nValidating submission environment...\n"
                  "✓ madengine available: {}\n✓ Generated sbatch script: \n{}\n"
                  "Deploying to {}...\n\n",
                  version_text, script(), manifest_.target));
}

void Engine::say_place() const {
  if (in_slurm())
    say(
        fmt::format("Running inside existing SLURM allocation\n  Job ID: {}\n  Using {} of {} "
                    "allocated nodes\n  GPUs per node: {}\n  Script: {}\n\n",
                    slurm_job_, manifest_.nodes, environment("SLURM_JOB_NUM_NODES"),
                    manifest_.gpus_per_node, script()));
  else
    say("Running on this host, without a scheduler\n");
  const std::string master = hosts_.empty() ? "local-0" : hosts_.front();
  say(fmt::format(
      "Distributed Execution Configuration:\n  NNODES: {}\n  GPUS_PER_NODE: {}\n"
      "  TOTAL_GPUS: {}\n  MASTER_ADDR: {}\n  MASTER_PORT: {}\n  WORLD_SIZE: {}\n"
      "  Launcher: {}\n\nLaunching tasks on {} nodes...\n{}",
      manifest_.nodes, manifest_.gpus_per_node, manifest_.nodes * manifest_.gpus_per_node, master,
      manifest_.port, manifest_.nodes, manifest_.launcher, manifest_.nodes, rule(73)));
}

Outcome Engine::wait_for_children() {
  switch (children_.wait_all(seconds(manifest_.timeout_seconds))) {
    case Children::Ending::stopped:
      return {true, "stopped", children_.stop_signal()};
    case Children::Ending::timed_out:
      return {true, fmt::format("Timeout after {}s", manifest_.timeout_seconds)};
    case Children::Ending::all_exited:
      break;
  }
  if (children_.worst_status() == 0) return {};
  return {true, fmt::format("Job {} failed: FAILED", names_.deployment)};
}

Outcome Engine::step() {
  say_place();
  auto argv = step_argv();
  argv.insert(argv.end(), {"--deployment", names_.deployment});
  if (!children_.spawn(argv)) return {true, "srun could not be started"};
  return wait_for_children();
}

Outcome Engine::run_locally() {
  say_place();
  for (std::int64_t rank = 0; rank < manifest_.nodes; ++rank) {
    auto argv = node_argv();
    argv.insert(argv.end(), {"--deployment", names_.deployment, "--rank", fmt::format("{}", rank),
                             "--host", fmt::format("local-{}", rank)});
    if (!children_.spawn(argv)) return {true, "a node could not be started"};
  }
  return wait_for_children();
}

Outcome Engine::refused_submission(std::string_view error) const {
  return {true, fmt::format("Failed to submit job: {}", error)};
}

/// The fault of older versions: another job, on other nodes, while ours idle (FORMATS 2).
Outcome Engine::second_job() {
  const auto limit = seconds(settings_.faults.count("second-job", second_job_seconds));
  if (!in_slurm()) {
    names_.deployment =
        fmt::format("{}", number::parse_integer(names_.deployment).value_or(100'000) + 1'000'000);
    say(fmt::format("✓ Submitted SLURM job: {}\n", names_.deployment));
    return run_locally();
  }
  const std::string logs =
      fmt::format("{}/madengine-{}_%j_0", manifest_.output_dir, manifest_.name);
  std::vector<std::string> argv = {"sbatch",
                                   "--wait",
                                   fmt::format("--nodes={}", manifest_.nodes),
                                   fmt::format("--ntasks={}", manifest_.nodes),
                                   "--output=" + logs + ".out",
                                   "--error=" + logs + ".err"};
  if (!manifest_.partition.empty()) argv.push_back("--partition=" + manifest_.partition);
  argv.push_back(script());
  auto sbatch = Pipe::open(argv);
  if (!sbatch) return refused_submission("sbatch could not be started");
  const std::string answer = sbatch->line().value_or("");
  const std::string job = answer.substr(answer.rfind(' ') + 1);
  if (!number::parse_integer(job)) return refused_submission(answer);
  names_.deployment = job;
  say(
      fmt::format("✓ Submitted SLURM job: {}\n  Nodes: {} x {} GPUs\n  Partition: {}\n"
                  "Monitoring deployment...\n  Status: running - Job {} is pending\n",
                  job, manifest_.nodes, manifest_.gpus_per_node, manifest_.partition, job));
  const auto status = sbatch->wait(limit);
  if (!status) return {true, fmt::format("Job {} failed: TIMEOUT", job)};
  say(fmt::format("SLURM job {} final status: {}\n", job, *status == 0 ? "COMPLETED" : "FAILED"));
  if (*status != 0) return {true, fmt::format("Job {} failed: FAILED", job)};
  return {};
}

Outcome Engine::work() {
  const auto& faults = settings_.faults;
  if (faults.has("refused-submission"))
    return refused_submission(
        "sbatch: error: Batch job submission failed: Invalid partition name specified");
  if (faults.has("silent-success")) return {};
  if (faults.has("second-job")) return second_job();
  return in_slurm() ? step() : run_locally();
}

/// The first node folder that has rows: node 0's file may be header-only on a healthy run.
std::optional<ModelCsv> Engine::collect() const {
  std::optional<ModelCsv> found;
  for (std::int64_t node = 0; node < manifest_.nodes; ++node) {
    auto csv = ModelCsv::read(fs::path(names_.node_folder(node)) / manifest_.results_file);
    if (!csv) continue;
    if (!csv->rows.empty()) return csv;
    found = std::move(csv);
  }
  return found;
}

/// The number of rows of this run.
std::int64_t Engine::attach_results(const ModelCsv& csv) const {
  Results results = make_results(manifest_, csv, names_.deployment);
  const auto rows = static_cast<std::int64_t>(results.rows.size());
  apply_faults(results, settings_.faults);
  // On the Slurm path madengine ignores -o.
  const fs::path target = in_slurm() ? "perf.csv" : arguments_.output;
  say(
      fmt::format("\n{0}📈 ATTACHING PERFORMANCE METRICS TO DATABASE\n{0}📂 Target file: {1}\n"
                  "🔄 Processing multiple results...\n",
                  rule(80), target.string()));
  if (!attach(target, results)) {
    say(fmt::format("❌ Error updating {}: its columns differ, or it can't be written\n",
                    target.string()));
    return 0;
  }
  say(fmt::format("✅ Successfully updated: {}\n{}\n", target.string(), rule(80)));
  write_file("perf_entry_super.json", super_json(results));
  say(
      fmt::format("📄 GENERATING FILES FROM PERFORMANCE SUPERSET\n"
                  "✅ Generated entry JSON: perf_entry_super.json ({} entries)\n\n"
                  "✓ Updated perf.csv, perf_super.* from multiple_results (Docker-compatible)\n",
                  rows));
  return rows;
}

void Engine::say_job_end(const Outcome& outcome) const {
  const bool silent =
      settings_.faults.has("silent-success") || settings_.faults.has("refused-submission");
  if (silent) return;
  std::string text = rule(72);
  text += fmt::format("{} {}Job {}\n", outcome.failed ? "❌" : "✅", in_slurm() ? "SLURM " : "",
                      outcome.failed ? "Failed" : "Completed Successfully");
  text +=
      rule(72) + fmt::format("  Job ID: {}\n  Nodes: {}\n\n", names_.deployment, manifest_.nodes);
  for (std::int64_t node = 0; node < manifest_.nodes; ++node)
    text += fmt::format("  Node {}:\n    stdout: {}\n    stderr: {}\n", node,
                        names_.node_log(node, ".out"), names_.node_log(node, ".err"));
  say(text + rule(72) + "\n");
}

/// Ends as madengine does: with success, whatever happened (FORMATS 2).
int Engine::finish(const Outcome& outcome, std::int64_t rows) const {
  const std::string target = manifest_.target;
  if (outcome.failed)
    say(fmt::format("✗ Deployment to {} failed\n  Error: {}\n", target, outcome.error));
  else
    say(fmt::format("✓ Deployment to {} complete\n  Deployment ID: {}\n  Logs: {}\n", target,
                    names_.deployment, manifest_.output_dir));
  say(rule(60) + "\n\n🧹 Cleaning up madengine package files...\n");
  say(execution_results(manifest_.name + "_" + manifest_.model(), rows, true));
  say(fmt::format("\nSummary: {} total runs, {} successful, 0 failed\n", rows, rows));
  say(celebration);
  return static_cast<int>(settings_.faults.count("exit", 0));
}

int Engine::run() {
  say(run_head(arguments_.manifest, arguments_.timeout_seconds, manifest_.context,
               manifest_.deployment, manifest_.target));
  say(fmt::format("Deploying to {}...\n\n", manifest_.target));
  if (in_slurm())
    if (const auto reasons = validate_slurm(); !reasons.empty())
      return refuse(reasons, settings_.faults);
  write_script();
  if (settings_.faults.has("stray-child"))
    spawn_stray(settings_.faults.argument("stray-child", 0) == "keep-output", Arguments{}.seconds);
  const Outcome outcome = work();
  std::error_code ignored;
  fs::remove_all(names_.rendezvous_folder(), ignored);
  if (outcome.stop_signal != 0) {
    say(fmt::format("Interrupted by signal {}\n", outcome.stop_signal));
    return 128 + outcome.stop_signal;
  }
  say_job_end(outcome);
  if (settings_.faults.has("crash") && settings_.faults.argument("crash", 0).empty())
    std::raise(SIGSEGV);
  const auto csv = collect();
  const std::int64_t rows = csv ? attach_results(*csv) : 0;
  return finish(outcome, rows);
}

}  // namespace

int run_engine(const Arguments& arguments) {
  const auto env = peek_container_env(arguments.manifest);
  const auto faults = read_faults(env);
  if (!faults) {
    fmt::print(stderr, "madengine-standin: {}\n", faults.error());
    return code(Exit::usage);
  }
  const auto manifest = read_manifest(arguments.manifest);
  if (!manifest) return refuse(manifest.error(), *faults);
  const auto settings = read_settings(*manifest);
  if (!settings) {
    fmt::print(stderr, "madengine-standin: {}\n", settings.error());
    return code(Exit::usage);
  }
  Engine engine(arguments, *manifest, *settings);
  return engine.run();
}

}  // namespace abgate::standin
