#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "inputs.hpp"

namespace abgate::compare {

using Hosts = std::set<std::string>;

/// A host name without its domain and without case; an address stays whole.
std::string short_host(std::string_view name);

Hosts proved_hosts(const PhaseInput& phase);  ///< of phase.json
Hosts logged_hosts(const PhaseInput& phase);  ///< of banners and `.err` files
/// The best that is known about a phase: proved, else logged.
Hosts hosts_of(const PhaseInput& phase);

/// The node that printed something: its host, else the host of the node log with that index, else
/// `node_<index>`.
std::string node_name(const PhaseInput& phase, const std::string& host, const std::string& index);

/// How many nodes must be seen. The local launcher's phases all run on one host.
std::size_t expected_nodes(const GateConfig& config);

std::string list(const Hosts& hosts);

}  // namespace abgate::compare
