#pragma once

#include <string>
#include <vector>

#include <abgate/base/json.hpp>
#include <abgate/model/plan.hpp>

namespace abgate::plan {

/// The manifest of one side (FORMATS 1): stable key order, both env blocks equal, the two sides
/// differ only in image entry, library mounts and side environment. `nodes` fixes `slurm.nodelist`
/// when they are known; else the configuration's list does, when it names exactly as many nodes as
/// the gate takes. SLURM_TMPDIR and MAD_DOCKER_BUILDS are not in it: they belong to the engine's
/// process environment, and the two env blocks must agree.
Json make_manifest(const GateConfig& config, Side side, const std::vector<std::string>& nodes = {});

/// salloc's arguments up to the inner command (FORMATS 6); empty where nothing is allocated: with
/// the local launcher, and inside an allocation that is there.
std::vector<std::string> salloc_argv(const GateConfig& config, const std::string& job_name);

/// The engine's command line; always with cwd = the phase directory.
std::vector<std::string> engine_argv(const GateConfig& config);

/// Order, directories (`phases/1-baseline`, …), manifests, their hashes and both command lines. The
/// allocation is called `abgate-<run_id>`.
GatePlan make_plan(const GateConfig& config, const std::string& run_id);

/// `plan` for people: order, phases, both manifests' paths and differences, salloc argv, budgets
/// and each effective value with its origin. At most 100 columns, but for an argument of a command
/// that is longer; ends with a newline.
std::string render_text(const GatePlan& plan);
/// The same for programs: schema_version, order, phases (index, side, directory, manifest_path,
/// manifest_sha256, manifest), differences (pointer, baseline, candidate; null: absent),
/// salloc_argv, engine_argv, budgets in seconds, values (key, value, origin) and `effective_config`
/// as `config`.
Json render_json(const GatePlan& plan, const Json& effective_config);

}  // namespace abgate::plan
