#pragma once

#include <vector>

#include "inputs.hpp"

namespace abgate::compare {

/// One result a leg, with its numbers and without an outcome.
std::vector<LegResult> measure_legs(const Inputs& inputs);

/// Statistics that can withhold trust: mean and median ratio apart, phases of one side apart; and
/// what is worth a note, drift and a surprising gain.
void check_statistics(const Inputs& inputs, const std::vector<LegResult>& legs, Reasons& reasons);

/// The outcome of every leg, after all checks: missing, untrusted, then the ratio against the
/// limit.
void decide_legs(const Inputs& inputs, std::vector<LegResult>& legs, Reasons& reasons);

}  // namespace abgate::compare
