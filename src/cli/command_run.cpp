#include <cerrno>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/io/lock.hpp>
#include <abgate/plan/plan.hpp>
#include <abgate/report/text.hpp>
#include <abgate/runner/disk_store.hpp>
#include <abgate/runner/gate.hpp>
#include <abgate/runner/node_probe.hpp>
#include <abgate/runner/resume.hpp>
#include <abgate/runner/workspace.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "load.hpp"
#include "notify_option.hpp"
#include "output.hpp"
#include "publish.hpp"
#include "version.hpp"

namespace abgate::cli {
namespace {

/// Says all obstacles; the exit code that they amount to, or nothing when the way is clear.
std::optional<int> refuse(const std::vector<runner::Obstacle>& obstacles) {
  if (obstacles.empty()) return {};
  bool usage = false;
  for (const runner::Obstacle& obstacle : obstacles) {
    print_err(text::printable(obstacle.message) + "\n");
    usage = usage || !obstacle.infra;
  }
  print_err("nothing was allocated and nothing was run\n");
  return usage ? exit_code::usage : exit_code::infra;
}

/// One abgate at a time in a work directory.
std::optional<io::FolderLock> lock_work_dir(const std::string& work_dir) {
  auto lock = io::FolderLock::take(work_dir);
  if (lock) return std::move(*lock);
  print_err(lock.error().code == EWOULDBLOCK
                ? fmt::format("another abgate works in {}\n", text::printable(work_dir))
                : text::printable(io::format(lock.error())) + "\n");
  return {};
}

runner::GateRequest request_for(const GatePlan& plan, const std::string& run_id,
                                const Arguments& arguments, const World& world) {
  runner::GateRequest request;
  request.plan = &plan;
  request.run_id = run_id;
  request.tool_version = version;
  request.self = world.self;
  request.environment = world.environment;
  request.notify_argv = notify_argv(arguments);
  return request;
}

/// The report, and the exit code of the verdict, or of a verdict that could not be kept.
int deliver(const runner::GateOutcome& outcome, const std::string& work_dir, const World& world) {
  const GateRecord& record = outcome.record;
  const bool printed = print_report(record, report::render_text(record), world);
  publish_to_github(record, fmt::format("{}/{}", work_dir, runner::record_file), world);
  for (const std::string& problem : outcome.write_problems) {
    print_err("could not be saved: " + text::printable(problem) + "\n");
  }
  return printed && outcome.write_problems.empty() ? record.exit_code : say_unwritten(record);
}

/// Starts an interrupted gate again in its own work directory.
int resume_command(const Arguments& arguments, const World& world) {
  const std::string work_dir = io::absolute(arguments.resume);
  if (!io::exists(work_dir + "/" + runner::record_file)) {
    print_err(fmt::format("--resume: {} is no work directory of a gate: it holds no {}\n",
                          text::printable(work_dir), runner::record_file));
    return exit_code::usage;
  }
  const auto lock = lock_work_dir(work_dir);
  if (!lock) return exit_code::usage;
  runner::DiskStore store;
  auto point = runner::read_resume_point(store, work_dir);
  if (!point) {
    print_err(text::printable("--resume: " + point.error()) + "\n");
    return exit_code::usage;
  }
  process::SignalGate gate;
  runner::SystemClock clock;
  if (runner::still_runs(*point, world.environment, gate)) {
    print_err(
        fmt::format("--resume: job {} of that gate still runs; wait, or end it with scancel\n",
                    text::printable(point->attempts.back().job_id)));
    return exit_code::usage;
  }
  const auto conduct = [&](const runner::GateRequest& request, auto&& run) {
    Console console(arguments.quiet, can_redraw(world.environment));
    return run(request, store, clock, console, gate);
  };
  if (point->phases_done) {
    const std::string& run_id = point->attempts.back().run_id;
    const GatePlan plan = plan::make_plan(point->config, run_id);
    return deliver(conduct(request_for(plan, run_id, arguments, world), runner::finish_gate),
                   work_dir, world);
  }
  const std::string how = runner::choose_nodes(*point, world.environment, gate);
  const GatePlan plan = plan::make_plan(point->config, point->run_id);
  if (const auto refused =
          refuse(runner::preflight(plan, world.environment, runner::WorkDir::set_aside))) {
    return *refused;
  }
  if (const auto moved = runner::set_aside(*point, store, work_dir); !moved) {
    print_err(text::printable(moved.error()) + "\n");
    return exit_code::infra;
  }
  runner::GateRequest request = request_for(plan, point->run_id, arguments, world);
  request.attempts = point->attempts;
  request.resumed_how = how.empty() ? "on this host" : how;
  return deliver(conduct(request, runner::run_gate), work_dir, world);
}

}  // namespace

int run_command(const Arguments& arguments, const World& world) {
  if (!notify_command_found(arguments, world)) return exit_code::usage;
  if (!arguments.resume.empty()) return resume_command(arguments, world);
  if (arguments.dry_run) return plan_command(arguments, world);
  runner::SystemClock clock;
  const std::string run_id = make_run_id(clock.now(), world.environment);
  const auto config = load_gate(arguments, world, run_id);
  if (!config) return exit_code::usage;
  const GatePlan plan = plan::make_plan(*config, run_id);
  if (const auto refused = refuse(runner::preflight(plan, world.environment))) return *refused;
  const auto lock = lock_work_dir(config->work_dir);
  if (!lock) return exit_code::infra;

  process::SignalGate gate;
  runner::DiskStore store;
  runner::GateOutcome outcome;
  {
    Console console(arguments.quiet, can_redraw(world.environment));
    outcome =
        runner::run_gate(request_for(plan, run_id, arguments, world), store, clock, console, gate);
  }
  return deliver(outcome, config->work_dir, world);
}

int inner_command(const Arguments& arguments, const World& world) {
  process::SignalGate gate;
  runner::DiskStore store;
  runner::SystemClock clock;
  EventWriter writer;
  return runner::run_inner(arguments.inner_work_dir, arguments.serve, world.self, world.environment,
                           store, clock, writer, gate);
}

int node_facts_command(const Arguments& arguments, const World& world) {
  process::SignalGate gate;
  const NodeFacts facts = runner::probe_node({arguments.scratch, world.environment}, gate);
  return print_out(to_json(facts).dump_line() + "\n") ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::cli
