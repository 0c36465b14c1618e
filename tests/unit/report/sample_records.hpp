#pragma once

#include <abgate/model/record.hpp>

namespace abgate::test {

/// Records as `run` and `score` write them, for the tests of every report.
GateRecord pass_record();
GateRecord regression_record();
GateRecord missing_leg_record();
GateRecord refused_record();
GateRecord advisory_record();
GateRecord cancelled_record();
GateRecord aba_record();
/// A leg with a profiled iteration, a leg that is missing.
GateRecord untrusted_record();
/// A gate in its first phase.
GateRecord running_record();
/// What `score` makes of directories that lie elsewhere.
GateRecord scored_record();
/// Every optional field set.
GateRecord full_record();
/// A record as it is before anything was done.
GateRecord minimal_record();

LegResult leg_of(const std::string& precision, double baseline, double candidate);
time::Instant minutes_in(double minutes);

}  // namespace abgate::test
