#pragma once

#include <string>

#include <abgate/base/result.hpp>
#include <abgate/model/evidence.hpp>
#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// What an engine.log of any size says, read in pieces: with `--live-output` it holds what every
/// node printed.
Result<EngineTrace, std::string> read_engine_trace(ArtifactStore& store, const std::string& path);

}  // namespace abgate::runner
