#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/hostlist.hpp>
#include <abgate/base/text.hpp>

#include "check.hpp"

namespace abgate::plan {
namespace {

void check_nodelist(const Place& slurm, Findings& findings) {
  const Place nodelist = slurm["nodelist"];
  if (!nodelist || !findings.string(nodelist) || nodelist.text().empty()) return;
  auto names = expand_hostlist(nodelist.text());
  if (!names) {
    findings.error(nodelist, fmt::format("is {}, not a host list", quoted(nodelist.text())),
                   R"(give names as in "a1,a2" or "a[1-2]")");
    return;
  }
  const auto nodes = slurm["nodes"].integer();
  if (nodes && *nodes != static_cast<std::int64_t>(names->size())) {
    findings.error(nodelist, fmt::format("names {} nodes, but nodes is {}", names->size(), *nodes),
                   "slurm.nodes, distributed.nnodes and the number of names must agree");
  }
  std::sort(names->begin(), names->end());
  const auto twice = std::adjacent_find(names->begin(), names->end());
  if (twice != names->end()) {
    findings.error(nodelist, fmt::format("names {} twice", quoted(*twice)));
  }
}

void check_output_dir(const Place& slurm, Findings& findings) {
  const Place output = slurm["output_dir"];
  if (!findings.string(output)) return;
  if (output.text().starts_with('/')) {
    findings.error(output,
                   fmt::format("is {}, an absolute path: madengine puts it below the "
                               "manifest's directory",
                               quoted(output.text())),
                   "give \"slurm_output\"");
  } else if (output.text() != "slurm_output") {
    findings.warning(
        output,
        fmt::format("is {}: abgate looks for node logs in slurm_output", quoted(output.text())),
        "give \"slurm_output\"");
  }
}

void check_time(const Place& slurm, Findings& findings) {
  const Place time = slurm["time"];
  if (!findings.string(time)) return;
  const auto limit = duration::parse(time.text());
  const bool slurm_form = time.text().find(':') != std::string_view::npos;
  if (!limit || limit->count() <= 0 || !slurm_form) {
    findings.error(time, fmt::format("is {}, not a time limit", quoted(time.text())),
                   "give HH:MM:SS or D-HH:MM:SS");
  }
}

void check_slurm(const Place& slurm, Findings& findings) {
  if (!findings.object(slurm)) return;
  findings.positive(slurm["nodes"]);
  findings.positive(slurm["gpus_per_node"]);
  check_time(slurm, findings);
  check_output_dir(slurm, findings);
  check_nodelist(slurm, findings);
  for (const char* key :
       {"partition", "qos", "account", "reservation", "exclude", "network_interface"}) {
    findings.string(slurm[key], false);
  }
  findings.boolean(slurm["exclusive"], false);
  findings.boolean(slurm["skip_gpus_directive"], false);
  const Place check = slurm["enable_node_check"];
  if (!check || (findings.boolean(check) && check.value->as_boolean())) {
    findings.warning(check, "is not false: madengine then starts steps of its own before the run",
                     "give false");
  }
  findings.unknown_keys(slurm, {"partition",
                                "qos",
                                "account",
                                "reservation",
                                "nodes",
                                "gpus_per_node",
                                "time",
                                "output_dir",
                                "results_dir",
                                "exclusive",
                                "enable_node_check",
                                "network_interface",
                                "nodelist",
                                "exclude",
                                "skip_gpus_directive",
                                "constraint",
                                "modules",
                                "shared_workspace",
                                "auto_cleanup_nodes",
                                "verbose_node_check",
                                "allow_submit_without_clean_nodes"});
}

void check_equal_counts(const Place& a, const Place& b, Findings& findings) {
  const auto left = a.integer();
  const auto right = b.integer();
  if (left && right && *left != *right) {
    findings.error(b, fmt::format("is {}, but {} is {}", *right, a.pointer, *left));
  }
}

void check_distributed(const Place& deployment, Findings& findings) {
  const Place distributed = deployment["distributed"];
  if (!findings.object(distributed)) return;
  findings.equals(distributed["launcher"], "primus");
  findings.equals(distributed["backend"], "nccl");
  findings.positive(distributed["nnodes"]);
  findings.positive(distributed["nproc_per_node"]);
  check_equal_counts(deployment["slurm"]["nodes"], distributed["nnodes"], findings);
  check_equal_counts(deployment["slurm"]["gpus_per_node"], distributed["nproc_per_node"], findings);
  const Place port = distributed["port"];
  constexpr std::int64_t highest_port = 65535;
  if (findings.positive(port, false) && *port.integer() > highest_port) {
    findings.error(port, fmt::format("is {}, not a port", *port.integer()));
  }
}

/// `local` is for a host without a scheduler; a section `slurm` beside it would win.
void check_target(const Place& deployment, Findings& findings) {
  const Place target = deployment["target"];
  if (target.text() != "local") {
    findings.equals(target, "slurm");
    check_slurm(deployment["slurm"], findings);
    return;
  }
  if (deployment["slurm"]) {
    findings.error(target, "is \"local\", but the section slurm makes madengine submit a job",
                   "give \"slurm\", or leave the section out");
  }
}

}  // namespace

void check_deployment(const Place& manifest, Findings& findings) {
  const Place deployment = manifest["deployment_config"];
  if (!findings.object(deployment)) return;
  check_target(deployment, findings);
  check_distributed(deployment, findings);
  findings.boolean(deployment["debug"], false);
  const Place gpus = deployment["docker_gpus"];
  const std::string_view wanted = manifest["context"]["docker_gpus"].text();
  if (findings.string(gpus, false) && !wanted.empty() && gpus.text() != wanted) {
    findings.error(gpus, fmt::format("is {}, but context.docker_gpus is {}", quoted(gpus.text()),
                                     quoted(wanted)));
  }
}

}  // namespace abgate::plan
