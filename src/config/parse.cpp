#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <abgate/config/parse.hpp>

#include "field.hpp"
#include "rules.hpp"

namespace abgate::config {
namespace {

constexpr std::int64_t schema_version = 1;

bool stands_before(const Diagnostic& a, const Diagnostic& b) {
  return std::pair(a.position.line, a.position.column) <
         std::pair(b.position.line, b.position.column);
}

/// The tree of a file. Duplicate keys are reported and the rest is still checked.
std::optional<Json> read_tree(std::string_view text, const std::string& file,
                              Diagnostics& diagnostics) {
  auto strict = parse_json(text, file, {.comments = true});
  if (strict) return std::move(*strict);
  append(diagnostics, std::move(strict.error()));
  auto lenient = parse_json(text, file, {.comments = true, .duplicates = true});
  if (lenient) return std::move(*lenient);
  return {};
}

void read_header(ObjectReader& reader) {
  const auto version = reader.integer("schema_version", {}, true);
  if (version && *version != schema_version) {
    reader.error("schema_version", fmt::format("version {} is not known", *version),
                 fmt::format("give {}", schema_version));
  }
  reader.string("$schema");
}

template <class T>
Parsed<T> parse_document(std::string_view text, const std::string& file) {
  Parsed<T> out;
  const auto tree = read_tree(text, file, out.diagnostics);
  if (!tree) return out;
  ObjectReader reader(*tree, file, "", out.diagnostics);
  if (!reader.usable()) return out;
  T value;
  read_header(reader);
  read_fields(reader, value, out.diagnostics, out.origins);
  reader.finish();
  check_rules(value, *tree, file, out.diagnostics);
  std::stable_sort(out.diagnostics.begin(), out.diagnostics.end(), stands_before);
  if (!has_errors(out.diagnostics)) out.value = std::move(value);
  return out;
}

template <class T>
std::string document_schema(const char* title) {
  const Json body = object_schema<T>();
  Json out = Json::object();
  out.set("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.set("title", title);
  for (const Json::Member& member : body.members())
    out.set(member.key, member.value);
  Json required = Json::strings({"schema_version"});
  for (const Json& key : body.find("required")->items())
    required.push_back(key);
  out.set("required", std::move(required));
  Json version = Json::object();
  version.set("description", "Version of this form.");
  version.set("const", schema_version);
  Json link = Json::object();
  link.set("description", "Where an editor finds this schema; abgate passes it over.");
  link.set("type", "string");
  Json properties = Json::object();
  properties.set("$schema", std::move(link));
  properties.set("schema_version", std::move(version));
  for (const Json::Member& member : body.find("properties")->members())
    properties.set(member.key, member.value);
  out.set("properties", std::move(properties));
  return out.dump();
}

/// Keys by which a kind is told; those that several kinds share say nothing.
template <class T>
std::size_t keys_of_kind(const Json& document) {
  constexpr std::array<std::string_view, 5> shared{"name", "description", "env", "mounts",
                                                   "docker_options"};
  const auto& fields = fields_of<T>();
  return static_cast<std::size_t>(
      std::count_if(fields.begin(), fields.end(), [&](const Field<T>& field) {
        return std::find(shared.begin(), shared.end(), field.key) == shared.end() &&
               document.find(field.key) != nullptr;
      }));
}

std::size_t manifest_keys(const Json& document) {
  constexpr std::array<std::string_view, 4> keys{"built_images", "built_models", "context",
                                                 "deployment_config"};
  return static_cast<std::size_t>(
      std::count_if(keys.begin(), keys.end(),
                    [&](std::string_view key) { return document.find(key) != nullptr; }));
}

}  // namespace

FileKind kind_of(const Json& document) {
  const std::array counts{std::pair{keys_of_kind<Workload>(document), FileKind::workload},
                          std::pair{keys_of_kind<Cluster>(document), FileKind::cluster},
                          std::pair{keys_of_kind<Suite>(document), FileKind::suite},
                          std::pair{manifest_keys(document), FileKind::manifest}};
  const auto most = std::max_element(
      counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto rivals = std::count_if(counts.begin(), counts.end(),
                                    [&](const auto& c) { return c.first == most->first; });
  return most->first == 0 || rivals > 1 ? FileKind::unknown : most->second;
}

Parsed<Workload> parse_workload(std::string_view text, const std::string& file) {
  return parse_document<Workload>(text, file);
}

Parsed<Cluster> parse_cluster(std::string_view text, const std::string& file) {
  return parse_document<Cluster>(text, file);
}

Parsed<Suite> parse_suite(std::string_view text, const std::string& file) {
  return parse_document<Suite>(text, file);
}

std::string workload_schema() {
  return document_schema<Workload>("abgate workload");
}

std::string cluster_schema() {
  return document_schema<Cluster>("abgate cluster");
}

std::string suite_schema() {
  return document_schema<Suite>("abgate suite");
}

}  // namespace abgate::config
