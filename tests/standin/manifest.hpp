#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abgate/base/json.hpp>
#include <abgate/base/result.hpp>

namespace abgate::standin {

using StringPairs = std::vector<std::pair<std::string, std::string>>;

/// What the stand-in takes from manifest.json (FORMATS 1).
struct Manifest {
  std::string image;
  std::string base_image;
  std::string name;  ///< of the model; names folders and logs
  std::string scripts;
  std::string args;
  std::string tags;  ///< joined by commas, as in perf.csv
  std::string results_file;
  std::string run_options;
  std::int64_t timeout_seconds = 0;
  std::string target;
  std::int64_t nodes = 0;
  std::int64_t gpus_per_node = 0;
  std::int64_t port = 29500;
  std::string launcher;
  std::string partition;
  std::string output_dir;
  std::vector<std::string> nodelist;
  StringPairs container_env;
  StringPairs mounts;  ///< container path, host path
  Json context;
  Json deployment;

  /// A variable inside the container.
  std::optional<std::string> variable(std::string_view key) const;
  /// `Llama-3.1-70B`: the model that Primus trains for these args, which names its results CSV.
  std::string model() const;
  std::string card() const;
};

/// Reads the manifest; the errors are madengine's reasons to fail, each a line of its output.
Result<Manifest, std::vector<std::string>> read_manifest(const std::string& path);

/// The container's variables alone, also from a manifest that is refused (it may ask for a fault).
StringPairs peek_container_env(const std::string& path);

}  // namespace abgate::standin
