#include <set>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/text.hpp>

#include "field.hpp"

namespace abgate::config {
namespace {

/// One member that is being read.
struct Place {
  ObjectReader& object;
  std::string key;
  const Rule& rule;
  Diagnostics& diagnostics;
  Origins& origins;

  void report(TextProblem problem) const {
    object.error(key, std::move(problem.message), std::move(problem.hint));
  }
  void report_at(const Json& value, const std::string& pointer, TextProblem problem) const {
    diagnostics.push_back({Severity::error, object.file(), value.position(), pointer,
                           std::move(problem.message), std::move(problem.hint)});
  }
};

void read(const Place& at, std::string& out) {
  if (!at.rule.choices.empty()) {
    if (auto value = at.object.choice(at.key, at.rule.choices, at.rule.required)) out = *value;
    return;
  }
  const auto value = at.object.string(at.key, at.rule.required);
  if (!value) return;
  TextProblem problem =
      at.rule.shape != nullptr ? check_text(*at.rule.shape, *value) : TextProblem();
  if (problem) return at.report(std::move(problem));
  out = *value;
}

void read(const Place& at, bool& out) {
  out = at.object.boolean(at.key, at.rule.required).value_or(out);
}

void read(const Place& at, std::int64_t& out) {
  out = at.object.integer(at.key, at.rule.range, at.rule.required).value_or(out);
}

void read(const Place& at, double& out) {
  out = at.object.number(at.key, at.rule.range, at.rule.required).value_or(out);
}

void read(const Place& at, std::chrono::seconds& out) {
  if (at.rule.plain_seconds) {
    std::int64_t count = out.count();
    read(at, count);
    out = std::chrono::seconds(count);
    return;
  }
  const auto text = at.object.string(at.key, at.rule.required);
  if (!text) return;
  if (TextProblem problem = check_text(shapes::duration, *text)) {
    return at.report(std::move(problem));
  }
  const auto value = duration::parse(*text);
  if (!value) {
    return at.report({fmt::format("\"{}\" is longer than a year", *text),
                      fmt::format("give {}", shapes::duration.right)});
  }
  out = *value;
}

template <class T>
void read_named(const Place& at, T& out, std::optional<T> (*parse)(std::string_view)) {
  const auto text = at.object.choice(at.key, at.rule.choices, at.rule.required);
  if (text) out = parse(*text).value_or(out);
}

void read(const Place& at, Launcher& out) {
  read_named(at, out, parse_launcher);
}

void read(const Place& at, Order& out) {
  read_named(at, out, parse_order);
}

/// What holds for lists of every kind. Items of the wrong type were reported before.
void check_list(const Place& at, Json::Kind kind) {
  const Json* json = at.object.raw(at.key);
  if (json == nullptr || !json->is_array()) return;
  if (at.rule.filled && json->items().empty()) {
    at.report({"is empty", "give at least one item"});
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < json->items().size(); ++i) {
    const Json& item = json->items()[i];
    if (item.kind() != kind) continue;
    TextProblem problem;
    if (item.is_string() && at.rule.shape != nullptr) {
      problem = check_text(*at.rule.shape, item.as_string());
    }
    if (at.rule.distinct && !problem && !seen.insert(item.dump_line()).second) {
      problem = {item.dump_line() + " stands twice", "keep one"};
    }
    if (problem) at.report_at(item, pointer_join(at.object.pointer(at.key), i), std::move(problem));
  }
}

void read(const Place& at, std::vector<std::string>& out) {
  out = at.object.strings(at.key, at.rule.required).value_or(out);
  check_list(at, Json::Kind::string);
}

void read(const Place& at, std::vector<std::int64_t>& out) {
  out = at.object.integers(at.key, at.rule.range, at.rule.required).value_or(out);
  check_list(at, Json::Kind::integer);
}

void read(const Place& at, Environment& out) {
  out = at.object.string_map(at.key, at.rule.required).value_or(out);
  const Json* json = at.object.raw(at.key);
  if (json == nullptr) return;
  for (const Json::Member& member : json->members()) {
    const Json& value = member.value;
    at.origins[at.key + "." + member.key] =
        fmt::format("{}:{}:{}", at.object.file(), value.position().line, value.position().column);
    if (!value.is_string()) continue;
    if (TextProblem problem = check_variable(member.key, value.as_string())) {
      at.report_at(value, pointer_join(at.object.pointer(at.key), member.key), std::move(problem));
    }
  }
}

/// Shares of precisions or origins: maps of our own record, not of configuration files.
template <class Value, class Take>
void read_map(const Place& at, std::map<std::string, Value>& out, const Take& take) {
  const Json* json = at.object.raw(at.key, at.rule.required);
  if (json == nullptr) return;
  ObjectReader members(*json, at.object.file(), at.object.pointer(at.key), at.diagnostics);
  for (const Json::Member& member : json->members()) {
    if (auto value = take(members, member.key)) out[member.key] = *value;
  }
}

void read(const Place& at, std::map<std::string, double>& out) {
  read_map(at, out, [&](ObjectReader& members, const std::string& key) {
    return members.number(key, at.rule.range);
  });
}

void read(const Place& at, std::map<std::string, std::string>& out) {
  read_map(at, out,
           [](ObjectReader& members, const std::string& key) { return members.string(key); });
}

template <class T>
void read_nested(const Place& at, const Json& json, const std::string& pointer, T& out) {
  ObjectReader reader(json, at.object.file(), pointer, at.diagnostics);
  if (!reader.usable()) return;
  Origins ignored;  // a list has one origin, that of its key
  read_fields(reader, out, at.diagnostics, ignored);
  reader.finish();
}

template <class T>
void read(const Place& at, T& out) {
  const Json* json = at.object.raw(at.key, at.rule.required);
  if (json != nullptr) read_nested(at, *json, at.object.pointer(at.key), out);
}

template <class T>
void read(const Place& at, std::vector<T>& out) {
  const Json* json = at.object.raw(at.key, at.rule.required);
  if (json == nullptr) return;
  if (!json->is_array()) {
    return at.report(
        {fmt::format("expected an array of objects, found {}", json->kind_name()), ""});
  }
  for (std::size_t i = 0; i < json->items().size(); ++i) {
    read_nested(at, json->items()[i], pointer_join(at.object.pointer(at.key), i),
                out.emplace_back());
  }
  if (at.rule.filled && out.empty()) at.report({"is empty", "give at least one item"});
}

}  // namespace

template <class T>
void read_fields(ObjectReader& reader, T& out, Diagnostics& diagnostics, Origins& origins) {
  for (const Field<T>& field : fields_of<T>()) {
    const Place at{reader, std::string(field.key), field.rule, diagnostics, origins};
    std::visit([&](auto member) { read(at, out.*member); }, field.member);
    if (reader.has(field.key)) origins[at.key] = reader.origin(field.key);
  }
}

template void read_fields(ObjectReader&, Workload&, Diagnostics&, Origins&);
template void read_fields(ObjectReader&, Cluster&, Diagnostics&, Origins&);
template void read_fields(ObjectReader&, Suite&, Diagnostics&, Origins&);
template void read_fields(ObjectReader&, GateConfig&, Diagnostics&, Origins&);

}  // namespace abgate::config
