#pragma once

#include <string>

#include <abgate/model/record.hpp>

namespace abgate::report {

/// One page that needs no network and no script: verdict, ratios, curves, memory, times, reasons,
/// configuration. Well-formed as HTML and as XML; its own policy forbids everything but its style.
std::string render_html(const GateRecord& record);

}  // namespace abgate::report
