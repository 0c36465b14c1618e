#pragma once

#include <string>
#include <vector>

#include <abgate/model/config.hpp>
#include <abgate/model/evidence.hpp>
#include <abgate/model/verdict.hpp>

namespace abgate::compare {

/// What the gate that ran (or did not run) knows beside the phase directories.
struct Context {
  bool live = false;   ///< a run of ours: a phase without proof is a reason
  std::string run_id;  ///< that every proof must carry
  std::string job_id;  ///< of our allocation; empty with the local launcher or when unknown
  std::vector<std::string> nodes;  ///< of our allocation; empty when unknown
};

/// Judges the evidence: expected legs from the configuration, values, completeness, same work,
/// knobs, provenance, place and freshness (DESIGN 5, LESSONS 1 to 13). Pure.
Scorecard compare(const GateConfig& config, const std::vector<PhaseEvidence>& phases,
                  const Context& context);

}  // namespace abgate::compare
