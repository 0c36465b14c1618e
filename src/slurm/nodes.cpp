#include <algorithm>
#include <array>
#include <map>

#include <abgate/base/text.hpp>
#include <abgate/slurm/nodes.hpp>

namespace abgate::slurm {
namespace {

/// A state ends in a mark when more is to be said: `*` does not answer, `~` is powered down; but
/// `-` is planned for a job, and `+` ends one.
bool usable(std::string_view state) {
  if (state.ends_with('-') || state.ends_with('+')) state.remove_suffix(1);
  constexpr std::array<std::string_view, 6> states = {"idle",       "allocated", "mixed",
                                                      "completing", "reserved",  "planned"};
  return std::find(states.begin(), states.end(), state) != states.end();
}

/// A node stands there once for each of its partitions, always with the same state.
std::map<std::string_view, bool> states_of(std::string_view output) {
  std::map<std::string_view, bool> found;
  for (const std::string_view line : text::split(output, '\n')) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    found[line.substr(0, blank)] = usable(text::trim(line.substr(blank)));
  }
  return found;
}

}  // namespace

std::vector<std::string> node_states_argv(const std::vector<std::string>& nodes) {
  return {"sinfo", "--noheader", "--Node", "--nodes=" + text::join(nodes, ","), "--format=%N %T"};
}

std::vector<std::string> unusable_nodes(const std::vector<std::string>& nodes,
                                        std::string_view output) {
  const auto found = states_of(output);
  std::vector<std::string> out;
  for (const std::string& node : nodes) {
    const auto known = found.find(node);
    if (known == found.end() || !known->second) out.push_back(node);
  }
  return out;
}

std::vector<std::string> usable_nodes(std::string_view output) {
  std::vector<std::string> out;
  for (const auto& [node, is_usable] : states_of(output)) {
    if (is_usable) out.emplace_back(node);
  }
  return out;
}

}  // namespace abgate::slurm
