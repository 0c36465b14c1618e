#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <abgate/base/json.hpp>

namespace abgate {

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(bool value) : kind_(Kind::boolean), boolean_(value) {}
Json::Json(int value) : kind_(Kind::integer), integer_(value) {}
Json::Json(std::int64_t value) : kind_(Kind::integer), integer_(value) {}
Json::Json(double value) : kind_(Kind::number), number_(value) {}
Json::Json(const char* value) : kind_(Kind::string), string_(value) {}
Json::Json(std::string value) : kind_(Kind::string), string_(std::move(value)) {}
Json::Json(std::string_view value) : kind_(Kind::string), string_(value) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::array() {
  Json out;
  out.kind_ = Kind::array;
  return out;
}

Json Json::array(std::vector<Json> items) {
  Json out = array();
  out.items_ = std::move(items);
  return out;
}

Json Json::object() {
  Json out;
  out.kind_ = Kind::object;
  return out;
}

Json Json::object(std::vector<Member> members) {
  Json out = object();
  out.members_ = std::move(members);
  return out;
}

Json Json::strings(const std::vector<std::string>& values) {
  Json out = array();
  for (const std::string& value : values)
    out.items_.emplace_back(value);
  return out;
}

std::string_view Json::kind_name() const {
  switch (kind_) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return boolean_ ? "true" : "false";
    case Kind::integer:
      return "a whole number";
    case Kind::number:
      // From 2^63 on a whole number fits only a double.
      return std::abs(number_) < 0x1p63 ? "a number with a fraction" : "a number beyond 64 bits";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "nothing";
}

double Json::as_number() const {
  return kind_ == Kind::integer ? static_cast<double>(integer_) : number_;
}

const Json* Json::find(std::string_view key) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& member) { return member.key == key; });
  return found == members_.end() ? nullptr : &found->value;
}

Json* Json::find(std::string_view key) {
  return const_cast<Json*>(std::as_const(*this).find(key));
}

const Json* Json::at(std::initializer_list<std::string_view> path) const {
  const Json* value = this;
  for (const std::string_view key : path) {
    if (value == nullptr) return nullptr;
    value = value->find(key);
  }
  return value;
}

Json& Json::set(std::string key, Json value) {
  if (kind_ == Kind::null) kind_ = Kind::object;
  if (Json* present = find(key)) {
    *present = std::move(value);
    return *present;
  }
  members_.push_back({std::move(key), std::move(value), {}});
  return members_.back().value;
}

void Json::push_back(Json value) {
  if (kind_ == Kind::null) kind_ = Kind::array;
  items_.push_back(std::move(value));
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_numeric() && b.is_numeric()) {
    return a.kind_ == b.kind_ ? a.integer_ == b.integer_ && a.number_ == b.number_
                              : a.as_number() == b.as_number();
  }
  if (a.kind_ != b.kind_ || a.boolean_ != b.boolean_ || a.string_ != b.string_ ||
      a.items_ != b.items_ || a.members_.size() != b.members_.size()) {
    return false;
  }
  return std::equal(a.members_.begin(), a.members_.end(), b.members_.begin(),
                    [](const Json::Member& x, const Json::Member& y) {
                      return x.key == y.key && x.value == y.value;
                    });
}

std::string pointer_join(std::string_view pointer, std::string_view key) {
  std::string out(pointer);
  out += '/';
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

std::string pointer_join(std::string_view pointer, std::size_t index) {
  return fmt::format("{}/{}", pointer, index);
}

}  // namespace abgate
