#include <type_traits>

#include <abgate/base/duration.hpp>
#include <abgate/base/secret.hpp>

#include "field.hpp"

namespace abgate::config {
namespace {

Json write(const Rule& /*rule*/, const std::string& value) {
  return looks_secret_value(value) ? Json(redacted) : Json(value);
}

Json write(const Rule& /*rule*/, bool value) {
  return {value};
}

Json write(const Rule& /*rule*/, std::int64_t value) {
  return {value};
}

Json write(const Rule& /*rule*/, double value) {
  return {value};
}

Json write(const Rule& rule, std::chrono::seconds value) {
  return rule.plain_seconds ? Json(std::int64_t{value.count()}) : Json(duration::to_slurm(value));
}

Json write(const Rule& /*rule*/, Launcher value) {
  return {name(value)};
}

Json write(const Rule& /*rule*/, Order value) {
  return {name(value)};
}

Json write(const Rule& /*rule*/, const Environment& value) {
  Json out = Json::object();
  for (const auto& [key, text] : value)
    out.set(key, looks_secret(key, text) ? Json(redacted) : Json(text));
  return out;
}

template <class Value>
Json write(const Rule& /*rule*/, const std::map<std::string, Value>& value) {
  Json out = Json::object();
  for (const auto& [key, item] : value)
    out.set(key, item);
  return out;
}

template <class T>
Json write(const Rule& /*rule*/, const T& value) {
  return write_object(value);
}

template <class T>
Json write(const Rule& rule, const std::vector<T>& values) {
  Json out = Json::array();
  for (const T& value : values)
    out.push_back(write(rule, value));
  return out;
}

bool is_empty(const Json& value) {
  return (value.is_string() && value.as_string().empty()) ||
         (value.is_array() && value.items().empty()) ||
         (value.is_object() && value.members().empty());
}

}  // namespace

template <class T>
Json write_object(const T& value) {
  Json out = Json::object();
  for (const Field<T>& field : fields_of<T>()) {
    Json json =
        std::visit([&](auto member) { return write(field.rule, value.*member); }, field.member);
    if (field.rule.required || !is_empty(json)) out.set(std::string(field.key), std::move(json));
  }
  return out;
}

template Json write_object(const GateConfig&);

}  // namespace abgate::config
