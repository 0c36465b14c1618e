#include "config_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace abgate::report {
namespace {

constexpr std::string_view origins_key = "origins";

bool is_plain(const Json& value) {
  return !value.is_object() && !value.is_array();
}

std::string shown(const Json& value) {
  return value.is_string() ? value.as_string() : value.dump_line();
}

/// Of a variable that both files set, the origin is that of the workload, which wins (DESIGN 4).
std::string origin_key(const Json& config, const std::string& path) {
  constexpr std::string_view of_workload = "workload.env.";
  constexpr std::string_view of_cluster = "cluster.env.";
  if (path.starts_with(of_workload)) return "env." + path.substr(of_workload.size());
  if (!path.starts_with(of_cluster)) return path;
  const std::string variable = path.substr(of_cluster.size());
  return config.at({"workload", "env", variable}) == nullptr ? "env." + variable : "";
}

class Rows {
 public:
  explicit Rows(const Json& config) : config_(config) {}

  void add(const std::string& path, const Json& value) {
    if (value.is_object()) {
      for (const Json::Member& member : value.members()) {
        if (path.empty() && member.key == origins_key) continue;
        add(path.empty() ? member.key : path + "." + member.key, member.value);
      }
      return;
    }
    const auto& items = value.items();
    const bool flat = std::all_of(items.begin(), items.end(), is_plain);
    if (!flat) {
      for (std::size_t i = 0; i < items.size(); ++i)
        add(fmt::format("{}[{}]", path, i), items[i]);
      return;
    }
    rows_.push_back({path, value.is_array() ? value.dump_line() : shown(value), origin_of(path)});
  }

  std::vector<std::vector<std::string>> take() { return std::move(rows_); }

 private:
  std::string origin_of(const std::string& path) const {
    const Json* origin = config_.at({origins_key, origin_key(config_, path)});
    return origin != nullptr ? origin->as_string() : "";
  }

  const Json& config_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace

std::vector<std::vector<std::string>> config_rows(const Json& config) {
  if (!config.is_object()) return {};
  Rows rows(config);
  rows.add("", config);
  return rows.take();
}

}  // namespace abgate::report
