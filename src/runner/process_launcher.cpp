#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/redact.hpp>
#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/runner/process_launcher.hpp>

namespace abgate::runner {
namespace {

/// A step that asks four nodes for their names answers in milliseconds; after this it hangs
/// (LESSONS 24).
constexpr std::chrono::seconds node_step_timeout{120};
/// The engine's time to end by itself; shorter than salloc's, so that the inner process can still
/// keep the record.
constexpr std::chrono::milliseconds engine_grace{2000};
/// A look at the node logs, which may lie on a busy shared file system.
constexpr std::chrono::milliseconds tick{1000};

std::string this_host() {
  std::array<char, 256> buffer{};
  return ::gethostname(buffer.data(), buffer.size() - 1) == 0 ? buffer.data() : "localhost";
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

Result<std::vector<std::string>, std::string> ProcessLauncher::nodes(std::int64_t count) {
  if (settings_.launcher == Launcher::local) return std::vector<std::string>{this_host()};
  // SLURMD_NODENAME is Slurm's own name of the node, whatever the host calls itself.
  const std::vector<std::string> argv{"srun",
                                      fmt::format("--nodes={}", count),
                                      fmt::format("--ntasks={}", count),
                                      "--ntasks-per-node=1",
                                      "printenv",
                                      "SLURMD_NODENAME"};
  const auto step = process::capture({argv, settings_.environment, ""}, node_step_timeout, gate_);
  if (!process::to_process_end(step.outcome).succeeded()) {
    return Unexpected{fmt::format("a step over the {} nodes {}: {}", count,
                                  process::describe(step.outcome),
                                  text::printable(text::trim(step.err)))};
  }
  std::set<std::string> names;
  for (const std::string_view line : text::split(step.out, '\n')) {
    if (const std::string_view name = text::trim(line); !name.empty()) names.emplace(name);
  }
  if (names.size() != static_cast<std::size_t>(count)) {
    return Unexpected{fmt::format("a step over {} nodes was answered by {}: {}", count,
                                  names.size(), text::join({names.begin(), names.end()}, ", "))};
  }
  return std::vector<std::string>(names.begin(), names.end());
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

  auto next_tick = process::Clock::now();
  const auto deadline = process::Clock::now() + run.budget;
  process::Hooks hooks;
  hooks.on_output = [&](process::Stream, std::string_view bytes) { keep(redactor.feed(bytes)); };
  hooks.should_stop = [&](process::Clock::time_point now) -> std::optional<std::string> {
    if (run.on_tick && now >= next_tick) {
      next_tick = now + tick;
      run.on_tick();
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

}  // namespace abgate::runner
