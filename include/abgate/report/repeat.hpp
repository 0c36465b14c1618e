#pragma once

#include <string>
#include <vector>

#include <abgate/model/record.hpp>

namespace abgate::report {

/// The command that repeats this gate: `run --from` its record, on the same nodes; or `score` of
/// the same directories with the same limits. Holds no secret: those are in no record.
std::vector<std::string> repeat_argv(const GateRecord& record);

/// The nodes that the gate ran on, each once; empty when it had none.
std::vector<std::string> nodes_of(const GateRecord& record);

}  // namespace abgate::report
