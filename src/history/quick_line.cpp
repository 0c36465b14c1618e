#include "quick_line.hpp"

#include <algorithm>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

#include "fields.hpp"

namespace abgate::history {
namespace {

/// Consumes a line from its start; `sound()` turns false at the first byte that is not as expected.
class QuickLine {
 public:
  explicit QuickLine(std::string_view line) : rest_(line) {}

  bool sound() const { return sound_; }
  bool at_end() const { return sound_ && rest_.empty(); }

  void expect(char c) {
    sound_ = sound_ && !rest_.empty() && rest_.front() == c;
    if (sound_) rest_.remove_prefix(1);
  }

  void version(std::string_view key) {
    begin(key);
    sound_ = sound_ && token() == std::string_view("1");
  }
  void text(std::string_view key, std::string& value) {
    begin(key);
    value = string();
  }
  void id(std::string_view key, std::string& value) {
    text(key, value);
    sound_ = sound_ && is_id(value);
  }
  void number(std::string_view key, std::optional<double>& value) {
    begin(key);
    const std::string_view written = token();
    if (written == "null") return;
    value = is_number(written) ? number::parse_finite(written) : std::nullopt;
    sound_ = sound_ && value && *value > 0;
  }
  void instant(std::string_view key, std::optional<time::Instant>& value) {
    begin(key);
    if (rest_.starts_with("null")) {
      rest_.remove_prefix(4);
      return;
    }
    value = time::parse_rfc3339(string());
    sound_ = sound_ && value;
  }
  template <class T>
  void named(std::string_view key, T& value, std::optional<T> (*parse)(std::string_view)) {
    begin(key);
    const auto known = parse(string());
    sound_ = sound_ && known;
    if (known) value = *known;
  }
  void code(std::string_view key, int& value) {
    begin(key);
    const std::string_view written = token();
    const auto known = is_number(written) ? number::parse_integer(written) : std::nullopt;
    sound_ = sound_ && known && *known >= 0 && *known <= 255;
    if (sound_) value = static_cast<int>(*known);
  }
  void flag(std::string_view key, bool& value) {
    begin(key);
    const std::string_view written = token();
    value = written == "true";
    sound_ = sound_ && (value || written == "false");
  }
  void texts(std::string_view key, std::vector<std::string>& values) {
    items(key, [&] { values.push_back(string()); });
  }
  void legs(std::string_view key, std::vector<Leg>& values) {
    items(key, [&] { object(values.emplace_back()); });
  }

  template <class T>
  void object(T& value) {
    expect('{');
    first_ = true;
    each_field(*this, value);
    expect('}');
  }

 private:
  void begin(std::string_view key) {
    if (!first_) expect(',');
    first_ = false;
    expect('"');
    sound_ = sound_ && rest_.starts_with(key);
    if (sound_) rest_.remove_prefix(key.size());
    expect('"');
    expect(':');
  }

  template <class Take>
  void items(std::string_view key, const Take& take) {
    begin(key);
    expect('[');
    if (rest_.starts_with(']')) {
      expect(']');
      return;
    }
    while (sound_) {
      take();
      if (!rest_.starts_with(',')) break;
      expect(',');
    }
    expect(']');
    first_ = false;
  }

  /// A string of plain ASCII without escapes.
  std::string string() {
    expect('"');
    const auto* const end = std::find_if(rest_.begin(), rest_.end(), [](char c) {
      return c == '"' || c == '\\' || c < ' ' || c == '\x7f';  // a byte over 127 is negative
    });
    const auto length = static_cast<std::size_t>(end - rest_.begin());
    std::string value(rest_.substr(0, sound_ ? length : 0));
    if (sound_) rest_.remove_prefix(length);
    expect('"');
    return value;
  }

  /// Up to the next separator.
  std::string_view token() {
    const std::string_view written = rest_.substr(0, rest_.find_first_of(",}]"));
    if (sound_) rest_.remove_prefix(written.size());
    return written;
  }

  /// JSON's numbers are not all that from_chars takes: `01`, `.5` and `1.` are none.
  static bool is_number(std::string_view s) {
    if (s.starts_with('-')) s.remove_prefix(1);
    const auto is_digit_at = [&](std::size_t i) { return i < s.size() && text::is_digit(s[i]); };
    if (!is_digit_at(0) || (s[0] == '0' && is_digit_at(1))) return false;
    const std::size_t point = s.find('.');
    return point == std::string_view::npos || (is_digit_at(point - 1) && is_digit_at(point + 1));
  }

  std::string_view rest_;
  bool sound_ = true;
  bool first_ = true;
};

}  // namespace

std::optional<Entry> read_quickly(std::string_view line) {
  QuickLine quick(line);
  std::optional<Entry> entry(std::in_place);
  quick.object(*entry);
  if (!quick.at_end()) return {};
  return entry;
}

}  // namespace abgate::history
