#pragma once

#include <string>
#include <vector>

#include <abgate/model/config.hpp>
#include <abgate/model/record.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Phase directories that exist already: a finished run of ours, or madengine output from
/// elsewhere.
struct ForeignGate {
  std::vector<std::string> baseline;
  std::vector<std::string> candidate;
  GateConfig config;  ///< sides are filled from the directories' manifests
  std::string run_id;
  std::string tool_version;
};

/// What the manifest of a phase directory says about its side; nothing when there is none that can
/// be read.
struct ForeignSide {
  SideConfig side;
  std::int64_t nodes = 0;  ///< 0: not said
};
std::optional<ForeignSide> read_side(ArtifactStore& store, const std::string& directory);

/// Scores the directories by the code path of `run`.
GateRecord score_directories(const ForeignGate& gate, ArtifactStore& store, WallClock& clock);

}  // namespace abgate::runner
