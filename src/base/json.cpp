#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <abgate/base/json.hpp>
#include <abgate/base/text.hpp>

#include "json_places.hpp"

namespace abgate {
namespace {

constexpr std::size_t deepest = 128;

/// What nlohmann says about a syntax error, without its own account of the place and without the
/// text that it read: that may be long, or secret.
std::string syntax_message(std::string message, const std::string& token) {
  constexpr std::string_view dash = " - ";
  if (const std::size_t at = message.find(dash); at != std::string::npos) {
    message.erase(0, at + dash.size());
  }
  message = text::replace_all(std::move(message), "; last read: '" + token + "'", "");
  message = text::replace_all(std::move(message), "; expected '}'", "; expected ',' or '}'");
  return text::replace_all(std::move(message), "; expected ']'", "; expected ',' or ']'");
}

/// True when a decimal text is not zero although its value is: it was too small for a double.
bool underflowed(double value, std::string_view written) {
  const std::string_view mantissa = written.substr(0, written.find_first_of("eE"));
  return value == 0 && mantissa.find_first_of("123456789") != std::string_view::npos;
}

constexpr std::array<std::string_view, 3> bare_nans{"-Infinity", "Infinity", "NaN"};

bool is_bare_nan(std::string_view token) {
  return std::find(bare_nans.begin(), bare_nans.end(), token) != bare_nans.end();
}

/// Builds a Json tree with positions from SAX events.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, std::string_view file, JsonSyntax syntax)
      : places_(text, syntax.comments), file_(file), syntax_(syntax) {}

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
  bool number_float(number_float_t value, const string_t& written) override {
    if (underflowed(value, written)) {
      return refuse(places_.next(), "the number is too small to be represented");
    }
    return add(Json(static_cast<double>(value)));
  }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool key(string_t& value) override {
    const Position at = places_.next();
    if (!syntax_.duplicates) report_duplicate(value, at);
    key_ = value;
    key_position_ = at;
    separator_ = ':';
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t /*position*/, const std::string& token,
                   const nlohmann::json::exception& problem) override {
    const Position at = places_.refused(separator_);
    constexpr int number_overflow = 406;
    if (problem.id == number_overflow) {
      return refuse(at, "the number is too large to be represented");
    }
    const char byte = places_.refused_byte();
    const bool trailing = separator_ == ',' && places_.separator_seen();
    return refuse(at, syntax_message(problem.what(), token),
                  trailing && (byte == '}' || byte == ']') ? "remove the comma before it" : "");
  }

 private:
  bool refuse(Position at, std::string message, std::string hint = "") {
    diagnostics_.push_back(
        {Severity::error, std::string(file_), at, "", std::move(message), std::move(hint)});
    return false;
  }

  void report_duplicate(const std::string& key, Position at) {
    for (const Json::Member& member : open_.back()->members()) {
      if (member.key != key) continue;
      refuse(at, fmt::format("the key \"{}\" stands twice in one object", key),
             fmt::format("the first is on line {}; keep one", member.position.line));
      return;
    }
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
    const Position at = places_.next();
    // The 0 that stands for a bare NaN: see `hide_bare_nan`.
    if (syntax_.bare_nan && is_bare_nan(places_.token())) value = Json(nullptr);
    value.set_position(at);
    place(std::move(value));
    value_ended();
    return true;
  }

  bool open(Json value) {
    const Position at = places_.next();
    if (open_.size() >= deepest) {
      return refuse(at, fmt::format("nested deeper than {} levels", deepest));
    }
    value.set_position(at);
    open_.push_back(place(std::move(value)));
    separator_ = '\0';
    return true;
  }

  bool close() {
    places_.next();
    open_.pop_back();
    value_ended();
    return true;
  }

  void value_ended() { separator_ = open_.empty() ? '\0' : ','; }

  TokenPlaces places_;
  std::string_view file_;
  JsonSyntax syntax_;
  char separator_ = '\0';  ///< that may stand before the next token
  Json root_;
  std::vector<Json*> open_;
  std::string key_;
  Position key_position_;
  Diagnostics diagnostics_;
};

/// Python writes NaN, Infinity and -Infinity for numbers that JSON cannot hold. Where a value may
/// start each becomes a 0 of the same length, so that every place stays right; the builder, which
/// sees the original text, makes it null.
std::string hide_bare_nan(std::string_view text) {
  std::string out(text);
  bool in_string = false;
  char before = '[';  // the last byte that is no blank
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    if (before == '[' || before == ',' || before == ':') {
      const auto* word = std::find_if(bare_nans.begin(), bare_nans.end(), [&](std::string_view w) {
        return text.substr(i).starts_with(w);
      });
      if (word != bare_nans.end()) {
        out.replace(i, word->size(), word->size(), ' ');
        out[i] = '0';
        i += word->size() - 1;
        before = '0';
        continue;
      }
    }
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) before = c;
    in_string = c == '"';
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

std::string Json::dump() const {
  return dump_with(*this, 2) + "\n";
}

std::string Json::dump_line() const {
  return dump_with(*this, -1);
}

Result<Json, Diagnostics> parse_json(std::string_view text, std::string_view file,
                                     JsonSyntax syntax) {
  // nlohmann takes a NUL for the end of the text, and would not see what follows it.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return Unexpected{
        Diagnostics{{Severity::error, std::string(file), TokenPlaces(text, false).at(nul), "",
                     "a NUL byte cannot stand in a JSON text", ""}}};
  }
  std::string hidden;
  if (syntax.bare_nan) hidden = hide_bare_nan(text);
  const std::string_view read = syntax.bare_nan ? std::string_view(hidden) : text;
  TreeBuilder builder(text, file, syntax);
  const bool sound =
      nlohmann::json::sax_parse(read.begin(), read.end(), &builder,
                                nlohmann::json::input_format_t::json, true, syntax.comments);
  Diagnostics diagnostics = builder.take_diagnostics();
  if (!sound && diagnostics.empty()) {
    diagnostics.push_back({Severity::error, std::string(file), {}, "", "is not JSON", ""});
  }
  if (!diagnostics.empty()) return Unexpected{std::move(diagnostics)};
  return builder.take_root();
}

}  // namespace abgate
