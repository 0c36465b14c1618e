#pragma once

#include <string>

#include "arguments.hpp"

namespace abgate::cli {

/// A bash script that completes commands, options, choices, files, and the names of configurations,
/// which it asks `abgate configs` for.
std::string bash_completion(const CommandHelp& program);

/// The manual page, section 1, in the man macros of roff.
std::string manual_page(const CommandHelp& program);

}  // namespace abgate::cli
