#pragma once

#include <string>

#include <abgate/model/record.hpp>

namespace abgate::report {

/// The report for a terminal: verdict first, one line a leg, reasons, where the evidence lies. At
/// most 100 columns, no colour, no byte that could drive a terminal.
std::string render_text(const GateRecord& record);

}  // namespace abgate::report
