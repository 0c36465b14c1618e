#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <abgate/base/hostlist.hpp>
#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/model/node_facts.hpp>
#include <abgate/runner/doctor.hpp>
#include <abgate/runner/selftest.hpp>
#include <abgate/runner/workspace.hpp>
#include <abgate/slurm/nodes.hpp>

namespace abgate::runner {
namespace {

using State = Finding::State;

constexpr std::chrono::seconds ask_timeout{20};
/// madengine imports half of Python before it tells its version.
constexpr std::chrono::seconds engine_timeout{60};
/// Waiting for nodes that somebody else holds is not a doctor's business.
constexpr std::chrono::seconds step_timeout{120};
/// Two phases of GPT-OSS-120B leave 1.1 GB of node logs each (FORMATS 5).
constexpr std::uint64_t comfortable_space = 5'000'000'000;

void add(Findings& findings, State state, std::string text) {
  findings.push_back({state, std::move(text)});
}

process::Captured ask(const std::vector<std::string>& argv, std::chrono::seconds timeout,
                      const Visit& visit) {
  return process::capture({argv, visit.environment, ""}, timeout, visit.gate);
}

bool succeeded(const process::Captured& answer) {
  return process::to_process_end(answer.outcome).succeeded();
}

/// The first line that says something, for a report.
std::string first_line(const process::Captured& answer) {
  for (const std::string* text : {&answer.out, &answer.err}) {
    for (const std::string_view line : text::split(*text, '\n')) {
      if (!text::trim(line).empty()) return text::printable(text::trim(line));
    }
  }
  return process::describe(answer.outcome);
}

void examine_engine(const GatePlan& plan, const Visit& visit, Findings& findings) {
  const std::string& engine = plan.config.engine;
  const auto answer = ask({engine, "--version"}, engine_timeout, visit);
  if (succeeded(answer)) {
    add(findings, State::ok, fmt::format("the engine {} is {}", engine, first_line(answer)));
  } else {
    add(findings, State::failed,
        fmt::format("`{} --version` {}: {}; give --engine PATH", engine,
                    process::describe(answer.outcome), first_line(answer)));
  }
}

void examine_space(const std::string& directory, Findings& findings) {
  const auto free = io::free_space(directory);
  if (!free) {
    add(findings, State::failed, text::printable(io::format(free.error())));
    return;
  }
  constexpr double gb = 1e9;
  const bool enough = *free >= comfortable_space;
  add(findings, enough ? State::ok : State::warning,
      fmt::format("{:.1f} GB are free in {}{}", static_cast<double>(*free) / gb, directory,
                  enough ? "" : "; a gate may leave some gigabytes of logs"));
}

}  // namespace

void examine_judge(WallClock& clock, Findings& findings) {
  const auto results = selftest(clock);
  const auto good = std::count_if(results.begin(), results.end(),
                                  [](const SelftestResult& result) { return result.passed; });
  if (all_passed(results)) {
    add(findings, State::ok,
        fmt::format("the judge refuses what it must: {} built-in pairs", results.size()));
  } else {
    add(findings, State::failed,
        fmt::format("the judge is right about {} of {} built-in pairs only; see `abgate selftest`, "
                    "and do not trust this binary",
                    good, results.size()));
  }
}

void examine_host(const GatePlan& plan, const Visit& visit, Findings& findings) {
  const std::string& work_dir = plan.config.work_dir;
  const bool was_there = io::exists(work_dir);
  const auto obstacles = preflight(plan, visit.environment);
  for (const Obstacle& obstacle : obstacles)
    add(findings, State::failed, text::printable(obstacle.message));
  if (obstacles.empty()) {
    add(findings, State::ok,
        fmt::format("a gate of {} on {} finds all it needs before it asks for nodes",
                    plan.config.workload.name, plan.config.cluster.name));
  }
  const std::string* path = find_variable(visit.environment, "PATH");
  if (process::find_program(plan.config.engine, path == nullptr ? "" : *path)) {
    examine_engine(plan, visit, findings);
  }
  for (const std::string& directory : {work_dir, plan.config.results_dir}) {
    if (!directory.empty() && io::is_directory(directory)) examine_space(directory, findings);
  }
  if (!was_there) io::remove_empty_directory(work_dir);
}

void examine_slurm(const GateConfig& config, const Visit& visit, Findings& findings) {
  const auto ping = ask({"scontrol", "ping"}, ask_timeout, visit);
  if (!succeeded(ping)) {
    add(findings, State::failed,
        fmt::format("Slurm's controller does not answer: {}", first_line(ping)));
    return;
  }
  add(findings, State::ok, first_line(ping));
  const std::string& partition = config.cluster.partition;
  std::vector<std::string> argv{"sinfo", "--noheader", "--Node", "--format=%N %T"};
  if (!partition.empty()) argv.push_back("--partition=" + partition);
  const auto listed = ask(argv, ask_timeout, visit);
  const auto usable = slurm::usable_nodes(listed.out);
  const auto name = partition.empty() ? "the cluster" : "partition " + partition;
  const bool enough = usable.size() >= static_cast<std::size_t>(config.nodes);
  add(findings, enough ? State::ok : State::failed,
      fmt::format("{} has {} usable nodes, a gate takes {}", name, usable.size(), config.nodes));
}

void examine_nodes(const GateConfig& config, const Visit& visit, Findings& findings) {
  const auto names = expand_hostlist(config.nodelist).value_or(std::vector<std::string>());
  std::vector<std::string> argv{"srun", fmt::format("--nodes={}", names.size()),
                                "--ntasks-per-node=1", "--nodelist=" + config.nodelist, "--time=2"};
  if (!config.cluster.partition.empty()) argv.push_back("--partition=" + config.cluster.partition);
  const std::string scratch = config.cluster.tmpdir.empty() ? "/tmp" : config.cluster.tmpdir;
  for (const std::string& word :
       {visit.self, std::string("node-facts"), std::string("--scratch"), scratch}) {
    argv.push_back(word);
  }
  const auto answer = ask(argv, step_timeout, visit);
  const auto nodes = parse_node_facts(answer.out);
  if (!succeeded(answer) || nodes.size() != names.size()) {
    add(findings, State::failed,
        fmt::format("a step over {} {} and was answered by {} of {} nodes: {}", config.nodelist,
                    process::describe(answer.outcome), nodes.size(), names.size(),
                    first_line(answer)));
    return;
  }
  for (const NodeFacts& node : nodes) {
    constexpr double gb = 1e9;
    std::string text = fmt::format("{} answers", text::printable(node.node));
    if (node.load) text += fmt::format(", load {:.1f}", *node.load);
    if (node.scratch_free) {
      text += fmt::format(", {:.0f} GB free in {}", static_cast<double>(*node.scratch_free) / gb,
                          scratch);
    }
    if (node.gpu_memory_used) {
      text += fmt::format(", {:.1f} GB of GPU memory in use",
                          static_cast<double>(*node.gpu_memory_used) / gb);
    }
    const bool busy = node.containers && !node.containers->empty();
    if (busy) {
      text += "; containers run there: " + text::printable(text::join(*node.containers, ", "));
    }
    add(findings, busy ? State::warning : State::ok, std::move(text));
  }
}

bool none_failed(const Findings& findings) {
  return !findings.empty() &&
         std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.state == State::failed; });
}

std::string render(const Findings& findings) {
  std::string out;
  int failed = 0;
  int warnings = 0;
  for (const Finding& finding : findings) {
    const char* word = "ok";
    if (finding.state == State::failed) word = "FAILED";
    if (finding.state == State::warning) word = "warning";
    failed += finding.state == State::failed ? 1 : 0;
    warnings += finding.state == State::warning ? 1 : 0;
    out += fmt::format("{:<7}  {}\n", word, finding.text);
  }
  out += fmt::format("doctor: {} looked at, {} failed, {} warnings\n", findings.size(), failed,
                     warnings);
  return out;
}

}  // namespace abgate::runner
