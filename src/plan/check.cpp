#include "check.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <abgate/base/secret.hpp>
#include <abgate/base/text.hpp>

namespace abgate::plan {

Place Place::operator[](std::string_view key) const {
  const Json* member = value == nullptr ? nullptr : value->find(key);
  return {member, pointer_join(pointer, key), member == nullptr ? position : member->position()};
}

std::string_view Place::text() const {
  return value != nullptr && value->is_string() ? std::string_view(value->as_string())
                                                : std::string_view();
}

std::optional<std::int64_t> Place::integer() const {
  if (value == nullptr || !value->is_integer()) return std::nullopt;
  return value->as_integer();
}

void Findings::add(Severity severity, const Place& at, std::string message, std::string hint) {
  diagnostics_.push_back({severity, file_, at.position, text::printable(at.pointer),
                          std::move(message), std::move(hint)});
}

void Findings::error(const Place& at, std::string message, std::string hint) {
  add(Severity::error, at, std::move(message), std::move(hint));
}

void Findings::warning(const Place& at, std::string message, std::string hint) {
  add(Severity::warning, at, std::move(message), std::move(hint));
}

Diagnostics Findings::take() {
  const auto order = [](const Diagnostic& d) {
    return std::tuple(d.position.line, d.position.column);
  };
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return order(a) < order(b); });
  return std::move(diagnostics_);
}

bool Findings::present(const Place& at, bool required) {
  if (!at && required) error(at, "is missing");
  return static_cast<bool>(at);
}

bool Findings::object(const Place& at, bool required) {
  if (!present(at, required)) return false;
  if (at.value->is_object()) return true;
  error(at, fmt::format("is {}, not an object", at.value->kind_name()));
  return false;
}

bool Findings::string(const Place& at, bool required) {
  if (!present(at, required)) return false;
  if (at.value->is_string()) return true;
  error(at, fmt::format("is {}, not a string", at.value->kind_name()));
  return false;
}

bool Findings::boolean(const Place& at, bool required) {
  if (!present(at, required)) return false;
  if (at.value->is_boolean()) return true;
  error(at, fmt::format("is {}, not a boolean", at.value->kind_name()),
        "give true or false, without quotes");
  return false;
}

bool Findings::positive(const Place& at, bool required) {
  if (!present(at, required)) return false;
  if (at.integer().value_or(0) > 0) return true;
  error(at, at.value->is_integer()
                ? fmt::format("is {}, not a positive number", at.value->as_integer())
                : fmt::format("is {}, not a positive whole number", at.value->kind_name()));
  return false;
}

bool Findings::equals(const Place& at, std::string_view wanted) {
  if (!string(at)) return false;
  if (at.text() == wanted) return true;
  error(at, fmt::format("is {}", quoted(at.text())), fmt::format("give \"{}\"", wanted));
  return false;
}

void Findings::unknown_keys(const Place& at, const std::vector<std::string>& known) {
  for (const Json::Member& member : at.value->members()) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    Place place = at[member.key];
    place.position = member.position;
    warning(place,
            "is not a key that madengine reads here" + text::did_you_mean(member.key, known));
  }
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 80;
  if (looks_secret_value(text)) return "a text that looks secret";
  const bool cut = text.size() > longest;
  return fmt::format("\"{}{}\"", text::printable(text.substr(0, longest)), cut ? "…" : "");
}

std::optional<std::int64_t> nodes_of(const Place& manifest) {
  const Place deployment = manifest["deployment_config"];
  const auto nodes = deployment["slurm"]["nodes"].integer();
  return nodes ? nodes : deployment["distributed"]["nnodes"].integer();
}

bool overlays_rccl(const Place& manifest) {
  const Place mounts = manifest["context"]["docker_mounts"];
  return mounts.is_object() &&
         std::any_of(mounts.value->members().begin(), mounts.value->members().end(),
                     [](const Json::Member& mount) {
                       return mount.key.find("librccl.so") != std::string::npos;
                     });
}

}  // namespace abgate::plan
