#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/history/entry.hpp>

#include "fields.hpp"
#include "quick_line.hpp"

namespace abgate::history {
namespace {

class Writer {
 public:
  void version(std::string_view key) { set(key, schema_version); }
  void text(std::string_view key, const std::string& value) { set(key, value); }
  void id(std::string_view key, const std::string& value) { set(key, value); }
  void number(std::string_view key, const std::optional<double>& value) {
    set(key, value ? Json(*value) : Json());
  }
  void instant(std::string_view key, const std::optional<time::Instant>& value) {
    set(key, value ? Json(time::to_rfc3339(*value)) : Json());
  }
  template <class T>
  void named(std::string_view key, T value, std::optional<T> (* /*parse*/)(std::string_view)) {
    set(key, name(value));
  }
  void code(std::string_view key, int value) { set(key, value); }
  void flag(std::string_view key, bool value) { set(key, value); }
  void texts(std::string_view key, const std::vector<std::string>& values) {
    set(key, Json::strings(values));
  }
  void legs(std::string_view key, const std::vector<Leg>& values) {
    Json items = Json::array();
    for (const Leg& leg : values) {
      Writer item;
      each_field(item, leg);
      items.push_back(std::move(item.json_));
    }
    set(key, std::move(items));
  }

  const Json& json() const { return json_; }

 private:
  void set(std::string_view key, Json value) { json_.set(std::string(key), std::move(value)); }
  Json json_ = Json::object();
};

/// Reads a parsed line and keeps the first problem.
class Reader {
 public:
  Reader(const Json& json, std::string& problem) : json_(json), problem_(problem) {}

  void version(std::string_view key) {
    const Json* value = json_.find(key);
    if (value == nullptr || !value->is_integer() || value->as_integer() < 1) {
      complain(key, "missing; this is no line of a history");
    } else if (value->as_integer() > schema_version) {
      complain(key, fmt::format("{} was written by a newer abgate; this one reads up to {}",
                                value->as_integer(), schema_version));
    }
  }
  void text(std::string_view key, std::string& value) {
    const Json* found = take(key, &Json::is_string, "a string");
    if (found != nullptr) value = found->as_string();
  }
  void id(std::string_view key, std::string& value) {
    text(key, value);
    if (!is_id(value)) complain(key, "missing, or not the name of a folder");
  }
  void number(std::string_view key, std::optional<double>& value) {
    const Json* found = take(key, &Json::is_numeric, "a number");
    if (found == nullptr) return;
    value = found->as_number();
    if (!(*value > 0)) complain(key, "not a positive number");
  }
  void instant(std::string_view key, std::optional<time::Instant>& value) {
    std::string written;
    text(key, written);
    if (written.empty()) return;
    value = time::parse_rfc3339(written);
    if (!value) complain(key, "not a time");
  }
  template <class T>
  void named(std::string_view key, T& value, std::optional<T> (*parse)(std::string_view)) {
    std::string written;
    text(key, written);
    const auto known = parse(written);
    if (known) {
      value = *known;
    } else {
      complain(key, written.empty() ? "missing" : "\"" + written + "\" is not known");
    }
  }
  void code(std::string_view key, int& value) {
    const Json* found = take(key, &Json::is_integer, "an integer");
    if (found == nullptr) return;
    if (found->as_integer() < 0 || found->as_integer() > 255) {
      complain(key, "not an exit code");
    } else {
      value = static_cast<int>(found->as_integer());
    }
  }
  void flag(std::string_view key, bool& value) {
    const Json* found = take(key, &Json::is_boolean, "true or false");
    if (found != nullptr) value = found->as_boolean();
  }
  void texts(std::string_view key, std::vector<std::string>& values) {
    const Json* found = take(key, &Json::is_array, "an array");
    if (found == nullptr) return;
    for (const Json& item : found->items()) {
      if (!item.is_string()) complain(key, "holds something that is no string");
      values.push_back(item.as_string());
    }
  }
  void legs(std::string_view key, std::vector<Leg>& values) {
    const Json* found = take(key, &Json::is_array, "an array");
    if (found == nullptr) return complain(key, "missing");
    for (const Json& item : found->items()) {
      Reader reader(item, problem_);
      each_field(reader, values.emplace_back());
    }
  }

