#include <algorithm>

#include <fmt/format.h>

#include <abgate/config/resolve.hpp>

#include "merge.hpp"

namespace abgate::config {
namespace {

/// Paths of the values that the record does not hold.
void find_redacted(const Json& value, const std::string& pointer, std::vector<std::string>& found) {
  if (value.is_string() && value.as_string() == redacted) found.push_back(pointer);
  for (const Json::Member& member : value.members())
    find_redacted(member.value, pointer_join(pointer, member.key), found);
  for (std::size_t i = 0; i < value.items().size(); ++i)
    find_redacted(value.items()[i], pointer_join(pointer, i), found);
}

}  // namespace

Resolved repeat(const Json& config, const std::string& file, const Options& options) {
  auto read = from_json(config, file);
  if (!read) return {{}, std::move(read.error())};
  Merge merge{options, std::move(*read), {}, true, true};
  std::vector<std::string> hidden;
  find_redacted(config, "/config", hidden);
  for (const std::string& pointer : hidden) {
    merge.diagnostics.push_back({Severity::error,
                                 file,
                                 {},
                                 pointer,
                                 "the record holds no such value, as it looked like a secret",
                                 "run the gate by its options instead of --from"});
  }
  GateConfig& gate = merge.gate;
  merge.take(options.nodelist, "--nodelist", shapes::hosts, "nodelist", gate.nodelist);
  merge.take(options.work_dir, "--work-dir", shapes::free_text, "work_dir", gate.work_dir);
  merge.take(options.results_dir, "--results-dir", shapes::free_text, "results_dir",
             gate.results_dir);
  check_nodes(merge);
  Resolved out{{}, std::move(merge.diagnostics)};
  if (!has_errors(out.diagnostics)) out.value = std::move(gate);
  return out;
}

}  // namespace abgate::config
