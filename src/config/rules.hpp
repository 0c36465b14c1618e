#pragma once

#include <abgate/base/json.hpp>
#include <abgate/model/config.hpp>

namespace abgate::config {

/// What holds between the keys of one file, which no JSON Schema can say. `document` gives the
/// places. Members that could not be read are empty and are passed over.
void check_rules(const Workload& workload, const Json& document, const std::string& file,
                 Diagnostics& diagnostics);
void check_rules(const Cluster& cluster, const Json& document, const std::string& file,
                 Diagnostics& diagnostics);
void check_rules(const Suite& suite, const Json& document, const std::string& file,
                 Diagnostics& diagnostics);

}  // namespace abgate::config
