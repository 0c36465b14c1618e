#pragma once

#include <string_view>

#include <abgate/base/diagnostic.hpp>

namespace abgate::cli {

/// Writes everything to stdout; false when it could not be written (a full disk, a closed pipe).
bool print_out(std::string_view text);
/// The same to stderr, best effort.
void print_err(std::string_view text);
/// One line each on stderr, printable.
void print_diagnostics(const Diagnostics& diagnostics);

}  // namespace abgate::cli
