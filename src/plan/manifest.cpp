#include <algorithm>

#include <abgate/base/duration.hpp>
#include <abgate/base/hostlist.hpp>
#include <abgate/base/text.hpp>
#include <abgate/plan/plan.hpp>

#include "environment.hpp"

namespace abgate::plan {
namespace {

/// MASTER_PORT's usual number; nothing else runs on nodes that are held alone.
constexpr int rendezvous_port = 29500;

Json to_json(const Environment& env) {
  Json out = Json::object();
  for (const auto& [key, value] : env)
    out.set(key, value);
  return out;
}

/// Mounts by container path; a later one takes the place of an earlier one.
std::vector<Mount> mounts_of(const GateConfig& config, Side side) {
  std::vector<Mount> out;
  for (const std::vector<Mount>* mounts :
       {&config.cluster.mounts, &config.workload.mounts, &config.side(side).library_mounts}) {
    for (const Mount& mount : *mounts) {
      const auto same = std::find_if(out.begin(), out.end(), [&](const Mount& earlier) {
        return earlier.container == mount.container;
      });
      if (same == out.end()) {
        out.push_back(mount);
      } else {
        *same = mount;
      }
    }
  }
  return out;
}

/// madengine renders `-v <value>:<key>`, so a read-only mount carries its mode in the key.
Json docker_mounts(const GateConfig& config, Side side) {
  Json out = Json::object();
  for (const Mount& mount : mounts_of(config, side))
    out.set(mount.container + (mount.read_only ? ":ro" : ""), mount.host);
  return out;
}

std::string docker_options(const GateConfig& config) {
  std::vector<std::string> options = config.cluster.docker_options;
  options.insert(options.end(), config.workload.docker_options.begin(),
                 config.workload.docker_options.end());
  return text::join(options, " ");
}

std::string gpu_list(std::int64_t gpus) {
  std::vector<std::string> numbers;
  for (std::int64_t gpu = 0; gpu < gpus; ++gpu)
    numbers.push_back(std::to_string(gpu));
  return text::join(numbers, ",");
}

std::string or_else(const std::string& value, std::string_view fallback) {
  return value.empty() ? std::string(fallback) : value;
}

std::string gpu_vendor(const GateConfig& config) {
  return or_else(config.cluster.gpu_vendor, "AMD");
}

Json image_entry(const GateConfig& config, Side side) {
  const SideConfig& chosen = config.side(side);
  Json image = Json::object();
  image.set("docker_image", chosen.image);
  image.set("local_image", chosen.local_image);
  // A local image is in no registry: MAD_DOCKER_BUILDS carries it to the nodes.
  if (!chosen.local_image) image.set("registry_image", chosen.image);
  image.set("registry", nullptr);
  image.set("base_docker", config.baseline.image);
  image.set("build_status", "SKIPPED");
  image.set("build_duration", 0);
  image.set("gpu_vendor", gpu_vendor(config));
  return image;
}

Json model_entry(const GateConfig& config) {
  const Workload& workload = config.workload;
  Json model = Json::object();
  model.set("name", workload.model_card);
  model.set("tags", Json::strings(workload.tags));
  model.set("dockerfile", "N/A (overlay image)");
  model.set("scripts", workload.scripts);
  model.set("n_gpus", "-1");
  model.set("owner", "");
  model.set("training_precision", "");
  model.set("multiple_results", workload.results_csv);
  model.set("args", workload.args);
  model.set("additional_docker_run_options", docker_options(config));
  model.set("data", "");
  model.set("cred", "");
  model.set("timeout", std::int64_t{workload.engine_timeout.count()});
  return model;
}

Json context_section(const GateConfig& config, Side side, const Environment& env) {
  Json context = Json::object();
  context.set("gpu_vendor", gpu_vendor(config));
  context.set("guest_os", or_else(config.cluster.guest_os, "UBUNTU"));
  context.set("docker_gpus", gpu_list(config.workload.gpus_per_node));
  Json& render_nodes = context.set("gpu_renderDs", Json::array());
  for (const std::int64_t node : config.cluster.render_nodes)
    render_nodes.push_back(node);
  context.set("docker_env_vars", to_json(env));
  context.set("docker_mounts", docker_mounts(config, side));
  context.set("docker_build_arg", Json::object());
  return context;
}

/// The nodes that `slurm.nodelist` names, in long form; empty when they are not known or when
/// their number is not the gate's, which madengine would not survive.
std::string manifest_nodelist(const GateConfig& config, const std::vector<std::string>& nodes) {
  if (!nodes.empty()) return text::join(nodes, ",");
  const auto named = expand_hostlist(config.nodelist);
  const bool fits = named && static_cast<std::int64_t>(named->size()) == config.nodes;
  return fits ? text::join(*named, ",") : std::string();
}

void set_if_any(Json& object, const std::string& key, const std::string& value) {
  if (!value.empty()) object.set(key, value);
}

Json slurm_section(const GateConfig& config, const std::vector<std::string>& nodes,
                   const Environment& env) {
  const Cluster& cluster = config.cluster;
  Json slurm = Json::object();
  set_if_any(slurm, "partition", cluster.partition);
  slurm.set("nodes", config.nodes);
  slurm.set("gpus_per_node", config.workload.gpus_per_node);
  slurm.set("time", duration::to_slurm(config.workload.time_limit));
  slurm.set("output_dir", "slurm_output");
  slurm.set("exclusive", cluster.exclusive);
  slurm.set("enable_node_check", false);
  // The workload's own interface wins (DESIGN 4), so the environment is asked, not the cluster.
  const std::string* interface = find_variable(env, "NCCL_SOCKET_IFNAME");
  if (interface != nullptr) set_if_any(slurm, "network_interface", *interface);
  slurm.set("skip_gpus_directive", cluster.gres.empty());
  set_if_any(slurm, "qos", cluster.qos);
  set_if_any(slurm, "account", cluster.account);
  set_if_any(slurm, "reservation", cluster.reservation);
  set_if_any(slurm, "nodelist", manifest_nodelist(config, nodes));
  set_if_any(slurm, "exclude", config.exclude);
  return slurm;
}

Json deployment_section(const GateConfig& config, const std::vector<std::string>& nodes,
                        const Environment& env) {
  const bool on_slurm = config.launcher == Launcher::slurm;
  Json deployment = Json::object();
  deployment.set("target", on_slurm ? "slurm" : "local");
  // madengine takes the very presence of this section for the wish to submit a job.
  if (on_slurm) deployment.set("slurm", slurm_section(config, nodes, env));
  Json& distributed = deployment.set("distributed", Json::object());
  distributed.set("launcher", "primus");
  distributed.set("backend", "nccl");
  distributed.set("port", rendezvous_port);
  distributed.set("nnodes", config.nodes);
  distributed.set("nproc_per_node", config.workload.gpus_per_node);
  deployment.set("env_vars", to_json(env));
  deployment.set("debug", false);
  deployment.set("docker_gpus", gpu_list(config.workload.gpus_per_node));
  return deployment;
}

}  // namespace

Json make_manifest(const GateConfig& config, Side side, const std::vector<std::string>& nodes) {
  const std::string& image = config.side(side).image;
  const Environment env = manifest_environment(config, side);
  Json manifest = Json::object();
  manifest.set("built_images", Json::object()).set(image, image_entry(config, side));
  manifest.set("built_models", Json::object()).set(image, model_entry(config));
  manifest.set("context", context_section(config, side, env));
  manifest.set("deployment_config", deployment_section(config, nodes, env));
  return manifest;
}

}  // namespace abgate::plan
