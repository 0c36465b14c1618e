#include <fmt/format.h>
#include <unistd.h>

#include <abgate/base/text.hpp>
#include <abgate/plan/plan.hpp>
#include <abgate/report/text.hpp>
#include <abgate/runner/disk_store.hpp>
#include <abgate/runner/gate.hpp>
#include <abgate/runner/node_probe.hpp>
#include <abgate/runner/workspace.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "load.hpp"
#include "output.hpp"
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

}  // namespace

int run_command(const Arguments& arguments, const World& world) {
  if (arguments.dry_run) return plan_command(arguments, world);
  runner::SystemClock clock;
  const std::string run_id = make_run_id(clock.now());
  const auto config = load_gate(arguments, world, run_id);
  if (!config) return exit_code::usage;
  const GatePlan plan = plan::make_plan(*config, run_id);
  if (const auto refused = refuse(runner::preflight(plan, world.environment))) return *refused;

  process::SignalGate gate;
  runner::DiskStore store;
  runner::GateRequest request;
  request.plan = &plan;
  request.run_id = run_id;
  request.tool_version = version;
  request.self = world.self;
  request.environment = world.environment;
  runner::GateOutcome outcome;
  {
    Console console(arguments.quiet, ::isatty(STDERR_FILENO) != 0);
    outcome = runner::run_gate(request, store, clock, console, gate);
  }
  const GateRecord& record = outcome.record;
  const bool printed = print_out(report::render_text(record));
  for (const std::string& problem : outcome.write_problems) {
    print_err("could not be saved: " + text::printable(problem) + "\n");
  }
  if (!printed || !outcome.write_problems.empty()) {
    // The verdict must reach somebody even when no file and no stdout took it.
    print_err(fmt::format("abgate: {} (exit code {}), not everything could be written\n",
                          title(record.verdict), record.exit_code));
    return record.exit_code == exit_code::pass ? exit_code::infra : record.exit_code;
  }
  return record.exit_code;
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
