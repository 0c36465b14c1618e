#include "node.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

#include "log_lines.hpp"
#include "terminal.hpp"
#include "text_file.hpp"
#include "training.hpp"

namespace abgate::standin {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr ? value : "";
}

std::string image_file_name(std::string_view image) {
  return text::replace_all(text::replace_all(std::string(image), "/", "_"), ":", "_");
}

/// Where the task runs: Slurm says it, or the engine's arguments.
Training::Place find_place(const Arguments& arguments, const Manifest& manifest) {
  Training::Place place;
  place.nodes = manifest.nodes;
  if (arguments.rank >= 0) {
    place.node = arguments.rank;
    place.host = arguments.host;
  } else {
    place.node = number::parse_integer(environment("SLURM_PROCID")).value_or(0);
    // Many slurmd share one host in tests, so the host's own name says nothing.
    place.host = environment("SLURMD_NODENAME");
  }
  return place;
}

/// The task: its logs, the container in them, the artifacts.
class NodeTask {
 public:
  NodeTask(const Manifest& manifest, const Settings& settings, Training::Place place,
           RunNames names)
      : manifest_(manifest),
        settings_(settings),
        place_(std::move(place)),
        names_(std::move(names)),
        rendezvous_(names_.rendezvous_folder()),
        container_(
            fmt::format("container_{}_node{}", image_file_name(manifest.image), place_.node)) {}

  int run();

 private:
  const Manifest& manifest_;
  const Settings& settings_;
  Training::Place place_;
  RunNames names_;
  Rendezvous rendezvous_;
  std::string container_;
  std::ofstream out_;
  std::ofstream err_;
  std::string live_log_;  ///< the container's part of the log, if it started

  std::string log(std::string_view extension) const {
    return names_.node_log(place_.node, extension);
  }
  /// To the node's log, flushed: a reader follows it while it grows.
  void print(std::string_view text) { out_ << text << std::flush; }
  void print_live(std::string_view text) {
    print(text);
    live_log_ += text;
  }
  void debug(std::string_view message);
  void say_start() const;
  void print_preamble();
  void print_container_start();
  std::string train();
  void print_container_end(std::string_view error);
  void print_epilogue(bool failed);
  void write_results(const ModelCsv& results) const;
  void copy_artifacts(bool failed) const;
  void lose_traces();
};

void NodeTask::debug(std::string_view message) {
  err_ << fmt::format("[DEBUG] {} Node {} ({}): {}\n", utc_now("%Y-%m-%dT%H:%M:%S+00:00"),
                      place_.node, place_.host, message)
       << std::flush;
}

/// What the task says on the engine's terminal.
void NodeTask::say_start() const {
  const std::string here = fs::current_path().string();
  fmt::print(
      "Task started on node: {}\nSLURM_PROCID: {}\nSLURM_JOB_ID: {}\n{}"
      "Verifying madengine availability...\n✓ madengine available\n  Version: {}\n"
      "Node {} ready:\n  Manifest: build_manifest_local.json\n"
      "Executing madengine in LOCAL mode...\n"
      "Node {} logs:\n  stdout: {}/{}\n  stderr: {}/{}\n\n",
      place_.host, place_.node, names_.deployment, rule(73), version_text, place_.node, place_.node,
      here, log(".out"), here, log(".err"));
  std::fflush(stdout);
}

