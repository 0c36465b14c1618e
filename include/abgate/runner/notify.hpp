#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <abgate/model/config.hpp>
#include <abgate/model/record.hpp>
#include <abgate/process/process.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// A program that is told how a gate ended.
struct Notification {
  std::vector<std::string> argv;  ///< program and arguments, no shell; empty: nobody is told
  std::string record_path;        ///< gate.json: its standard input, and ABGATE_RECORD
  std::string report_path;        ///< the text report: ABGATE_REPORT
  std::chrono::milliseconds deadline{30'000};
};

/// Runs it with our environment and ABGATE_VERDICT, ABGATE_EXIT_CODE, ABGATE_RECORD and
/// ABGATE_REPORT. When it fails its first error output goes to the observer, redacted, and a note
/// for the record is returned; that changes neither verdict nor exit code. After a signal nobody is
/// told: there is no time left.
std::optional<Reason> notify(const Notification& notification, const GateRecord& record,
                             const Environment& environment, Observer& observer,
                             process::SignalGate& gate);

/// The gate's own files, as `score` has no work directory: writes them to a new folder below
/// `temporary`, notifies, and removes them.
std::optional<Reason> notify_from_temporary(Notification notification, const GateRecord& record,
                                            const Environment& environment,
                                            const std::string& temporary, Observer& observer,
                                            process::SignalGate& gate);

}  // namespace abgate::runner
