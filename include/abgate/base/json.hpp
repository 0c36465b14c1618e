#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abgate/base/diagnostic.hpp>
#include <abgate/base/result.hpp>

namespace abgate {

/// A JSON value that remembers where it stood and in which order its keys came. Parsing and
/// printing are nlohmann's; this type keeps that header out of every other file.
class Json {
 public:
  enum class Kind { null, boolean, integer, number, string, array, object };
  struct Member;

  // All of them are defined in the source file: a member list is a vector of a type that is not
  // complete before this class is.
  Json();
  Json(std::nullptr_t);          // NOLINT(*-explicit-*)
  Json(bool value);              // NOLINT(*-explicit-*)
  Json(int value);               // NOLINT(*-explicit-*)
  Json(std::int64_t value);      // NOLINT(*-explicit-*)
  Json(double value);            // NOLINT(*-explicit-*)
  Json(const char* value);       // NOLINT(*-explicit-*)
  Json(std::string value);       // NOLINT(*-explicit-*)
  Json(std::string_view value);  // NOLINT(*-explicit-*)
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();
  static Json array();
  static Json array(std::vector<Json> items);
  static Json object();
  static Json object(std::vector<Member> members);
  static Json strings(const std::vector<std::string>& values);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  bool is_integer() const { return kind_ == Kind::integer; }
  /// An integer or a number with a fraction.
  bool is_numeric() const { return kind_ == Kind::integer || kind_ == Kind::number; }
  bool is_string() const { return kind_ == Kind::string; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }
  /// `an object`, `a string`, …: for messages.
  std::string_view kind_name() const;

  // Each accessor answers for its own kind; another kind gives false, 0 or empty.
  bool as_boolean() const { return boolean_; }
  std::int64_t as_integer() const { return integer_; }
  double as_number() const;
  const std::string& as_string() const { return string_; }
  const std::vector<Json>& items() const { return items_; }
  std::vector<Json>& items() { return items_; }
  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }

  /// The member of that key, or nullptr (also when this is no object).
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  /// The value at a path of keys, or nullptr.
  const Json* at(std::initializer_list<std::string_view> path) const;
  /// Sets a member, replacing one of that key in place; makes null an object.
  Json& set(std::string key, Json value);
  void push_back(Json value);

  /// Where the value started; {0,0} when it was built, not parsed.
  Position position() const { return position_; }
  void set_position(Position position) { position_ = position; }

  /// Text with two-space indents and a final newline; keys in insertion order; non-finite numbers
  /// print as null; bytes that are not UTF-8 are replaced, never thrown at.
  std::string dump() const;
  /// The same on one line, without a newline.
  std::string dump_line() const;

  friend bool operator==(const Json& a, const Json& b);

 private:
  Kind kind_ = Kind::null;
  bool boolean_ = false;
  std::int64_t integer_ = 0;
  double number_ = 0;
  std::string string_;
  std::vector<Json> items_;
  std::vector<Member> members_;
  Position position_;
};

struct Json::Member {
  std::string key;
  Json value;
  Position position = {};  ///< of the key
};

/// How strict `parse_json` is beyond RFC 8259.
struct JsonSyntax {
  bool comments = false;    ///< `//` and `/* */` are skipped (our configuration files)
  bool bare_nan = false;    ///< NaN, Infinity read as null (perf_entry_super.json, FORMATS 3)
  bool duplicates = false;  ///< a duplicate key is accepted, the last wins; else it is an error
};

/// Parses one document. `file` only names the place in diagnostics. Errors: syntax, duplicate keys
/// (all of them), numbers that overflow, nesting deeper than 128.
Result<Json, Diagnostics> parse_json(std::string_view text, std::string_view file,
                                     JsonSyntax syntax = {});

/// Appends `/key`, escaped for a JSON pointer.
std::string pointer_join(std::string_view pointer, std::string_view key);
std::string pointer_join(std::string_view pointer, std::size_t index);

}  // namespace abgate
