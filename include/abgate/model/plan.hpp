#pragma once

#include <string>
#include <vector>

#include <abgate/model/config.hpp>

namespace abgate {

struct PhasePlan {
  int index = 0;  ///< 1-based
  Side side = Side::baseline;
  std::string directory;  ///< relative to the work directory: `phases/1-baseline`
  std::string manifest;   ///< text of manifest.json
  std::string manifest_sha256;
};

/// All that `run` does, decided before anything is taken.
struct GatePlan {
  GateConfig config;
  std::vector<PhasePlan> phases;
  std::vector<std::string>
      salloc_argv;  ///< up to and without the inner command; empty with launcher local
  std::vector<std::string> engine_argv;
};

}  // namespace abgate
