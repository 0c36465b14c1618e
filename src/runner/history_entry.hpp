#pragma once

#include <string>

#include <abgate/model/record.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Appends one line about the gate to `<results_dir>/history.jsonl` and keeps its record under
/// `runs/<run id>/`.
Status<std::string> append_history(ArtifactStore& store, const std::string& results_dir,
                                   const GateRecord& record);

}  // namespace abgate::runner
