#include "manifest.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "text_file.hpp"

namespace abgate::standin {
namespace {

constexpr std::string_view results_prefix = "perf_primus-megatron-";
constexpr std::string_view results_suffix = ".csv";

std::string string_at(const Json& object, std::initializer_list<std::string_view> path) {
  const Json* value = object.at(path);
  return value != nullptr ? value->as_string() : std::string{};
}

std::int64_t integer_at(const Json& object, std::initializer_list<std::string_view> path,
                        std::int64_t fallback) {
  const Json* value = object.at(path);
  return value != nullptr && value->is_integer() ? value->as_integer() : fallback;
}

StringPairs pairs_at(const Json& object, std::initializer_list<std::string_view> path) {
  StringPairs pairs;
  if (const Json* value = object.at(path); value != nullptr)
    for (const auto& member : value->members())
      pairs.emplace_back(member.key, member.value.as_string());
  return pairs;
}

/// A list, or Slurm's comma-separated text.
std::vector<std::string> list_at(const Json& object, std::initializer_list<std::string_view> path) {
  std::vector<std::string> list;
  const Json* value = object.at(path);
  if (value == nullptr) return list;
  for (const auto& item : value->items())
    list.push_back(item.as_string());
  for (const auto item : text::split(value->as_string(), ','))
    if (!text::trim(item).empty()) list.emplace_back(text::trim(item));
  return list;
}

/// The only entry of a section, or nothing with a reason.
const Json::Member* only_entry(const Json& manifest, std::string_view section,
                               std::vector<std::string>& reasons) {
  const Json* entries = manifest.find(section);
  if (entries == nullptr || !entries->is_object()) {
    reasons.push_back(fmt::format("Invalid manifest: missing required section '{}'", section));
    return nullptr;
  }
  if (entries->members().empty()) {
    reasons.push_back(fmt::format("No items in '{}' of the manifest", section));
    return nullptr;
  }
  return &entries->members().front();
}

void read_model(const Json& model, Manifest& manifest, std::vector<std::string>& reasons) {
  manifest.name = string_at(model, {"name"});
  manifest.scripts = string_at(model, {"scripts"});
  manifest.args = string_at(model, {"args"});
  manifest.tags = text::join(list_at(model, {"tags"}), ",");
  manifest.results_file = string_at(model, {"multiple_results"});
  manifest.run_options = string_at(model, {"additional_docker_run_options"});
  if (manifest.name.empty()) reasons.emplace_back("Model has no 'name'");
  if (manifest.results_file.empty())
    reasons.emplace_back(
        "Performance metric not found: 'multiple_results' is not set and the log holds no "
        "'performance:' line");
  const Json* timeout = model.find("timeout");
  if (timeout == nullptr || timeout->is_null())
    reasons.emplace_back("Model timeout is null: 7200s would end the run before its results");
  else if (!timeout->is_integer() || timeout->as_integer() <= 0)
    reasons.emplace_back("Invalid model timeout: " + timeout->dump_line() +
                         " is not a positive number of seconds");
  else
    manifest.timeout_seconds = timeout->as_integer();
  std::error_code ignored;
  if (manifest.scripts.empty() || !std::filesystem::exists(manifest.scripts, ignored))
    reasons.push_back(fmt::format("FileNotFoundError: [Errno 2] No such file or directory: '{}'",
                                  manifest.scripts));
  if (manifest.card().empty() || manifest.card().ends_with("_overlay"))
    reasons.push_back(fmt::format("run.sh: Error: Unsupported model_repo '{}'", manifest.card()));
}

void read_deployment(const Json& deployment, Manifest& manifest,
                     std::vector<std::string>& reasons) {
  constexpr std::array<std::string_view, 3> targets = {"slurm", "docker", "local"};
  manifest.deployment = deployment;
  manifest.target = string_at(deployment, {"target"});
  if (std::find(targets.begin(), targets.end(), manifest.target) == targets.end())
    reasons.push_back(fmt::format("Unknown deployment target: '{}'", manifest.target));
  const std::int64_t nnodes = integer_at(deployment, {"distributed", "nnodes"}, 1);
  manifest.nodes = integer_at(deployment, {"slurm", "nodes"}, nnodes);
  if (manifest.nodes != nnodes)
    reasons.push_back(fmt::format("slurm.nodes ({}) does not match distributed.nnodes ({})",
                                  manifest.nodes, nnodes));
  if (manifest.nodes < 1 || manifest.nodes > 1024)
    reasons.push_back(fmt::format("Invalid node count: {}", manifest.nodes));
  manifest.gpus_per_node = integer_at(deployment, {"slurm", "gpus_per_node"},
                                      integer_at(deployment, {"distributed", "nproc_per_node"}, 8));
  if (manifest.gpus_per_node < 1)
    reasons.push_back(fmt::format("Invalid gpus_per_node: {}", manifest.gpus_per_node));
  manifest.port = integer_at(deployment, {"distributed", "port"}, 29500);
  manifest.launcher = string_at(deployment, {"distributed", "launcher"});
  manifest.partition = string_at(deployment, {"slurm", "partition"});
  manifest.nodelist = list_at(deployment, {"slurm", "nodelist"});
  if (!manifest.nodelist.empty() &&
      static_cast<std::int64_t>(manifest.nodelist.size()) != manifest.nodes)
    reasons.push_back(fmt::format("slurm.nodelist names {} nodes, slurm.nodes is {}",
                                  manifest.nodelist.size(), manifest.nodes));
  manifest.output_dir = string_at(deployment, {"slurm", "output_dir"});
  if (manifest.output_dir.empty()) manifest.output_dir = "slurm_output";
  if (std::filesystem::path(manifest.output_dir).is_absolute())
    reasons.push_back(
        fmt::format("output_dir '{}' is not inside the submission directory", manifest.output_dir));
}

}  // namespace

std::optional<std::string> Manifest::variable(std::string_view key) const {
  for (const auto& [known, value] : container_env)
    if (known == key) return value;
  return std::nullopt;
}

std::string Manifest::card() const {
  constexpr std::string_view option = "--model_repo";
  const auto at = args.find(option);
  if (at == std::string::npos) return {};
  const auto rest = text::trim(std::string_view(args).substr(at + option.size()));
  return std::string(rest.substr(0, rest.find(' ')));
}

std::string Manifest::model() const {
  const std::string lower_card = text::to_lower(card());
  std::string_view name_part = results_file;
  if (name_part.starts_with(results_prefix) && name_part.ends_with(results_suffix)) {
    name_part.remove_prefix(results_prefix.size());
    name_part.remove_suffix(results_suffix.size());
    if (lower_card.find(text::to_lower(name_part)) != std::string::npos)
      return std::string(name_part);
  }
  // Primus names its file by the args, whatever the manifest hopes to find.
  if (lower_card.find("gpt-oss-120b") != std::string::npos) return "GPT-OSS-120B";
  if (lower_card.find("llama-3.1-70b") != std::string::npos) return "Llama-3.1-70B";
  return card().substr(card().rfind('_') + 1);
}

Result<Manifest, std::vector<std::string>> read_manifest(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return Unexpected{std::vector<std::string>{"Manifest file not found: " + path}};
  const auto parsed = parse_json(*text, path);
  if (!parsed) {
    std::vector<std::string> reasons;
    for (const auto& problem : parsed.error())
      reasons.push_back(format(problem));
    return Unexpected{reasons};
  }
  Manifest manifest;
  std::vector<std::string> reasons;
  const auto* image = only_entry(*parsed, "built_images", reasons);
  const auto* model = only_entry(*parsed, "built_models", reasons);
  if (image != nullptr && model != nullptr && image->key != model->key)
    reasons.push_back(fmt::format("KeyError: no model for image '{}' (built_models has '{}')",
                                  image->key, model->key));
  if (image != nullptr) {
    manifest.image = string_at(image->value, {"docker_image"});
    if (manifest.image.empty()) manifest.image = image->key;
    manifest.base_image = string_at(image->value, {"base_docker"});
  }
  if (model != nullptr) read_model(model->value, manifest, reasons);
  if (const Json* deployment = parsed->find("deployment_config"))
    read_deployment(*deployment, manifest, reasons);
  else
    reasons.emplace_back("Invalid manifest: missing required section 'deployment_config'");
  if (const Json* context = parsed->find("context")) manifest.context = *context;
  manifest.container_env = pairs_at(manifest.context, {"docker_env_vars"});
  manifest.mounts = pairs_at(manifest.context, {"docker_mounts"});
  if (!reasons.empty()) return Unexpected{reasons};
  return manifest;
}

StringPairs peek_container_env(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return {};
  const auto parsed = parse_json(*text, path);
  return parsed ? pairs_at(*parsed, {"context", "docker_env_vars"}) : StringPairs{};
}

}  // namespace abgate::standin
