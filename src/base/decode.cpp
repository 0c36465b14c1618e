#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <abgate/base/decode.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate {
namespace {

std::string range_text(const ObjectReader::Range& range) {
  const auto number_text = [](double v) { return number::shortest(v); };
  if (range.minimum && range.maximum) {
    return fmt::format("{} {} and {} {}", range.above_minimum ? "more than" : "at least",
                       number_text(*range.minimum), range.below_maximum ? "less than" : "at most",
                       number_text(*range.maximum));
  }
  if (range.minimum) {
    return fmt::format("{} {}", range.above_minimum ? "more than" : "at least",
                       number_text(*range.minimum));
  }
  return range.maximum ? fmt::format("at most {}", number_text(*range.maximum)) : "a finite number";
}

bool in_range(double value, const ObjectReader::Range& range) {
  if (range.minimum && value < *range.minimum) return false;
  if (range.minimum && range.above_minimum && value <= *range.minimum) return false;
  if (range.maximum && range.below_maximum && value >= *range.maximum) return false;
  return !range.maximum || value <= *range.maximum;
}

}  // namespace

ObjectReader::ObjectReader(const Json& object, std::string file, std::string pointer,
                           Diagnostics& diagnostics)
    : object_(object),
      file_(std::move(file)),
      pointer_(std::move(pointer)),
      diagnostics_(diagnostics),
      usable_(object.is_object()) {
  if (!usable_) {
    diagnostics_.push_back({Severity::error, file_, object.position(), pointer_,
                            fmt::format("expected an object, found {}", object.kind_name()), ""});
  }
}

bool ObjectReader::has(std::string_view key) {
  return raw(key) != nullptr;
}

const Json* ObjectReader::raw(std::string_view key, bool required) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  const Json* value = object_.find(key);
  if (value == nullptr && required && usable_) {
    diagnostics_.push_back({Severity::error, file_, object_.position(), pointer(key),
                            fmt::format("the key \"{}\" is missing", key), ""});
  }
  return value;
}

void ObjectReader::mismatch(std::string_view key, const Json& value, std::string_view wanted) {
  diagnostics_.push_back({Severity::error, file_, value.position(), pointer(key),
                          fmt::format("expected {}, found {}", wanted, value.kind_name()), ""});
}

std::optional<std::string> ObjectReader::string(std::string_view key, bool required) {
  const Json* value = raw(key, required);
  if (value == nullptr) return {};
  if (!value->is_string()) {
    mismatch(key, *value, "a string");
    return {};
  }
  return value->as_string();
}

std::optional<bool> ObjectReader::boolean(std::string_view key, bool required) {
  const Json* value = raw(key, required);
  if (value == nullptr) return {};
  if (!value->is_boolean()) {
    mismatch(key, *value, "true or false");
    return {};
  }
  return value->as_boolean();
}

std::optional<std::int64_t> ObjectReader::integer(std::string_view key, Range range,
                                                  bool required) {
  const Json* value = raw(key, required);
  if (value == nullptr) return {};
  if (!value->is_integer()) {
    mismatch(key, *value, "a whole number");
    return {};
  }
  if (!in_range(static_cast<double>(value->as_integer()), range)) {
    error(key, fmt::format("{} is out of range", value->as_integer()),
          fmt::format("give {}", range_text(range)));
    return {};
  }
  return value->as_integer();
}

std::optional<double> ObjectReader::number(std::string_view key, Range range, bool required) {
  const Json* value = raw(key, required);
  if (value == nullptr) return {};
  if (!value->is_numeric()) {
    mismatch(key, *value, "a number");
    return {};
  }
  if (!std::isfinite(value->as_number()) || !in_range(value->as_number(), range)) {
    error(key, fmt::format("{} is out of range", number::shortest(value->as_number())),
          fmt::format("give {}", range_text(range)));
    return {};
  }
  return value->as_number();
}

