#pragma once

#include <string>

#include <abgate/model/config.hpp>

namespace abgate::plan {

/// GPT-OSS-120B on two nodes of cluster ruby, with the values of FORMATS 1 and 8: the manifests are
/// those of the fixtures.
GateConfig gpt_oss_config();

/// Llama-3.1-70B on the same nodes: no knob is set.
GateConfig llama_config();

/// Adds what the shipped cluster has and the fixtures had not: host libraries, more docker options,
/// and a candidate library laid over the image's own.
void add_mounts(GateConfig& config);

}  // namespace abgate::plan
