#include <abgate/config/resolve.hpp>
#include <abgate/io/files.hpp>
#include <abgate/plan/plan.hpp>
#include <abgate/runner/disk_store.hpp>

#include "commands.hpp"
#include "load.hpp"
#include "output.hpp"

namespace abgate::cli {
namespace {

bool write_manifests(const GatePlan& plan, const std::string& folder) {
  for (const PhasePlan& phase : plan.phases) {
    const std::string directory = folder + "/" + phase.directory;
    auto done = io::make_directories(directory);
    if (done) done = io::write_atomically(directory + "/manifest.json", phase.manifest);
    if (!done) {
      print_err(io::format(done.error()) + "\n");
      return false;
    }
  }
  return true;
}

}  // namespace

int plan_command(const Arguments& arguments, const World& world) {
  runner::SystemClock clock;
  const std::string run_id = make_run_id(clock.now(), world.environment);
  const auto config = load_gate(arguments, world, run_id);
  if (!config) return exit_code::usage;
  const GatePlan plan = plan::make_plan(*config, run_id);
  const std::string text = arguments.format == "json"
                               ? plan::render_json(plan, config::to_json(*config)).dump()
                               : plan::render_text(plan);
  if (!arguments.out_dir.empty() && !write_manifests(plan, arguments.out_dir)) {
    return exit_code::infra;
  }
  return print_out(text) ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::cli