void NodeTask::print_preamble() {
  Json context = manifest_.context;
  context.set("skip_perf_collection", true);
  Json deployment = Json::object();
  deployment.set("target", "docker");
  for (const auto& member : manifest_.deployment.members())
    if (member.key != "target" && member.key != "slurm") deployment.set(member.key, member.value);
  print(run_head("build_manifest_local.json", 7200, context, deployment, "docker"));
  print(fmt::format(
      "Executing locally...\n\nDetected host OS: HOST_UBUNTU\nDetected GPU vendor: AMD\n"
      "Runtime GPU architecture detected: gfx950\n"
      "📦 Loading manifest: build_manifest_local.json\nFound 1 image(s) to run\n\n"
      "📥 Starting docker pull from registry...\n🏷️  Image: {0}\n"
      "> docker rmi -f {0} 2>/dev/null || true\n✅ DOCKER PULL COMPLETED SUCCESSFULLY\n{1}"
      "🏃 Running model: {2} in container \n{0}\n"
      "Run log will be written to: {2}_{3}.run.live.log\n> hostname\n{4}\nMACHINE NAME is {4}\n",
      manifest_.image, rule(80), manifest_.name, image_file_name(manifest_.image), place_.host));
}

void NodeTask::print_container_start() {
  print_live(fmt::format(
      "⏰ Setting timeout to {} seconds.\n> docker container ps -aq --filter name='^/{}$'\n{}"
      "✅ DOCKER RUN COMPLETED SUCCESSFULLY\n{}\n🎮 Checking AMD GPU status...\n"
      "MARKET_NAME: AMD Instinct MI355X\n'{}' -> 'run_directory/{}'\nRunning model...\n"
      "GPU DEVICE name: MI355X\n"
      "[INFO] Distributed params: NNODES={} GPUS_PER_NODE={} NUM_GPUS={}\n",
      manifest_.timeout_seconds, container_, rule(80), rule(80), manifest_.scripts,
      fs::path(manifest_.scripts).filename().string(), place_.nodes, manifest_.gpus_per_node,
      place_.nodes * manifest_.gpus_per_node));
}

/// What failed, in the words in which madengine finds it in the log; empty: nothing.
std::string NodeTask::train() {
  auto library = loaded_library(manifest_, settings_.library_override);
  if (!library) {
    print_live(library.error() + "\n");
    rendezvous_.abandon();
    return library.error().substr(0, library.error().find(':'));
  }
  Training training(manifest_, settings_, *library, place_, rendezvous_,
                    [this](std::string_view text) { print_live(text); });
  training.run();
  if (place_.last()) {
    write_results(training.results());
    rendezvous_.announce("results.done");
  } else {
    rendezvous_.await("results.done", manifest_.timeout_seconds);
  }
  return training.out_of_memory() ? "OutOfMemoryError" : "";
}

/// In the shared folder, from which every node takes its copy.
void NodeTask::write_results(const ModelCsv& results) const {
  ModelCsv written = results;
  if (settings_.faults.has("header-only-csv")) written.rows.clear();
  const std::string name = "perf_primus-megatron-" + manifest_.model() + ".csv";
  write_file(rendezvous_.file(name), written.text());
}

void NodeTask::print_container_end(std::string_view error) {
  print_live("Test Duration: 0.19 seconds\ntest_duration: 0.19s\n");
  print_live(error.empty() ? "Status: SUCCESS (performance metrics found, no errors)\n"
                           : fmt::format("Found error pattern '{}' in logs\nStatus: FAILURE (error "
                                         "patterns detected in logs)\n",
                                         error));
  print_live(
      fmt::format("{} performance is {} \nℹ️  Worker node: Skipping performance metric "
                  "collection (master node "
                  "will collect\nresults)\n> docker stop -t 1 {}\n> docker rm -f {}\n",
                  manifest_.name, manifest_.results_file, container_, container_));
}

void NodeTask::print_epilogue(bool failed) {
  if (failed) print(fmt::format("❌ Run failed for {}: Status=FAILURE\n", manifest_.name));
  print(
      fmt::format("\n📊 Execution Summary:\n  ✓ Successful: {}\n  ✗ Failed: {}\n\n"
                  "✓ Local execution complete\n",
                  failed ? 0 : 1, failed ? 1 : 0));
  print(rule(60) + "\n🧹 Cleaning up madengine package files...\n");
  print(execution_results(manifest_.name, 1, !failed));
  print("⚠️  Performance CSV not found: perf.csv\n");
  print(failed ? std::string_view("💥 Execution failed for 1 models\n") : celebration);
}

