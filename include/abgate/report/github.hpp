#pragma once

#include <string>

#include <abgate/model/record.hpp>

namespace abgate::report {

/// Workflow commands, one a line: the verdict and its decisive reasons as `::error`, `::warning` or
/// `::notice`. GitHub shows ten of a kind a step and cuts a message at 4096 characters (FORMATS 7);
/// so does this. A message ends no command and starts none.
std::string render_annotations(const GateRecord& record);

/// The text for GITHUB_OUTPUT: `verdict`, `exit_code`, `ratio_min`, a `ratio_<precision>` a leg,
/// and `record`, the path of gate.json. A ratio that was not measured is empty, and `ratio_min` is
/// empty unless every leg has one.
std::string render_outputs(const GateRecord& record, const std::string& record_path);

}  // namespace abgate::report
