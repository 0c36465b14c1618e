#include "json_places.hpp"

#include <algorithm>

namespace abgate {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::size_t string_length(std::string_view s) {
  for (std::size_t i = 1; i < s.size(); ++i) {
    if (s[i] == '\\') {
      ++i;
    } else if (s[i] == '"') {
      return i + 1;
    }
  }
  return s.size();
}

std::size_t skip_digits(std::string_view s, std::size_t from) {
  return std::min(s.find_first_not_of("0123456789", from), s.size());
}

/// Length of the number at the start of `s`, by JSON's grammar: `01` is a 0 and what follows it. 0
/// when there is none.
std::size_t number_length(std::string_view s) {
  const auto is = [&](std::size_t i, std::string_view bytes) {
    return i < s.size() && bytes.find(s[i]) != std::string_view::npos;
  };
  const std::size_t first = is(0, "-") ? 1 : 0;
  if (!is(first, "0123456789")) return 0;
  std::size_t end = is(first, "0") ? first + 1 : skip_digits(s, first);
  if (is(end, ".")) end = skip_digits(s, end + 1);
  if (is(end, "eE")) end = skip_digits(s, is(end + 1, "+-") ? end + 2 : end + 1);
  return end;
}

}  // namespace

TokenPlaces::TokenPlaces(std::string_view text, bool comments) : text_(text), comments_(comments) {
  // Editors do not count the mark as a column.
  if (text_.starts_with(byte_order_mark)) first_ = byte_order_mark.size();
  start_ = end_ = counted_ = line_start_ = first_;
}

Position TokenPlaces::next() {
  // Behind the previous token there are only blanks, comments and one separator.
  start_ = skip_blank(end_);
  if (byte(start_) == ',' || byte(start_) == ':') start_ = skip_blank(start_ + 1);
  end_ = token_end(start_);
  return at(start_);
}

Position TokenPlaces::refused(char separator) {
  std::size_t place = skip_blank(end_);
  separator_seen_ = separator != '\0' && byte(place) == separator;
  if (separator_seen_) place = skip_blank(place + 1);
  refused_byte_ = byte(place);
  return at(place);
}

Position TokenPlaces::at(std::size_t offset) {
  offset = std::min(offset, text_.size());
  // Offsets mostly grow, so counting goes on where it stopped.
  if (offset < counted_) {
    counted_ = line_start_ = first_;
    line_ = 1;
  }
  for (; counted_ < offset; ++counted_) {
    if (text_[counted_] == '\n') {
      ++line_;
      line_start_ = counted_ + 1;
    }
  }
  return {line_, static_cast<int>(std::max(offset, line_start_) - line_start_) + 1};
}

std::size_t TokenPlaces::skip_blank(std::size_t from) const {
  while (from < text_.size()) {
    if (blanks.find(text_[from]) != std::string_view::npos) {
      ++from;
      continue;
    }
    const std::size_t end = comments_ ? comment_end(from) : from;
    if (end == from) break;
    from = end;
  }
  return from;
}

/// End of the comment that starts at `from`; `from` itself when there is none, or one that is never
/// closed.
std::size_t TokenPlaces::comment_end(std::size_t from) const {
  const std::string_view lead = text_.substr(from, 2);
  if (lead == "//") return std::min(text_.find_first_of("\r\n", from), text_.size());
  if (lead != "/*") return from;
  const std::size_t close = text_.find("*/", from + 2);
  return close == std::string_view::npos ? from : close + 2;
}

/// End of the token that starts at `from`; the lexer has found it well-formed.
std::size_t TokenPlaces::token_end(std::size_t from) const {
  const std::string_view rest = text_.substr(from);
  if (rest.empty()) return from;
  if (rest[0] == '"') return from + string_length(rest);
  if (const std::size_t length = number_length(rest); length > 0) return from + length;
  for (const std::string_view word : {"true", "false", "null", "NaN", "Infinity", "-Infinity"}) {
    if (rest.starts_with(word)) return from + word.size();
  }
  return from + 1;
}

}  // namespace abgate
