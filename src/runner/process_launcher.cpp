#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/redact.hpp>
#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/runner/node_probe.hpp>
#include <abgate/runner/process_launcher.hpp>

#include "submitted_jobs.hpp"

namespace abgate::runner {
namespace {

/// A step that asks four nodes for their names answers in milliseconds; after this it hangs
/// (LESSONS 24).
constexpr std::chrono::seconds node_step_timeout{120};
constexpr std::chrono::seconds between_attempts{2};
/// The engine's time to end by itself; shorter than salloc's, so that the inner process can still
/// keep the record.
constexpr std::chrono::milliseconds engine_grace{2000};
/// A look at the node logs, which may lie on a busy shared file system.
constexpr std::chrono::milliseconds tick{1000};

/// A controller that is restarted, or away for a minute, takes the allocation from nobody.
bool controller_was_away(const process::Captured& answer) {
  return std::holds_alternative<process::Exited>(answer.outcome) &&
         !process::to_process_end(answer.outcome).succeeded() &&
         answer.err.find("Unable to contact slurm controller") != std::string::npos;
}

/// Lines of names alone; sorted, each once.
std::vector<NodeFacts> nodes_of_names(const std::string& output) {
  std::set<std::string> names;
  for (const std::string_view line : text::split(output, '\n')) {
    if (const std::string_view name = text::trim(line); !name.empty()) names.emplace(name);
  }
  std::vector<NodeFacts> nodes;
  for (const std::string& name : names)
    nodes.emplace_back().node = name;
  return nodes;
}

EngineEnd ended(const process::Outcome& outcome) {
  EngineEnd end;
  end.end = process::to_process_end(outcome);
  if (const auto* interrupted = std::get_if<process::Interrupted>(&outcome)) {
    end.stop = true;
    end.signal = interrupted->signal;
  }
  return end;
}

}  // namespace

process::Captured ProcessLauncher::step(std::int64_t count,
                                        const std::vector<std::string>& program) {
  std::vector<std::string> argv{"srun", fmt::format("--nodes={}", count),
                                fmt::format("--ntasks={}", count), "--ntasks-per-node=1"};
  argv.insert(argv.end(), program.begin(), program.end());
  const auto end = process::Clock::now() + node_step_timeout;
  for (;;) {
    auto answer = process::capture({argv, settings_.environment, ""}, node_step_timeout, gate_);
    if (!controller_was_away(answer) || process::Clock::now() >= end) return answer;
    const auto next = process::Clock::now() + between_attempts;
    while (process::Clock::now() < next && gate_.pending_signal() == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

Result<std::vector<NodeFacts>, std::string> ProcessLauncher::look_at_nodes(std::int64_t count) {
  if (settings_.launcher == Launcher::local) {
    return std::vector<NodeFacts>{probe_node({settings_.scratch, settings_.environment}, gate_)};
  }
  auto answer = step(count, {settings_.self, "node-facts", "--scratch", settings_.scratch});
  auto nodes = parse_node_facts(answer.out);
  if (!process::to_process_end(answer.outcome).succeeded() || nodes.empty()) {
    // This executable may not be there on the nodes: their names are still needed.
    // SLURMD_NODENAME is Slurm's own name of the node, whatever the host calls itself.
    answer = step(count, {"printenv", "SLURMD_NODENAME"});
    nodes = nodes_of_names(answer.out);
  }
  if (!process::to_process_end(answer.outcome).succeeded()) {
    return Unexpected{fmt::format("a step over the {} nodes {}: {}", count,
                                  process::describe(answer.outcome),
                                  text::printable(text::trim(answer.err)))};
  }
  if (nodes.size() != static_cast<std::size_t>(count)) {
    return Unexpected{fmt::format("a step over {} nodes was answered by {}: {}", count,
                                  nodes.size(), text::join(names_of(nodes), ", "))};
  }
  return nodes;
}

EngineEnd ProcessLauncher::run(const EngineRun& run) {
  auto log = io::LogFile::create(run.log);
  if (!log) {
    EngineEnd end;
    end.end = {"spawn_failed", log.error().code, io::format(log.error())};
    return end;
  }
  Redactor redactor(settings_.secrets);
  std::optional<std::string> write_problem;
  const auto keep = [&](const std::string& text) {
    if (text.empty() || write_problem) return;
    if (const auto written = log->write(text); !written) {
      write_problem = io::format(written.error());
    }
  };

  EngineTick state;
  auto next_tick = process::Clock::now();
  const auto deadline = process::Clock::now() + run.budget;
  process::Hooks hooks;
  hooks.on_output = [&](process::Stream, std::string_view bytes) {
    state.output_bytes += bytes.size();
    keep(redactor.feed(bytes));
  };
  hooks.should_stop = [&](process::Clock::time_point now) -> std::optional<std::string> {
    if (run.on_tick && now >= next_tick) {
      next_tick = now + tick;
      state.now = now;
      if (auto stop = run.on_tick(state)) return stop;
    }
    if (write_problem) return "the engine's output could not be kept: " + *write_problem;
    if (now < deadline) return {};
    return fmt::format("the budget of {} was used up", duration::to_human(run.budget));
  };
  process::Limits limits;
  limits.serve = settings_.serve;
  limits.grace = engine_grace;
  const process::Outcome outcome =
      process::run({run.argv, settings_.environment, run.directory}, hooks, limits, gate_);
  keep(redactor.finish());
  EngineEnd end = ended(outcome);
  if (write_problem && end.end.kind == "exited") {
    end.end = {"timed_out", 0, "the engine's output could not be kept: " + *write_problem};
  }
  return end;
}

std::vector<std::string> ProcessLauncher::cancel_jobs(const std::vector<std::string>& jobs,
                                                      const std::string& directory) {
  if (settings_.launcher == Launcher::local) return {};
  return cancel_submitted_jobs(jobs, directory, settings_.environment, gate_);
}

}  // namespace abgate::runner
