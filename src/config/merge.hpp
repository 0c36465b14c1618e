#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <abgate/config/resolve.hpp>

#include "field.hpp"

namespace abgate::config {

/// The gate that is being put together, and what was noticed on the way.
struct Merge {
  const Options& options;
  GateConfig gate;
  Diagnostics diagnostics;
  /// Each file could be read; else its values are empty and say nothing.
  bool has_workload = false;
  bool has_cluster = false;

  void error(std::string_view option, std::string message, std::string hint = {}) {
    diagnostics.push_back(
        {Severity::error, "", {}, std::string(option), std::move(message), std::move(hint)});
  }
  void error(std::string_view option, TextProblem problem) {
    error(option, std::move(problem.message), std::move(problem.hint));
  }
  void warning(std::string_view option, std::string message, std::string hint = {}) {
    diagnostics.push_back(
        {Severity::warning, "", {}, std::string(option), std::move(message), std::move(hint)});
  }
  void origin(std::string key, std::string_view from) {
    gate.origins[std::move(key)] = std::string(from);
  }
  /// Where a key of a file came from; `default` when the file leaves it out.
  std::string origin_of(const std::string& key) const {
    const auto found = gate.origins.find(key);
    return found == gate.origins.end() ? "default" : found->second;
  }
  /// An option that is given and fits its shape replaces the value of `key`.
  bool take(const std::optional<std::string>& value, std::string_view option, const Shape& shape,
            const std::string& key, std::string& target) {
    if (!value) return false;
    if (TextProblem problem = check_text(shape, *value)) {
      error(option, std::move(problem));
      return false;
    }
    target = *value;
    origin(key, option);
    return true;
  }
};

/// Images, environments and libraries of both sides; whether the sides differ.
void merge_sides(Merge& merge);

/// Time limit and budgets: phase <= run <= time limit.
void merge_budgets(Merge& merge);

/// Node count, node lists and the options that only one launcher knows.
void merge_nodes(Merge& merge);

/// What only the node lists and the options say, once the count is known.
void check_nodes(Merge& merge);

/// The mounts by which a library replaces the image's (FORMATS 1). `files` as in
/// Options::candidate_library_files.
Result<std::vector<Mount>, TextProblem> library_mounts(const std::string& path,
                                                       const std::vector<std::string>& files);

}  // namespace abgate::config
