#pragma once

#include <string>

#include <abgate/model/config.hpp>
#include <abgate/runner/drive.hpp>

namespace abgate::runner {

/// Condenses the logs of a phase directory in place, gives copies of one text (FORMATS 2) one place
/// on the disk, and, where the logs then take more than `room` bytes, removes copies that scoring
/// does not read. Whatever can't be done is said and leaves the file as it was.
LogSpace tend_phase_logs(const std::string& directory, const std::string& results_csv,
                         std::optional<std::int64_t> room, const std::vector<LogKind>& kinds = {});

/// The same as the configuration asks for; empty with `--keep-raw-logs`.
AfterPhase log_tender(const GateConfig& config);

}  // namespace abgate::runner
