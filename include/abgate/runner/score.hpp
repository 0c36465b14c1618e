#pragma once

#include <string>
#include <vector>

#include <abgate/compare/compare.hpp>
#include <abgate/model/config.hpp>
#include <abgate/model/record.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Reads one phase directory: results, node logs, traces, proof. Judges nothing; what could not be
/// read is a problem in the evidence.
PhaseEvidence gather(ArtifactStore& store, const std::string& directory, int index, Side side,
                     const Workload& workload);

/// Puts legs, reasons and verdict of the evidence into the record; the one code path of `run` and
/// `score`. `run_reasons` come from running the gate.
void score_into(GateRecord& record, const GateConfig& config,
                const std::vector<PhaseEvidence>& evidence, const compare::Context& context,
                const std::vector<Reason>& run_reasons);

/// The exit code of a record: verdict, `--advisory`, and the signal that stopped the gate.
int exit_code_of(const GateRecord& record);

}  // namespace abgate::runner
