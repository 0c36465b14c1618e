#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace abgate::cli {

/// The program of --notify-command with its arguments; empty when none was given.
std::vector<std::string> notify_argv(const Arguments& arguments);

/// True when there is nothing to start or it can be found, now and not after three hours; else it
/// has been said.
bool notify_command_found(const Arguments& arguments, const World& world);

}  // namespace abgate::cli
