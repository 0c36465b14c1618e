#pragma once

#include <string>

#include <abgate/base/result.hpp>
#include <abgate/model/record.hpp>

#include "commands.hpp"

namespace abgate::cli {

/// `DIR/gate.json` for a directory, else the path itself.
std::string record_path_of(const std::string& directory_or_file);
/// Reads a record; what is wrong with it has been said when nothing is returned.
std::optional<GateRecord> load_record(const std::string& directory_or_file);

/// Prints a report on stdout. In a GitHub job its lines are kept from being read as commands; the
/// annotations follow. False when it could not be printed.
bool print_report(const GateRecord& record, const std::string& report, const World& world);

/// Appends to the files that GitHub gives a job for its summary page and its outputs. What could
/// not be written is a warning on stderr: it never changes a verdict.
void publish_to_github(const GateRecord& record, const std::string& record_path,
                       const World& world);

}  // namespace abgate::cli
