#pragma once

#include <string>

#include <abgate/model/record.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Keeps the record under `<results_dir>/runs/<id>/gate.json` and then appends one line about the
/// gate to `<results_dir>/history.jsonl`. The id is the run id, with `-2`, `-3`, … when that folder
/// exists: nothing is ever overwritten. Returns the path of the record that was kept.
Result<std::string, std::string> append_history(ArtifactStore& store,
                                                const std::string& results_dir,
                                                const GateRecord& record);

}  // namespace abgate::runner
