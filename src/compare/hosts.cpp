#include "hosts.hpp"

#include <fmt/format.h>

#include <abgate/base/text.hpp>

namespace abgate::compare {

std::string short_host(std::string_view name) {
  std::string lowered = text::to_lower(text::trim(name));
  if (lowered.find_first_not_of("0123456789.") == std::string::npos) return lowered;
  return lowered.substr(0, lowered.find('.'));
}

Hosts proved_hosts(const PhaseInput& phase) {
  Hosts out;
  if (!phase.evidence->proof) return out;
  for (const std::string& node : phase.evidence->proof->nodes)
    out.insert(short_host(node));
  out.erase("");
  return out;
}

Hosts logged_hosts(const PhaseInput& phase) {
  Hosts out;
  for (const RcclBanner& banner : phase.evidence->banners)
    out.insert(short_host(banner.host));
  for (const NodeTrace& node : phase.evidence->nodes)
    out.insert(short_host(node.host));
  out.erase("");
  return out;
}

Hosts hosts_of(const PhaseInput& phase) {
  Hosts proved = proved_hosts(phase);
  return proved.empty() ? logged_hosts(phase) : proved;
}

std::string node_name(const PhaseInput& phase, const std::string& host, const std::string& index) {
  if (!text::trim(host).empty()) return short_host(host);
  for (const NodeTrace& node : phase.evidence->nodes) {
    if (node.index == index && !node.host.empty()) return short_host(node.host);
  }
  return "node_" + (index.empty() ? std::string("?") : index);
}

std::size_t expected_nodes(const GateConfig& config) {
  if (config.launcher == Launcher::local || config.nodes < 1) return 1;
  return static_cast<std::size_t>(config.nodes);
}

std::string list(const Hosts& hosts) {
  return hosts.empty() ? "none" : text::printable(fmt::format("{}", fmt::join(hosts, ", ")));
}

}  // namespace abgate::compare
