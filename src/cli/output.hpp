#pragma once

#include <string_view>

#include <abgate/base/diagnostic.hpp>
#include <abgate/model/record.hpp>

namespace abgate::cli {

/// Writes everything to stdout; false when it could not be written (a full disk, a closed pipe).
bool print_out(std::string_view text);
/// The same to stderr, best effort.
void print_err(std::string_view text);
/// Says the verdict on stderr where not everything could be written: it must reach somebody even
/// when no file and no stdout took it. Returns the exit code, which is not 0.
int say_unwritten(const GateRecord& record);
/// One line each on stderr, printable.
void print_diagnostics(const Diagnostics& diagnostics);

}  // namespace abgate::cli
