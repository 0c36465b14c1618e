#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <abgate/base/hostlist.hpp>

#include "merge.hpp"

namespace abgate::config {
namespace {

void merge_count(Merge& merge) {
  const std::vector<std::int64_t>& validated = merge.gate.workload.validated_nodes;
  std::int64_t& nodes = merge.gate.nodes;
  if (!merge.options.nodes) {
    if (!validated.empty()) nodes = validated.front();
    merge.origin("nodes", merge.origin_of("workload.validated_nodes"));
    return;
  }
  nodes = *merge.options.nodes;
  merge.origin("nodes", "--nodes");
  if (nodes < 1) {
    merge.error("--nodes", fmt::format("{} is no number of nodes", nodes), "give at least 1");
    return;
  }
  if (!merge.has_workload ||
      std::find(validated.begin(), validated.end(), nodes) != validated.end()) {
    return;
  }
  std::string message = fmt::format("{} is not validated with {} nodes (validated: {})",
                                    merge.gate.workload.name, nodes, fmt::join(validated, ", "));
  if (merge.options.allow_unvalidated_nodes) {
    merge.warning("--nodes", std::move(message));
  } else {
    merge.error("--nodes", std::move(message), "give one of these, or --allow-unvalidated-nodes");
  }
}

/// The hosts of an option; reports a malformed list.
std::vector<std::string> hosts_of(Merge& merge, const std::string& list, std::string_view option) {
  if (list.empty()) return {};
  if (auto hosts = expand_hostlist(list)) return *hosts;
  merge.error(option, fmt::format("\"{}\" is no host list", list),
              fmt::format("give {}", shapes::hosts.right));
  return {};
}

void check_lists(Merge& merge) {
  const auto used = hosts_of(merge, merge.gate.nodelist, "--nodelist");
  const auto excluded =
      hosts_of(merge, merge.gate.exclude, merge.options.exclude ? "--exclude" : "cluster.exclude");
  if (used.empty()) return;
  const std::set<std::string> distinct(used.begin(), used.end());
  if (distinct.size() != used.size()) {
    merge.error("--nodelist", "names a node twice", "keep one");
  } else if (merge.gate.nodes > 0 && used.size() != static_cast<std::size_t>(merge.gate.nodes)) {
    merge.error("--nodelist",
                fmt::format("names {} nodes, the gate takes {}", used.size(), merge.gate.nodes),
                "name as many as --nodes says");
  }
  for (const std::string& host : excluded) {
    if (!distinct.contains(host)) continue;
    merge.error(
        "--nodelist",
        fmt::format("names {}, which is excluded (by {})", host, merge.origin_of("exclude")),
        "leave it out of one of both");
  }
}

struct Given {
  std::string_view option;
  bool given;
};

/// Options that only a new allocation can obey.
std::vector<Given> allocation_options(const Options& o) {
  return {{"--partition", o.partition.has_value()},
          {"--qos", o.qos.has_value()},
          {"--account", o.account.has_value()},
          {"--reservation", o.reservation.has_value()},
          {"--exclude", o.exclude.has_value()},
          {"--salloc-arg", !o.salloc_args.empty()},
          {"--queue-timeout", o.queue_timeout.has_value()}};
}

void check_launcher_options(Merge& merge) {
  const Options& o = merge.options;
  if (merge.gate.launcher == Launcher::local) {
    auto options = allocation_options(o);
    options.push_back({"--nodelist", o.nodelist.has_value()});
    options.push_back({"--use-allocation", o.use_allocation});
    for (const auto& [option, given] : options) {
      if (given) {
        merge.error(option, "the local launcher has no scheduler",
                    "leave it out, or give --launcher slurm");
      }
    }
  } else if (o.use_allocation) {
    for (const auto& [option, given] : allocation_options(o)) {
      if (given) {
        merge.error(option, "an allocation that exists keeps what it was given",
                    "leave it out, or leave out --use-allocation");
      }
    }
  }
}

/// FORMATS 1: with one node there is no network to choose; NCCL_NET would fail the start.
void drop_net_on_one_node(Merge& merge) {
  if (merge.gate.nodes != 1) return;
  const auto drop = [&](Environment& env, const std::string& origin) {
    std::erase_if(env, [](const auto& entry) { return entry.first == "NCCL_NET"; });
    merge.gate.origins.erase(origin);
  };
  drop(merge.gate.cluster.env, "env.NCCL_NET");
  drop(merge.gate.workload.env, "env.NCCL_NET");
  for (auto [side, option] : {std::pair{&merge.gate.baseline, "--baseline-env"},
                              std::pair{&merge.gate.candidate, "--candidate-env"}}) {
    if (find_variable(side->env, "NCCL_NET") == nullptr) continue;
    merge.error(option, "NCCL_NET: one node has no network to choose",
                "leave it out, or give more nodes");
  }
}

}  // namespace

void check_nodes(Merge& merge) {
  check_lists(merge);
  check_launcher_options(merge);
}

void merge_nodes(Merge& merge) {
  merge_count(merge);
  check_nodes(merge);
  drop_net_on_one_node(merge);
}

}  // namespace abgate::config