std::optional<std::vector<std::string>> ObjectReader::strings(std::string_view key, bool required) {
  const Json* value = raw(key, required);
  if (value == nullptr) return {};
  if (!value->is_array()) {
    mismatch(key, *value, "an array of strings");
    return {};
  }
  std::vector<std::string> out;
  bool sound = true;
  for (std::size_t i = 0; i < value->items().size(); ++i) {
    const Json& item = value->items()[i];
    if (item.is_string()) {
      out.push_back(item.as_string());
    } else {
      diagnostics_.push_back({Severity::error, file_, item.position(),
                              pointer_join(pointer(key), i),
                              fmt::format("expected a string, found {}", item.kind_name()), ""});
      sound = false;
    }
  }
  if (!sound) return {};
  return out;
}

std::optional<std::vector<std::int64_t>> ObjectReader::integers(std::string_view key, Range range,
                                                                bool required) {
  const Json* value = raw(key, required);
  if (value == nullptr) return {};
  if (!value->is_array()) {
    mismatch(key, *value, "an array of whole numbers");
    return {};
  }
  std::vector<std::int64_t> out;
  bool sound = true;
  for (std::size_t i = 0; i < value->items().size(); ++i) {
    const Json& item = value->items()[i];
    const std::string at = pointer_join(pointer(key), i);
    if (!item.is_integer()) {
      diagnostics_.push_back({Severity::error, file_, item.position(), at,
                              fmt::format("expected a whole number, found {}", item.kind_name()),
                              ""});
      sound = false;
    } else if (!in_range(static_cast<double>(item.as_integer()), range)) {
      diagnostics_.push_back({Severity::error, file_, item.position(), at,
                              fmt::format("{} is out of range", item.as_integer()),
                              fmt::format("give {}", range_text(range))});
      sound = false;
    } else {
      out.push_back(item.as_integer());
    }
  }
  if (!sound) return {};
  return out;
}

std::optional<std::vector<std::pair<std::string, std::string>>> ObjectReader::string_map(
    std::string_view key, bool required) {
  const Json* value = raw(key, required);
  if (value == nullptr) return {};
  if (!value->is_object()) {
    mismatch(key, *value, "an object of strings");
    return {};
  }
  std::vector<std::pair<std::string, std::string>> out;
  bool sound = true;
  for (const Json::Member& member : value->members()) {
    if (member.value.is_string()) {
      out.emplace_back(member.key, member.value.as_string());
    } else {
      diagnostics_.push_back({Severity::error, file_, member.value.position(),
                              pointer_join(pointer(key), member.key),
                              fmt::format("expected a string, found {}", member.value.kind_name()),
                              "write the value in quotes"});
      sound = false;
    }
  }
  if (!sound) return {};
  return out;
}

std::optional<std::string> ObjectReader::choice(std::string_view key,
                                                const std::vector<std::string>& allowed,
                                                bool required) {
  auto value = string(key, required);
  if (value && std::find(allowed.begin(), allowed.end(), *value) == allowed.end()) {
    error(key, fmt::format("\"{}\" is not known{}", *value, text::did_you_mean(*value, allowed)),
          "give one of " + text::join(allowed, ", "));
    return {};
  }
  return value;
}

void ObjectReader::error(std::string_view key, std::string message, std::string hint) {
  const Json* value = object_.find(key);
  diagnostics_.push_back({Severity::error, file_,
                          value != nullptr ? value->position() : object_.position(), pointer(key),
                          std::move(message), std::move(hint)});
}

std::string ObjectReader::origin(std::string_view key) const {
  const Json* value = object_.find(key);
  const Position at = value != nullptr ? value->position() : object_.position();
  return fmt::format("{}:{}:{}", file_, at.line, at.column);
}

void ObjectReader::finish() {
  if (!usable_) return;
  for (const Json::Member& member : object_.members()) {
    if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
    const auto guess = text::nearest(member.key, known_);
    diagnostics_.push_back({Severity::error, file_, member.position, pointer(member.key),
                            fmt::format("unknown key \"{}\"", member.key),
                            guess ? fmt::format("did you mean \"{}\"?", *guess)
                                  : fmt::format("known keys: {}", text::join(known_, ", "))});
  }
}

}  // namespace abgate