 private:
  /// The value, when it is there and not null.
  const Json* take(std::string_view key, bool (Json::*is)() const, std::string_view wanted) {
    const Json* value = json_.find(key);
    if (value == nullptr || value->is_null()) return nullptr;
    if ((value->*is)()) return value;
    complain(key, fmt::format("expected {}, found {}", wanted, value->kind_name()));
    return nullptr;
  }
  void complain(std::string_view key, std::string_view message) {
    if (problem_.empty()) problem_ = fmt::format("{}: {}", key, message);
  }

  const Json& json_;
  std::string& problem_;
};

std::string config_text(const Json& config, std::initializer_list<std::string_view> path) {
  const Json* value = config.at(path);
  return value == nullptr ? "" : value->as_string();
}

/// The workload's reference value of that precision on as many nodes.
std::optional<double> reference_of(const Json& config, const std::string& precision) {
  const Json* nodes = config.find("nodes");
  const Json* references = config.at({"workload", "reference_values"});
  if (nodes == nullptr || references == nullptr) return {};
  for (const Json& reference : references->items()) {
    const Json* of_nodes = reference.find("nodes");
    const Json* value = reference.find("value");
    if (of_nodes == nullptr || value == nullptr || value->as_number() <= 0) continue;
    if (of_nodes->as_integer() == nodes->as_integer() &&
        config_text(reference, {"precision"}) == precision) {
      return value->as_number();
    }
  }
  return {};
}

/// Those of the allocation, or of the phases where there was none.
std::vector<std::string> nodes_of(const GateRecord& record) {
  if (record.allocation && !record.allocation->nodes.empty()) return record.allocation->nodes;
  std::vector<std::string> nodes;
  for (const PhaseRecord& phase : record.phases) {
    for (const std::string& node : phase.nodes) {
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
  }
  return nodes;
}

std::string reason_of(const GateRecord& record) {
  for (const Reason& reason : record.reasons) {
    if (reason.weight != Weight::note) return reason.code;
  }
  return "";
}

}  // namespace

bool is_id(std::string_view id) {
  return !id.empty() && id.front() != '.' && id.size() <= 128 &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return text::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  c == '-' || c == '_' || c == '.';
         });
}

Entry entry_of(const GateRecord& record) {
  Entry entry;
  entry.run_id = record.run_id;
  entry.command = record.command;
  entry.started = record.started;
  entry.workload = config_text(record.config, {"workload", "name"});
  entry.cluster = config_text(record.config, {"cluster", "name"});
  entry.verdict = record.verdict;
  entry.exit_code = record.exit_code;
  entry.reason = reason_of(record);
  const Json* same_build = record.config.find("same_build");
  entry.same_build = same_build != nullptr && same_build->as_boolean();
  entry.nodes = nodes_of(record);
  for (const LegResult& leg : record.legs) {
    Leg out;
    out.precision = leg.precision;
    out.metric = leg.metric;
    out.unit = leg.unit;
    out.max_drop = leg.max_drop;
    out.reference = reference_of(record.config, leg.precision);
    out.baseline = leg.baseline;
    out.candidate = leg.candidate;
    out.ratio = leg.ratio;
    out.outcome = leg.outcome;
    entry.legs.push_back(std::move(out));
  }
  return entry;
}

std::string to_line(const Entry& entry) {
  Writer writer;
  each_field(writer, entry);
  return writer.json().dump_line();
}

Result<Entry, std::string> parse_line(std::string_view line) {
  if (auto entry = read_quickly(line)) return std::move(*entry);
  const auto json = parse_json(line, "");
  if (!json) {
    const Diagnostic& first = json.error().front();
    return Unexpected{fmt::format("column {}: {}", first.position.column, first.message)};
  }
  Entry entry;
  std::string problem;
  Reader reader(*json, problem);
  each_field(reader, entry);
  if (!problem.empty()) return Unexpected{std::move(problem)};
  return entry;
}

}  // namespace abgate::history
