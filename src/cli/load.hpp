#pragma once

#include <optional>
#include <string>

#include <abgate/base/time.hpp>
#include <abgate/config/resolve.hpp>

#include "arguments.hpp"
#include "commands.hpp"

namespace abgate::cli {

/// Workload and cluster as parsed, their problems included; a file that was not found or not read
/// has been said when nothing is returned.
std::optional<config::Parsed<Workload>> load_workload(const Arguments& arguments,
                                                      const World& world);
std::optional<config::Parsed<Cluster>> load_cluster(const Arguments& arguments, const World& world);

/// The effective configuration of a gate; problems have been printed when nothing is returned.
std::optional<GateConfig> load_gate(const Arguments& arguments, const World& world,
                                    const std::string& run_id);

/// `20261130-190335-1a2b3c`: sorts by time, unique over hosts. In GitHub Actions it carries the
/// workflow's run and attempt, `20261130-190335-1a2b3c-r1234567-a2`: a repeated run shows (LESSONS
/// 13).
std::string make_run_id(time::Instant now, const Environment& environment);

}  // namespace abgate::cli
