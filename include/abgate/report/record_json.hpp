#pragma once

#include <string>
#include <string_view>

#include <abgate/base/json.hpp>
#include <abgate/model/record.hpp>

namespace abgate::report {

/// The text of `gate.json`, schema_version 1.
Json to_json(const GateRecord& record);
std::string render_json(const GateRecord& record);

/// Reads a `gate.json`; unknown keys are kept out, a newer schema_version is an error.
Result<GateRecord, Diagnostics> parse_record(std::string_view text, const std::string& file);

}  // namespace abgate::report
