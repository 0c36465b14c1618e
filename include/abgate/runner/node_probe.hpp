#pragma once

#include <string>

#include <abgate/model/config.hpp>
#include <abgate/model/node_facts.hpp>
#include <abgate/process/process.hpp>

namespace abgate::runner {

/// Where the probe looks; tests give folders of their own.
struct ProbeRequest {
  std::string scratch;      ///< folder whose free space counts; empty: not looked at
  Environment environment;  ///< complete; Slurm's variables in it name node, job and step
  std::string proc = "/proc";
  std::string drm = "/sys/class/drm";  ///< the GPUs of amdgpu
};

/// Looks at the host that it runs on (LESSONS 27). Takes at most a few seconds, also when a
/// container engine hangs; what can't be told is left out.
NodeFacts probe_node(const ProbeRequest& request, process::SignalGate& gate);

}  // namespace abgate::runner
