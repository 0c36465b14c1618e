#pragma once

#include <optional>
#include <string>

#include <abgate/model/config.hpp>

namespace abgate::cli {

/// Reads which build the candidate library is and pins the gate to it: that build must then be seen
/// on every node (LESSONS 6). Returns the problem: no identity in the file, another one than
/// --candidate-rccl says, missing kpack files. Nothing to do without a library.
std::optional<std::string> pin_candidate_library(GateConfig& config);

}  // namespace abgate::cli
