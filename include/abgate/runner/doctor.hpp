#pragma once

#include <string>
#include <vector>

#include <abgate/model/plan.hpp>
#include <abgate/process/process.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// One thing that the doctor looked at.
struct Finding {
  enum class State { ok, warning, failed };
  State state = State::ok;
  std::string text;  ///< what was seen, and for what is not ok the remedy
};
using Findings = std::vector<Finding>;

/// What a doctor's visit may use.
struct Visit {
  const Environment& environment;  ///< inherited
  std::string self;                ///< path of this executable
  process::SignalGate& gate;
};

/// Does this binary still refuse what it must (the self-test)?
void examine_judge(WallClock& clock, Findings& findings);
/// Is everything here that this gate needs before it asks for nodes, and does its engine start?
void examine_host(const GatePlan& plan, const Visit& visit, Findings& findings);
/// Does Slurm answer, and has its partition enough usable nodes?
void examine_slurm(const GateConfig& config, const Visit& visit, Findings& findings);
/// Asks the nodes of `config.nodelist` for their state by one step; takes them for seconds.
void examine_nodes(const GateConfig& config, const Visit& visit, Findings& findings);

bool none_failed(const Findings& findings);
/// One line a finding and a last line that counts.
std::string render(const Findings& findings);

}  // namespace abgate::runner
