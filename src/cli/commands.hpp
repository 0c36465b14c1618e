#pragma once

#include <abgate/model/config.hpp>
#include <abgate/process/process.hpp>

#include "arguments.hpp"

namespace abgate::cli {

/// What every subcommand may use of the world outside.
struct World {
  Environment environment;
  std::string self;  ///< path of this executable
};

// Each returns the exit code of DESIGN 2.
int run_command(const Arguments& arguments, const World& world);
int plan_command(const Arguments& arguments, const World& world);
int score_command(const Arguments& arguments, const World& world);
int validate_command(const Arguments& arguments);
int condense_command(const Arguments& arguments);
int report_command(const Arguments& arguments, const World& world);
int history_command(const Arguments& arguments, const World& world);
int configs_command(const Arguments& arguments, const World& world);
int help_command(const Arguments& arguments);
int completion_command();
int man_command();
int selftest_command();
int doctor_command(const Arguments& arguments, const World& world);
int inner_command(const Arguments& arguments, const World& world);
int node_facts_command(const Arguments& arguments, const World& world);

}  // namespace abgate::cli
