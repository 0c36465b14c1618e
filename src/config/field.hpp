#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <abgate/base/decode.hpp>
#include <abgate/model/config.hpp>

#include "shapes.hpp"

namespace abgate::config {

/// `file:line:column` by key path.
using Origins = std::map<std::string, std::string>;

inline ObjectReader::Range at_least(double minimum) {
  return {minimum, {}};
}
inline ObjectReader::Range between(double minimum, double maximum) {
  return {minimum, maximum};
}
inline ObjectReader::Range above(double minimum) {
  return {minimum, {}, true};
}
/// Nobody gates on half of the speed: 0.99, or a 2 meant as a percentage, would pass anything.
inline constexpr double largest_drop = 0.5;
inline ObjectReader::Range drop_range() {
  return {0.0, largest_drop, true, true};
}

/// What a field's value must fulfil besides its type, which the member gives.
struct Rule {
  bool required = false;
  const Shape* shape = nullptr;  ///< of a text, of a list's items or of a map's values
  std::vector<std::string> choices = {};
  ObjectReader::Range range = {};
  bool filled = false;         ///< a list holds at least one item
  bool distinct = false;       ///< a list's items differ
  bool plain_seconds = false;  ///< a duration stands as a whole number of seconds
};

/// The member that a field fills. Its type decides the JSON type.
template <class T>
using Member =
    std::variant<std::string T::*, bool T::*, std::int64_t T::*, double T::*,
                 std::chrono::seconds T::*, Launcher T::*, Order T::*,
                 std::vector<std::string> T::*, std::vector<std::int64_t> T::*, Environment T::*,
                 std::vector<Mount> T::*, std::vector<LogKind> T::*,
                 std::vector<ReferenceValue> T::*, std::vector<SuiteGate> T::*,
                 std::map<std::string, double> T::*, std::map<std::string, std::string> T::*,
                 Workload T::*, Cluster T::*, SideConfig T::*, Budgets T::*>;

/// One line of the table from which reading, writing and the JSON Schema of a struct come.
template <class T>
struct Field {
  std::string_view key;
  Member<T> member;
  Rule rule;
  std::string_view description;
};

/// The table of a struct, in the order in which its keys are written.
template <class T>
const std::vector<Field<T>>& fields_of();
template <>
const std::vector<Field<Mount>>& fields_of<Mount>();
template <>
const std::vector<Field<LogKind>>& fields_of<LogKind>();
template <>
const std::vector<Field<ReferenceValue>>& fields_of<ReferenceValue>();
template <>
const std::vector<Field<SuiteGate>>& fields_of<SuiteGate>();
template <>
const std::vector<Field<Workload>>& fields_of<Workload>();
template <>
const std::vector<Field<Cluster>>& fields_of<Cluster>();
template <>
const std::vector<Field<Suite>>& fields_of<Suite>();
template <>
const std::vector<Field<SideConfig>>& fields_of<SideConfig>();
template <>
const std::vector<Field<Budgets>>& fields_of<Budgets>();
template <>
const std::vector<Field<GateConfig>>& fields_of<GateConfig>();

/// Fills a struct from the members that its table names; every problem becomes a diagnostic.
/// Unknown keys are reported by `reader.finish()`, which is left to the caller.
template <class T>
void read_fields(ObjectReader& reader, T& out, Diagnostics& diagnostics, Origins& origins);

/// What `write_object` writes for a text that looks secret.
inline constexpr std::string_view redacted = "[redacted]";

/// The struct as JSON. Optional members that are empty are left out. Texts that look secret are
/// replaced.
template <class T>
Json write_object(const T& value);

/// A JSON Schema of the struct: type, required keys, properties, no other keys.
template <class T>
Json object_schema();

/// A problem of one text, as message and hint; both empty when the text fits. The text is shown cut
/// and printable, and not at all when it looks secret.
struct TextProblem {
  std::string message;
  std::string hint;
  explicit operator bool() const { return !message.empty(); }
};
TextProblem check_text(const Shape& shape, std::string_view text);
TextProblem check_variable(std::string_view name, std::string_view value);

}  // namespace abgate::config
