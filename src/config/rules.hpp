#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <abgate/base/json.hpp>
#include <abgate/model/config.hpp>

namespace abgate::config {

/// Why that argument of salloc is not free to be given, and what to use instead; nothing when it
/// is.
struct NotFree {
  std::string message;
  std::string hint;
};
std::optional<NotFree> not_free(std::string_view salloc_argument);

/// What holds between the keys of one file, which no JSON Schema can say. `document` gives the
/// places. Members that could not be read are empty and are passed over.
void check_rules(const Workload& workload, const Json& document, const std::string& file,
                 Diagnostics& diagnostics);
void check_rules(const Cluster& cluster, const Json& document, const std::string& file,
                 Diagnostics& diagnostics);
void check_rules(const Suite& suite, const Json& document, const std::string& file,
                 Diagnostics& diagnostics);

}  // namespace abgate::config
