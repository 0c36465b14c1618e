#include <type_traits>

#include "field.hpp"

namespace abgate::config {
namespace {

template <class T>
using Tag = std::type_identity<T>;

Json typed(const char* type) {
  Json out = Json::object();
  out.set("type", type);
  return out;
}

Json text_schema(const Shape* shape) {
  Json out = typed("string");
  if (shape == nullptr) return out;
  out.set("pattern", shape->pattern);
  out.set("maxLength", static_cast<std::int64_t>(shape->longest));
  return out;
}

/// A bound that is whole is written without a fraction.
Json bound(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

Json number_schema(const char* type, const ObjectReader::Range& range) {
  Json out = typed(type);
  if (range.minimum) {
    out.set(range.above_minimum ? "exclusiveMinimum" : "minimum", bound(*range.minimum));
  }
  if (range.maximum) {
    out.set(range.below_maximum ? "exclusiveMaximum" : "maximum", bound(*range.maximum));
  }
  return out;
}

Json list_schema(const Rule& rule, Json items) {
  Json out = typed("array");
  out.set("items", std::move(items));
  if (rule.filled) out.set("minItems", 1);
  if (rule.distinct) out.set("uniqueItems", true);
  return out;
}

Json schema(const Rule& rule, Tag<std::string> /*tag*/) {
  if (rule.choices.empty()) return text_schema(rule.shape);
  Json out = Json::object();
  out.set("enum", Json::strings(rule.choices));
  return out;
}

Json schema(const Rule& rule, Tag<Launcher> /*tag*/) {
  return schema(rule, Tag<std::string>());
}

Json schema(const Rule& rule, Tag<Order> /*tag*/) {
  return schema(rule, Tag<std::string>());
}

Json schema(const Rule& /*rule*/, Tag<bool> /*tag*/) {
  return typed("boolean");
}

Json schema(const Rule& rule, Tag<std::int64_t> /*tag*/) {
  return number_schema("integer", rule.range);
}

Json schema(const Rule& rule, Tag<double> /*tag*/) {
  return number_schema("number", rule.range);
}

Json schema(const Rule& rule, Tag<std::chrono::seconds> /*tag*/) {
  return rule.plain_seconds ? number_schema("integer", rule.range) : text_schema(&shapes::duration);
}

Json schema(const Rule& /*rule*/, Tag<Environment> /*tag*/) {
  Json names = Json::object();
  names.set("pattern", shapes::variable.pattern);
  names.set("maxLength", static_cast<std::int64_t>(shapes::variable.longest));
  Json out = typed("object");
  out.set("propertyNames", std::move(names));
  out.set("additionalProperties", text_schema(&shapes::value));
  return out;
}

template <class Value>
Json schema(const Rule& rule, Tag<std::map<std::string, Value>> /*tag*/) {
  Json out = typed("object");
  out.set("additionalProperties", schema(rule, Tag<Value>()));
  return out;
}

template <class T>
Json schema(const Rule& /*rule*/, Tag<T> /*tag*/) {
  return object_schema<T>();
}

template <class T>
Json schema(const Rule& rule, Tag<std::vector<T>> /*tag*/) {
  return list_schema(rule, schema(rule, Tag<T>()));
}

template <class T, class Value>
Tag<Value> tag_of(Value T::* /*member*/) {
  return {};
}

}  // namespace

template <class T>
Json object_schema() {
  Json required = Json::array();
  Json properties = Json::object();
  for (const Field<T>& field : fields_of<T>()) {
    if (field.rule.required) required.push_back(field.key);
    Json property = Json::object();
    property.set("description", field.description);
    const Json type =
        std::visit([&](auto member) { return schema(field.rule, tag_of(member)); }, field.member);
    for (const Json::Member& member : type.members())
      property.set(member.key, member.value);
    properties.set(std::string(field.key), std::move(property));
  }
  Json out = typed("object");
  out.set("additionalProperties", false);
  out.set("required", std::move(required));
  out.set("properties", std::move(properties));
  return out;
}

template Json object_schema<Workload>();
template Json object_schema<Cluster>();
template Json object_schema<Suite>();

}  // namespace abgate::config
