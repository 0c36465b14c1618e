#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <abgate/base/json.hpp>
#include <abgate/base/secret.hpp>
#include <abgate/model/config.hpp>

namespace abgate::config {

/// A configuration file that was read: the value (absent when it has errors) and everything that
/// was noticed. `origins` gives `file:line:column` by key path relative to the file (`max_drop`,
/// `env.NCCL_NET`).
template <class T>
struct Parsed {
  std::optional<T> value;
  Diagnostics diagnostics;
  std::map<std::string, std::string> origins;
};

/// What kind of file a JSON document is, told from its keys; `unknown` when no kind fits.
enum class FileKind { workload, cluster, suite, manifest, unknown };
FileKind kind_of(const Json& document);

/// `file` names the place in diagnostics. All problems are reported at once.
Parsed<Workload> parse_workload(std::string_view text, const std::string& file);
Parsed<Cluster> parse_cluster(std::string_view text, const std::string& file);
Parsed<Suite> parse_suite(std::string_view text, const std::string& file);

/// JSON Schema (2020-12) texts made from the same field tables that the parsers use; the files in
/// `configs/schema/` are these texts.
std::string workload_schema();
std::string cluster_schema();
std::string suite_schema();

/// The test by which credentials are refused (LESSONS 33).
using abgate::looks_secret;

}  // namespace abgate::config
