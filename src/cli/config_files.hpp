#pragma once

#include <string>
#include <vector>

#include <abgate/base/result.hpp>

namespace abgate::cli {

/// Finds configurations by NAME: in the folders given with --config-dir, then in the `configs/`
/// that ship with the binary (installed: <prefix>/share/abgate/configs; copied alone or in a
/// checkout: a `configs` beside the binary or in a folder above it).
class ConfigFiles {
 public:
  enum class Kind { workloads, clusters, suites };

  ConfigFiles(std::vector<std::string> config_dirs, const std::string& self_path);

  /// A path (it holds a slash or ends in .json) or a name; the error is a sentence with the known
  /// names.
  Result<std::string, std::string> find(Kind kind, const std::string& name_or_file) const;
  /// Sorted names of a kind, each once.
  std::vector<std::string> names(Kind kind) const;

  static std::string folder(Kind kind);

 private:
  std::vector<std::string> roots_;
};

}  // namespace abgate::cli
