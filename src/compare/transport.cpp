#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"
#include "hosts.hpp"

// LESSONS 9: a gate whose traffic went over sockets did not test the fabric, whatever its ratio.

namespace abgate::compare {
namespace {

bool is_socket(const TransportLine& line) {
  return same_name(line.kind, "Socket");
}

/// Unless a side turns the fabric off it is meant to use it, also when its environment is not
/// known.
bool asks_for_fabric(const GateConfig& config, Side side) {
  const Environment env = config.environment_of(side);
  const std::string* net = find_variable(env, "NCCL_NET");
  const std::string* disabled = find_variable(env, "NCCL_IB_DISABLE");
  if (net != nullptr && !net->empty()) return same_name(*net, "IB");
  return disabled == nullptr || *disabled == "0" || disabled->empty();
}

std::set<std::string> kinds_of(const Inputs& inputs, Side side) {
  std::set<std::string> kinds;
  for (const PhaseInput* phase : inputs.of(side)) {
    for (const TransportLine& line : phase->evidence->transports)
      kinds.insert(text::to_lower(text::trim(line.kind)));
  }
  return kinds;
}

std::vector<const PhaseInput*> phases_on_sockets(const Inputs& inputs, Side side) {
  std::vector<const PhaseInput*> out;
  for (const PhaseInput* phase : inputs.of(side)) {
    const auto& lines = phase->evidence->transports;
    if (std::any_of(lines.begin(), lines.end(), is_socket)) out.push_back(phase);
  }
  return out;
}

void cite_sockets(Reason& reason, const PhaseInput& phase) {
  for (const TransportLine& line : phase.evidence->transports) {
    if (is_socket(line)) cite(reason, phase, line.where);
  }
}

void say_both(const std::vector<const PhaseInput*>& baseline,
              const std::vector<const PhaseInput*>& candidate, Reasons& reasons) {
  Reason reason = make_reason(Code::fabric_not_tested,
                              "both sides ran over sockets although the configuration asks for the "
                              "fabric: the ratio says nothing about it");
  for (const auto* phases : {&baseline, &candidate}) {
    for (const PhaseInput* phase : *phases)
      cite_sockets(reason, *phase);
  }
  reasons.push_back(std::move(reason));
}

void say_one(const std::vector<const PhaseInput*>& phases, Reasons& reasons) {
  for (const PhaseInput* phase : phases) {
    Hosts nodes;
    for (const TransportLine& line : phase->evidence->transports) {
      if (is_socket(line)) nodes.insert(node_name(*phase, "", line.node_index));
    }
    Reason reason = about(
        Code::transport_differs, *phase,
        fmt::format("{} ran over sockets on {}, the other side did not: that is the cause of what "
                    "the ratio shows",
                    title(*phase), list(nodes)));
    if (!nodes.empty()) reason.node = *nodes.begin();
    cite_sockets(reason, *phase);
    reasons.push_back(std::move(reason));
  }
}

/// Neither side must use the fabric, or both do, by different names.
void compare_kinds(const Inputs& inputs, bool asked_alike, Reasons& reasons) {
  const auto baseline = kinds_of(inputs, Side::baseline);
  const auto candidate = kinds_of(inputs, Side::candidate);
  if (baseline.empty() || candidate.empty() || baseline == candidate) return;
  Reason reason =
      make_reason(Code::transport_differs,
                  fmt::format("the baseline ran over {} and the candidate over {}{}",
                              text::printable(fmt::format("{}", fmt::join(baseline, " and "))),
                              text::printable(fmt::format("{}", fmt::join(candidate, " and "))),
                              asked_alike ? "" : ", as their environments ask"));
  if (!asked_alike) reason.weight = Weight::note;
  reasons.push_back(std::move(reason));
}

}  // namespace

void check_transport(const Inputs& inputs, Reasons& reasons) {
  const GateConfig& config = inputs.config;
  // One host has no fabric to test.
  if (config.launcher == Launcher::local || config.nodes < 2) return;
  const bool baseline_asks = asks_for_fabric(config, Side::baseline);
  const bool candidate_asks = asks_for_fabric(config, Side::candidate);
  // Sides that ask for different transports are compared on purpose.
  if (baseline_asks != candidate_asks) return compare_kinds(inputs, false, reasons);
  if (!baseline_asks) return compare_kinds(inputs, true, reasons);

  const auto baseline = phases_on_sockets(inputs, Side::baseline);
  const auto candidate = phases_on_sockets(inputs, Side::candidate);
  if (!baseline.empty() && !candidate.empty()) return say_both(baseline, candidate, reasons);
  if (!baseline.empty() || !candidate.empty()) {
    return say_one(baseline.empty() ? candidate : baseline, reasons);
  }
  const bool unseen =
      kinds_of(inputs, Side::baseline).empty() || kinds_of(inputs, Side::candidate).empty();
  if (unseen) {
    reasons.push_back(make_reason(Code::transport_not_seen,
                                  "the logs do not name the network transport of both sides, so "
                                  "that the fabric was used is not shown (NCCL_DEBUG=INFO prints "
                                  "it)"));
    return;
  }
  compare_kinds(inputs, true, reasons);
}

}  // namespace abgate::compare
