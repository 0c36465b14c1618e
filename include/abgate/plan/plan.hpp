#pragma once

#include <string>
#include <vector>

#include <abgate/base/json.hpp>
#include <abgate/model/plan.hpp>

namespace abgate::plan {

/// The manifest of one side (FORMATS 1): stable key order, both env blocks equal, the two sides
/// differ only in image entry, library mounts and side environment. `nodes` fixes `slurm.nodelist`
/// when they are known.
Json make_manifest(const GateConfig& config, Side side, const std::vector<std::string>& nodes = {});

/// salloc's arguments up to the inner command (FORMATS 6); empty with the local launcher.
std::vector<std::string> salloc_argv(const GateConfig& config, const std::string& job_name);

/// The engine's command line; always with cwd = the phase directory.
std::vector<std::string> engine_argv(const GateConfig& config);

GatePlan make_plan(const GateConfig& config, const std::string& run_id);

/// `plan` for people: order, phases, both manifests' paths and differences, salloc argv, budgets
/// and each effective value with its origin.
std::string render_text(const GatePlan& plan);
Json render_json(const GatePlan& plan, const Json& effective_config);

}  // namespace abgate::plan
