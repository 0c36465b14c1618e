#pragma once

#include <abgate/model/config.hpp>

namespace abgate::plan {

/// The variables of both env blocks of one side's manifest (FORMATS 1): those of the configuration,
/// and what has to stand beside them because madengine's preset or the image would decide else.
Environment manifest_environment(const GateConfig& config, Side side);

}  // namespace abgate::plan
