#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <abgate/base/json.hpp>

namespace abgate {
namespace {

constexpr std::size_t deepest = 128;

/// Builds a Json tree with positions from SAX events.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, std::string_view file, JsonSyntax syntax)
      : text_(text), file_(file), syntax_(syntax) {}

  Json take_root() { return std::move(root_); }
  Diagnostics take_diagnostics() { return std::move(diagnostics_); }

  bool null() override { return add(Json(nullptr)); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override {
    return add(Json(static_cast<std::int64_t>(value)));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) {
      return add(Json(static_cast<double>(value)));
    }
    return add(Json(static_cast<std::int64_t>(value)));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return add(Json(static_cast<double>(value)));
  }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool key(string_t& value) override {
    const Position at = next_token();
    Json& object = *open_.back();
    if (!syntax_.duplicates) {
      for (const Json::Member& member : object.members()) {
        if (member.key != value) continue;
        diagnostics_.push_back(
            {Severity::error, std::string(file_), at, "",
             fmt::format("the key \"{}\" stands twice in one object", value),
             fmt::format("the first is on line {}; keep one", member.position.line)});
        break;
      }
    }
    key_ = value;
    key_position_ = at;
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& problem) override {
    // nlohmann counts the bytes that it has read; the message repeats the place in its own words.
    const std::size_t offset = position == 0 ? 0 : position - 1;
    std::string message = problem.what();
    if (const std::size_t end = message.find("] "); end != std::string::npos) {
      message.erase(0, end + 2);
    }
    if (const std::size_t colon = message.find(": "); message.starts_with("parse error at")) {
      message.erase(0, colon + 2);
    }
    if (problem.id == 406) message = "the number is too large to be represented";
    const bool overflow = problem.id == 406;
    diagnostics_.push_back({Severity::error, std::string(file_),
                            overflow ? next_token() : position_of(std::min(offset, text_.size())),
                            "", message, ""});
    return false;
  }

 private:
  Position position_of(std::size_t offset) {
    // Offsets only grow, so counting goes on where it stopped.
    if (offset < counted_) {
      counted_ = 0;
      line_ = 1;
      line_start_ = 0;
    }
    for (; counted_ < offset; ++counted_) {
      if (text_[counted_] == '\n') {
        ++line_;
        line_start_ = counted_ + 1;
      }
    }
    return {line_, static_cast<int>(offset - line_start_) + 1};
  }

  /// Start of the token whose event has just come: behind the previous token there are only
  /// blanks, commas, colons and comments.
  Position next_token() {
    std::size_t at = token_end_;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':') {
        ++at;
      } else if (text_.substr(at, 2) == "//") {
        at = std::min(text_.find('\n', at), text_.size());
      } else if (text_.substr(at, 2) == "/*") {
        const std::size_t end = text_.find("*/", at + 2);
        at = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        break;
      }
    }
    const Position position = position_of(at);
    token_end_ = token_end_at(at);
    return position;
  }

  /// End of the token that starts at `at`; the lexer has found it well-formed.
  std::size_t token_end_at(std::size_t at) const {
    if (at >= text_.size()) return at;
    if (text_[at] == '"') {
      for (std::size_t i = at + 1; i < text_.size(); ++i) {
        if (text_[i] == '\\') {
          ++i;
        } else if (text_[i] == '"') {
          return i + 1;
        }
      }
      return text_.size();
    }
    if (std::string_view("{}[]").find(text_[at]) != std::string_view::npos) return at + 1;
    const std::size_t end = text_.find_first_of(" \t\r\n,:]}/", at);
    return end == std::string_view::npos ? text_.size() : end;
  }

  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.items().push_back(std::move(value));
      return &parent.items().back();
    }
    if (Json* earlier = parent.find(key_)) {  // a duplicate: reported, or accepted as the last
      *earlier = std::move(value);
      return earlier;
    }
    parent.members().push_back({key_, std::move(value), key_position_});
    return &parent.members().back().value;
  }

  bool add(Json value) {
    value.set_position(next_token());
    place(std::move(value));
    return true;
  }

  bool open(Json value) {
    const Position at = next_token();
    if (open_.size() >= deepest) {
      diagnostics_.push_back({Severity::error, std::string(file_), at, "",
                              fmt::format("nested deeper than {} levels", deepest), ""});
      return false;
    }
    value.set_position(at);
    open_.push_back(place(std::move(value)));
    return true;
  }

  bool close() {
    next_token();
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  std::string_view file_;
  JsonSyntax syntax_;
  std::size_t token_end_ = 0;
  std::size_t counted_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
  Json root_;
  std::vector<Json*> open_;
  std::string key_;
  Position key_position_;
  Diagnostics diagnostics_;
};

/// Python writes NaN, Infinity and -Infinity for numbers that JSON cannot hold; outside of strings
/// they become null.
std::string without_bare_nan(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\' && i + 1 < text.size()) {
      out += text[i++];
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      constexpr std::string_view words[] = {"-Infinity", "Infinity", "NaN"};
      const auto* word = std::find_if(std::begin(words), std::end(words), [&](std::string_view w) {
        return text.substr(i, w.size()) == w;
      });
      if (word != std::end(words)) {
        out += "null";
        i += word->size() - 1;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

nlohmann::ordered_json to_nlohmann(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::null:
      return nullptr;
    case Json::Kind::boolean:
      return value.as_boolean();
    case Json::Kind::integer:
      return value.as_integer();
    case Json::Kind::number:
      return value.as_number();
    case Json::Kind::string:
      return value.as_string();
    case Json::Kind::array: {
      auto out = nlohmann::ordered_json::array();
      for (const Json& item : value.items())
        out.push_back(to_nlohmann(item));
      return out;
    }
    case Json::Kind::object: {
      auto out = nlohmann::ordered_json::object();
      for (const Json::Member& member : value.members()) {
        out[member.key] = to_nlohmann(member.value);
      }
      return out;
    }
  }
  return nullptr;
}

std::string dump_with(const Json& value, int indent) {
  return to_nlohmann(value).dump(indent, ' ', false,
                                 nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

Json::Json(double value) : kind_(Kind::number), number_(value) {}

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
      return "a number with a fraction";
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

std::string Json::dump() const {
  return dump_with(*this, 2) + "\n";
}

std::string Json::dump_line() const {
  return dump_with(*this, -1);
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

Result<Json, Diagnostics> parse_json(std::string_view text, std::string_view file,
                                     JsonSyntax syntax) {
  std::string repaired;
  if (syntax.bare_nan) {
    repaired = without_bare_nan(text);
    text = repaired;
  }
  TreeBuilder builder(text, file, syntax);
  const bool sound =
      nlohmann::json::sax_parse(text.begin(), text.end(), &builder,
                                nlohmann::json::input_format_t::json, true, syntax.comments);
  Diagnostics diagnostics = builder.take_diagnostics();
  if (!sound && diagnostics.empty()) {
    diagnostics.push_back({Severity::error, std::string(file), {}, "", "is not JSON", ""});
  }
  if (!diagnostics.empty()) return Unexpected{std::move(diagnostics)};
  return builder.take_root();
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
