#pragma once

#include <functional>
#include <string>
#include <vector>

#include <abgate/base/json.hpp>

namespace abgate::plan {

/// A manifest of ours in which only what a test changes can be wrong.
Json good_manifest();
/// One with a library laid over the image's own.
Json overlaid_manifest();

/// Keys from the manifest's root.
using Path = std::vector<std::string>;

inline const std::string image = "rocm/primus:v26.4";
inline const Path model = {"built_models", image};
inline const Path picture = {"built_images", image};
inline const Path inside = {"context", "docker_env_vars"};
inline const Path outside = {"deployment_config", "env_vars"};
inline const Path mounts = {"context", "docker_mounts"};
inline const Path slurm = {"deployment_config", "slurm"};
inline const Path distributed = {"deployment_config", "distributed"};

Json& object_at(Json& manifest, const Path& path);
void remove(Json& manifest, const Path& path, const std::string& key);

/// What a test does to a manifest.
using Change = std::function<void(Json&)>;
Change set(Path path, std::string key, Json value);
Change drop(Path path, std::string key);
/// In both env blocks.
Change set_both(std::string key, Json value);
Change drop_both(std::string key);

struct Trap {
  std::string name;
  Change change;
  std::vector<std::string> expected;  ///< `E <pointer>` or `W <pointer>`, in document order
  std::string message = {};           ///< part of the first one
};

std::string pointer_text(const Path& path, const std::string& key);
std::string error_at(const Path& path, const std::string& key);
std::string warning_at(const Path& path, const std::string& key);

/// What the check says of a manifest, read from its text so that places are those of a file.
Diagnostics findings_of(const Json& manifest);

/// Expects exactly what the trap names, each with a place, and returns it.
Diagnostics expect_trap(const Trap& trap, Json manifest);
/// Each on a manifest that is good otherwise.
void expect_traps(const std::vector<Trap>& traps);

}  // namespace abgate::plan
