#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/decode.hpp>
#include <abgate/base/json.hpp>
#include <abgate/metrics/traces.hpp>

namespace abgate::metrics {
namespace {

constexpr std::int64_t schema_version = 1;
const std::vector<std::string>& end_kinds() {
  static const std::vector<std::string> kinds = {"exited", "signaled", "timed_out", "interrupted",
                                                 "spawn_failed"};
  return kinds;
}

Json instant_json(const std::optional<time::Instant>& instant) {
  return instant ? Json(time::to_rfc3339(*instant)) : Json();
}

/// A time, or null for one that is not known (yet).
std::optional<time::Instant> read_instant(ObjectReader& reader, std::string_view key) {
  const Json* value = reader.raw(key, true);
  if (value == nullptr || value->is_null()) return {};
  const auto instant = value->is_string() ? time::parse_rfc3339(value->as_string()) : std::nullopt;
  if (!instant) {
    reader.error(key, "expected a time or null", "RFC 3339, such as 2026-11-01T10:00:00.000Z");
  }
  return instant;
}

ProcessEnd read_end(const Json& value, const std::string& file, Diagnostics& diagnostics) {
  ProcessEnd end;
  ObjectReader reader(value, file, "/end", diagnostics);
  end.kind = reader.choice("kind", end_kinds(), true).value_or("");
  constexpr double int_range = 2147483647;
  end.number =
      static_cast<int>(reader.integer("number", {-int_range, int_range, false}, true).value_or(0));
  end.detail = reader.string("detail", true).value_or("");
  reader.finish();
  return end;
}

void check_hash(ObjectReader& reader, const std::string& hash) {
  constexpr std::size_t length = 64;
  const bool hex = hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (hash.empty() || (hash.size() == length && hex)) return;
  reader.error("manifest_sha256", "not a SHA-256", "64 lower-case hexadecimal digits");
}

void check_nodes(ObjectReader& reader, std::vector<std::string> nodes) {
  std::sort(nodes.begin(), nodes.end());
  const bool twice = std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end();
  const bool unnamed = !nodes.empty() && nodes.front().empty();
  if (twice || unnamed) reader.error("nodes", "a node is named twice or has no name");
}

}  // namespace

Result<PhaseProof, Diagnostics> parse_phase_proof(std::string_view text, const std::string& file) {
  auto document = parse_json(text, file);
  if (!document) return Unexpected{std::move(document).error()};
  Diagnostics diagnostics;
  ObjectReader reader(*document, file, "", diagnostics);
  PhaseProof proof;
  reader.integer("schema_version", {schema_version, schema_version, false}, true);
  proof.run_id = reader.string("run_id", true).value_or("");
  constexpr double max_index = 1000;
  proof.index = static_cast<int>(reader.integer("index", {1, max_index, false}, true).value_or(0));
  if (const auto side = reader.choice("side", {"baseline", "candidate"}, true)) {
    proof.side = *parse_side(*side);
  }
  proof.started = read_instant(reader, "started");
  proof.ended = read_instant(reader, "ended");
  if (const Json* end = reader.raw("end", true)) proof.end = read_end(*end, file, diagnostics);
  proof.job_id = reader.string("job_id", true).value_or("");
  proof.nodes = reader.strings("nodes", true).value_or(std::vector<std::string>());
  check_nodes(reader, proof.nodes);
  proof.manifest_sha256 = reader.string("manifest_sha256", true).value_or("");
  check_hash(reader, proof.manifest_sha256);
  proof.before = read_facts_array(reader, "nodes_before", diagnostics);
  proof.after = read_facts_array(reader, "nodes_after", diagnostics);
  reader.finish();
  if (has_errors(diagnostics)) return Unexpected{std::move(diagnostics)};
  return proof;
}

std::string render_phase_proof(const PhaseProof& proof) {
  Json end = Json::object();
  end.set("kind", proof.end.kind);
  end.set("number", proof.end.number);
  end.set("detail", proof.end.detail);
  Json out = Json::object();
  out.set("schema_version", schema_version);
  out.set("run_id", proof.run_id);
  out.set("index", proof.index);
  out.set("side", name(proof.side));
  out.set("started", instant_json(proof.started));
  out.set("ended", instant_json(proof.ended));
  out.set("end", std::move(end));
  out.set("job_id", proof.job_id);
  out.set("nodes", Json::strings(proof.nodes));
  out.set("manifest_sha256", proof.manifest_sha256);
  out.set("nodes_before", to_json(proof.before));
  out.set("nodes_after", to_json(proof.after));
  return out.dump();
}

}  // namespace abgate::metrics