/// A failed node leaves little more than its flat files (fixture gptoss-candidate-oom-at-5).
void NodeTask::copy_artifacts(bool failed) const {
  const fs::path folder = names_.node_folder(place_.node);
  write_file(folder / "stdout.out", read_file(log(".out")).value_or(""));
  // One node alone must keep its rows: no other folder has them.
  if (failed && place_.nodes > 1) return;
  write_file(folder / "stderr.err", read_file(log(".err")).value_or(""));
  write_file(
      folder / fmt::format("{}_{}.run.live.log", manifest_.name, image_file_name(manifest_.image)),
      live_log_);
  const std::string& name = manifest_.results_file;
  const bool header_only = settings_.faults.has("first-node-header-only") && !place_.last();
  if (header_only)
    write_file(folder / name, ModelCsv::empty().text());
  else if (const auto results = read_file(rendezvous_.file(name)))
    write_file(folder / name, *results);
}

void NodeTask::lose_traces() {
  out_.close();
  err_.close();
  std::error_code ignored;
  fs::remove(log(".out"), ignored);
  fs::remove(log(".err"), ignored);
  fs::remove_all(names_.node_folder(place_.node), ignored);
}

int NodeTask::run() {
  std::error_code ignored;
  fs::create_directories(names_.output_dir, ignored);
  // Two phases of one allocation may share the output directory's names: start afresh.
  out_.open(log(".out"), std::ios::binary | std::ios::trunc);
  err_.open(log(".err"), std::ios::binary | std::ios::trunc);
  if (!out_ || !err_) {
    fmt::print(stderr, "cannot write {}\n", log(".out"));
    return 1;
  }
  debug("task script started");
  say_start();
  debug("about to run madengine");
  print_preamble();
  print_container_start();
  const std::string error = train();
  const bool failed = !error.empty();
  print_container_end(error);
  print_epilogue(failed);
  const int status = failed ? static_cast<int>(Exit::run_failure) : 0;
  if (!failed) debug("madengine exited with code 0");
  fmt::print("\nTask completed with exit code: {}\n\n{}Node {}: Copying artifacts to {}/{}\n{}",
             status, rule(72), place_.node, fs::current_path().string(),
             names_.node_folder(place_.node), rule(72));
  copy_artifacts(failed);
  fmt::print("  ✓ Node {} artifacts copied\n{}", place_.node, rule(72));
  std::fflush(stdout);
  debug(fmt::format("task script exiting with code {}", status));
  const bool lost =
      settings_.faults.has("lost-node") && settings_.faults.count("lost-node", 0) == place_.node;
  if (lost) lose_traces();
  return status;
}

}  // namespace

std::string RunNames::node_log(std::int64_t node, std::string_view extension) const {
  return fmt::format("{}/madengine-{}_{}_node_{}{}", output_dir, model, deployment, node,
                     extension);
}

std::string RunNames::node_folder(std::int64_t node) const {
  return fmt::format("{}/{}/{}/node_{}", output_dir, model, deployment, node);
}

std::string RunNames::rendezvous_folder() const {
  return fmt::format("{}/.standin_{}", output_dir, deployment);
}

int run_node(const Arguments& arguments) {
  const auto manifest = read_manifest(arguments.manifest);
  if (!manifest) {
    for (const auto& reason : manifest.error())
      fmt::print(stderr, "❌ {}\n", reason);
    return static_cast<int>(Exit::run_failure);
  }
  const auto settings = read_settings(*manifest);
  if (!settings) {
    fmt::print(stderr, "❌ {}\n", settings.error());
    return static_cast<int>(Exit::usage);
  }
  RunNames names{manifest->output_dir, manifest->name,
                 arguments.deployment.empty() ? environment("SLURM_JOB_ID") : arguments.deployment};
  NodeTask task(*manifest, *settings, find_place(arguments, *manifest), std::move(names));
  return task.run();
}

}  // namespace abgate::standin
