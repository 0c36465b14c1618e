#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abgate::slurm {

/// Asks for the state of these nodes.
std::vector<std::string> node_states_argv(const std::vector<std::string>& nodes);

/// Those of `nodes` that a job could not be given, now or later: unknown to Slurm, down, drained or
/// not answering.
std::vector<std::string> unusable_nodes(const std::vector<std::string>& nodes,
                                        std::string_view output);

/// All nodes of such an answer that a job could be given, each once.
std::vector<std::string> usable_nodes(std::string_view output);

}  // namespace abgate::slurm
