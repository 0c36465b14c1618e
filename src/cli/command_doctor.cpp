#include <abgate/plan/plan.hpp>
#include <abgate/runner/disk_store.hpp>
#include <abgate/runner/doctor.hpp>

#include "commands.hpp"
#include "load.hpp"
#include "output.hpp"

namespace abgate::cli {

int doctor_command(const Arguments& arguments, const World& world) {
  process::SignalGate gate;
  runner::SystemClock clock;
  const runner::Visit visit{world.environment, world.self, gate};
  runner::Findings findings;
  runner::examine_judge(clock, findings);
  if (!arguments.workload.empty()) {
    const std::string run_id = make_run_id(clock.now(), world.environment);
    // What the sides are is not the doctor's business.
    Arguments examined = arguments;
    examined.options.same_build = true;
    const auto config = load_gate(examined, world, run_id);
    if (!config) return exit_code::usage;
    runner::examine_host(plan::make_plan(*config, run_id), visit, findings);
    if (config->launcher == Launcher::slurm) {
      runner::examine_slurm(*config, visit, findings);
      if (!config->nodelist.empty()) runner::examine_nodes(*config, visit, findings);
    }
  }
  if (const int signal = gate.pending_signal(); signal != 0) return exit_code::signal_base + signal;
  const bool printed = print_out(runner::render(findings));
  return printed && runner::none_failed(findings) ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::cli
