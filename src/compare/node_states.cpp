#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"

namespace abgate::compare {
namespace {

/// A busy neighbour. Not the load: its minute still holds the phase that has just ended.
constexpr std::int64_t many_threads = 8;
constexpr std::int64_t much_gpu_memory = std::int64_t{1} << 30;

Reason about_node(Code code, const PhaseInput& phase, const NodeFacts& node, std::string message) {
  Reason reason = about(code, phase, std::move(message));
  reason.node = node.node;
  return reason;
}

const NodeFacts* find(const std::vector<NodeFacts>& nodes, const std::string& name) {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const NodeFacts& node) { return node.node == name; });
  return found == nodes.end() ? nullptr : &*found;
}

/// One look at the nodes.
struct Look {
  const PhaseInput* phase;
  const std::vector<NodeFacts>* nodes;
  const char* when;  ///< relative to the phase
};

std::vector<Look> looks_of(const Inputs& inputs) {
  std::vector<Look> looks;
  for (const PhaseInput& phase : inputs.phases) {
    if (!phase.measured() || !phase.evidence->proof) continue;
    const PhaseProof& proof = *phase.evidence->proof;
    if (!proof.before.empty()) looks.push_back({&phase, &proof.before, "before"});
    if (!proof.after.empty()) looks.push_back({&phase, &proof.after, "after"});
  }
  return looks;
}

/// The boot ids of all looks.
void check_boots(const std::vector<Look>& looks, Reasons& reasons) {
  std::map<std::string, std::string> boots;
  for (const Look& look : looks) {
    for (const NodeFacts& node : *look.nodes) {
      if (node.boot_id.empty()) continue;
      std::string& boot = boots[node.node];
      if (boot.empty()) boot = node.boot_id;
      if (boot == node.boot_id) continue;
      reasons.push_back(
          about_node(Code::node_rebooted, *look.phase, node,
                     fmt::format("{} rebooted: its boot id changed by the look {} {}",
                                 text::printable(node.node), look.when, title(*look.phase))));
      boot = node.boot_id;
    }
  }
}

void check_vanished(const PhaseInput& phase, Reasons& reasons) {
  const PhaseProof& proof = *phase.evidence->proof;
  if (proof.end.kind == "interrupted") return;  // nobody looked any more
  for (const NodeFacts& node : proof.before) {
    if (find(proof.after, node.node) != nullptr) continue;
    reasons.push_back(about_node(Code::node_vanished, phase, node,
                                 fmt::format("{} answered before {} and not after it",
                                             text::printable(node.node), title(phase))));
  }
}

std::vector<std::string> new_containers(const NodeFacts& first, const NodeFacts& now) {
  std::vector<std::string> added;
  if (!first.containers || !now.containers) return added;
  for (const std::string& name : *now.containers) {
    const auto& known = *first.containers;
    if (std::find(known.begin(), known.end(), name) == known.end()) added.push_back(name);
  }
  return added;
}

void check_leftovers(const Look& look, const NodeFacts& first, const NodeFacts& now,
                     Reasons& reasons) {
  std::vector<std::string> found;
  for (const std::string& process : now.leftovers)
    found.push_back("process " + process);
  for (const std::string& container : new_containers(first, now))
    found.push_back("container " + container);
  if (found.empty()) return;
  reasons.push_back(about_node(
      Code::node_leftovers, *look.phase, now,
      fmt::format("on {} there was still {} {} {}", text::printable(now.node),
                  text::printable(text::join(found, ", ")), look.when, title(*look.phase))));
}

void check_state(const Look& look, const NodeFacts& first, const NodeFacts& now, Reasons& reasons) {
  std::vector<std::string> changes;
  if (first.running && now.running && *now.running - *first.running > many_threads) {
    changes.push_back(
        fmt::format("{} running threads instead of {}", *now.running, *first.running));
  }
  if (first.gpu_memory_used && now.gpu_memory_used &&
      *now.gpu_memory_used - *first.gpu_memory_used > much_gpu_memory) {
    constexpr double gib = 1024.0 * 1024 * 1024;
    changes.push_back(fmt::format("{:.1f} GiB of GPU memory in use instead of {:.1f}",
                                  static_cast<double>(*now.gpu_memory_used) / gib,
                                  static_cast<double>(*first.gpu_memory_used) / gib));
  }
  if (first.scratch_free && now.scratch_free && *now.scratch_free < *first.scratch_free / 10) {
    constexpr double gb = 1e9;
    changes.push_back(fmt::format("{:.1f} GB of scratch space free instead of {:.1f}",
                                  static_cast<double>(*now.scratch_free) / gb,
                                  static_cast<double>(*first.scratch_free) / gb));
  }
  if (changes.empty()) return;
  reasons.push_back(about_node(Code::node_state_differs, *look.phase, now,
                               fmt::format("before {}, {} had {}", title(*look.phase),
                                           text::printable(now.node), text::join(changes, ", "))));
}

}  // namespace

/// LESSONS 27; issue 4.5.
void check_node_states(const Inputs& inputs, Reasons& reasons) {
  const std::vector<Look> looks = looks_of(inputs);
  check_boots(looks, reasons);
  for (const PhaseInput& phase : inputs.phases) {
    if (phase.measured() && phase.evidence->proof) check_vanished(phase, reasons);
  }
  if (looks.empty()) return;
  for (const Look& look : looks) {
    // A phase's own processes may still be going when it has just ended, and the load with them.
    if (std::string_view(look.when) != "before") continue;
    for (const NodeFacts& node : *look.nodes) {
      const NodeFacts* first = find(*looks.front().nodes, node.node);
      if (first == nullptr || look.nodes == looks.front().nodes) continue;
      check_leftovers(look, *first, node, reasons);
      check_state(look, *first, node, reasons);
    }
  }
}

}  // namespace abgate::compare
