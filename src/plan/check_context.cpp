#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

#include "check.hpp"

namespace abgate::plan {
namespace {

/// Number of GPUs of `0,1,…`; nothing when the list is malformed or names one twice.
std::optional<std::size_t> count_gpus(std::string_view list) {
  std::vector<std::int64_t> gpus;
  for (const std::string_view part : text::split(list, ',')) {
    const auto gpu = number::parse_integer(part);
    if (!gpu || *gpu < 0 || std::find(gpus.begin(), gpus.end(), *gpu) != gpus.end()) {
      return std::nullopt;
    }
    gpus.push_back(*gpu);
  }
  return gpus.size();
}

void check_gpu_count(const Place& list, const Place& manifest, Findings& findings) {
  if (!findings.string(list)) return;
  const auto count = count_gpus(list.text());
  if (!count) {
    findings.error(list, fmt::format("is {}, not a list of GPUs", quoted(list.text())),
                   "give each GPU's number once, as in \"0,1,2,3,4,5,6,7\"");
    return;
  }
  const Place distributed = manifest["deployment_config"]["distributed"];
  const Place slurm = manifest["deployment_config"]["slurm"];
  const Place& said =
      slurm["gpus_per_node"] ? slurm["gpus_per_node"] : distributed["nproc_per_node"];
  const auto wanted = said.integer();
  if (wanted && *wanted != static_cast<std::int64_t>(*count)) {
    findings.error(list,
                   fmt::format("names {} GPUs, but {} says {}", *count, said.pointer, *wanted));
  }
}

void check_render_nodes(const Place& context, Findings& findings) {
  const Place nodes = context["gpu_renderDs"];
  if (!nodes) return;
  const bool numbers =
      nodes.value->is_array() &&
      std::all_of(nodes.value->items().begin(), nodes.value->items().end(),
                  [](const Json& node) { return node.is_integer() && node.as_integer() >= 0; });
  if (!numbers) {
    findings.error(nodes, "is not an array of whole numbers", "give [128, 129, …]");
    return;
  }
  const auto gpus = count_gpus(context["docker_gpus"].text());
  if (gpus && !nodes.value->items().empty() && nodes.value->items().size() < *gpus) {
    findings.warning(nodes, fmt::format("names {} render nodes for {} GPUs",
                                        nodes.value->items().size(), *gpus));
  }
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// Folders that stand in the image and on no host, and folders that stand on hosts alone.
constexpr std::array<std::string_view, 2> container_folders = {"/opt/venv", "/myworkspace"};
constexpr std::array<std::string_view, 6> host_folders = {"/home",   "/nfs",     "/lustre",
                                                          "/shared", "/scratch", "/root"};

template <std::size_t N>
bool is_below_any(std::string_view path, const std::array<std::string_view, N>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view folder) { return is_below(path, folder); });
}

void check_mount(const Place& mount, std::string_view key, Findings& findings) {
  if (!findings.string(mount)) return;
  const std::string_view host = mount.text();
  const std::size_t colon = key.find(':');
  const std::string_view container = key.substr(0, colon);
  if (!container.starts_with('/')) {
    findings.error(mount, fmt::format("mounts to {}, not an absolute path", quoted(container)));
  }
  if (!host.starts_with('/')) {
    findings.error(mount,
                   fmt::format("mounts {}, not an absolute path: docker takes it for the name of a "
                               "volume",
                               quoted(host)));
  } else if (host.find(':') != std::string_view::npos) {
    findings.error(mount, fmt::format("mounts {}, which holds a colon", quoted(host)),
                   "the mode belongs behind the container's path: \"<container path>:ro\"");
  }
  const std::string_view mode = colon == std::string_view::npos ? "" : key.substr(colon + 1);
  if (colon != std::string_view::npos && mode != "ro" && mode != "rw") {
    findings.error(mount, fmt::format("has the mode {}", quoted(mode)), "give :ro or :rw");
  }
  const bool reversed =
      is_below_any(host, container_folders) || is_below_any(container, host_folders);
  if (reversed) {
    findings.error(mount,
                   fmt::format("mounts the host's {} to the container's {}: this looks "
                               "reversed",
                               quoted(host), quoted(container)),
                   R"(docker_mounts is {"<container path>": "<host path>"})");
  }
  if (container.find("librccl.so") != std::string_view::npos && mode != "ro") {
    findings.warning(mount, "lays a library over the image's own, writable",
                     "append :ro to the container's path");
  }
}

void check_duplicate_targets(const Place& mounts, Findings& findings) {
  std::vector<std::string_view> seen;
  for (const Json::Member& mount : mounts.value->members()) {
    const std::string_view container = std::string_view(mount.key).substr(0, mount.key.find(':'));
    if (std::find(seen.begin(), seen.end(), container) != seen.end()) {
      findings.error(mounts[mount.key],
                     fmt::format("mounts to {} a second time", quoted(container)));
    }
    seen.push_back(container);
  }
}

/// An image of 26.4 holds the library four times; any one that stays may be the one that is loaded.
void check_overlay_targets(const Place& mounts, Findings& findings) {
  constexpr std::string_view packages = "/opt/venv/lib/python3.12/site-packages/";
  const auto mounted = [&](std::string_view target) {
    const std::string path = std::string(packages) + std::string(target);
    return mounts.value->find(path) != nullptr || mounts.value->find(path + ":ro") != nullptr ||
           mounts.value->find(path + ":rw") != nullptr;
  };
  std::vector<std::string> missing;
  bool any = false;
  for (const char* target :
       {"_rocm_sdk_libraries/lib/librccl.so.1", "_rocm_sdk_libraries/lib/librccl.so.1.0",
        "_rocm_sdk_devel/lib/librccl.so.1", "_rocm_sdk_devel/lib/librccl.so.1.0"}) {
    if (mounted(target)) {
      any = true;
    } else {
      missing.emplace_back(target);
    }
  }
  if (any && !missing.empty()) {
    findings.warning(mounts,
                     fmt::format("lays a library over some copies of the image's own, but not over "
                                 "{}",
                                 text::join(missing, ", ")),
                     fmt::format("mount all four below {}", packages));
  }
}

}  // namespace

void check_context(const Place& manifest, Findings& findings) {
  const Place context = manifest["context"];
  if (!findings.object(context)) return;
  findings.string(context["gpu_vendor"]);
  findings.string(context["guest_os"]);
  check_gpu_count(context["docker_gpus"], manifest, findings);
  check_render_nodes(context, findings);
  findings.object(context["docker_build_arg"], false);
}

void check_mounts(const Place& manifest, Findings& findings) {
  const Place mounts = manifest["context"]["docker_mounts"];
  if (!findings.object(mounts, false)) return;
  for (const Json::Member& mount : mounts.value->members())
    check_mount(mounts[mount.key], mount.key, findings);
  check_duplicate_targets(mounts, findings);
  check_overlay_targets(mounts, findings);
}

}  // namespace abgate::plan
