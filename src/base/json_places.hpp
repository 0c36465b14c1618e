#pragma once

#include <cstddef>
#include <string_view>

#include <abgate/base/diagnostic.hpp>

namespace abgate {

/// Finds where the tokens of a JSON text stand. nlohmann's SAX events carry no place, so this walks
/// the text beside them, one token an event.
class TokenPlaces {
 public:
  TokenPlaces(std::string_view text, bool comments);

  /// Start of the token whose event has just come; goes on behind it.
  Position next();
  /// The token that `next` found last, as written.
  std::string_view token() const { return text_.substr(start_, end_ - start_); }

  /// Start of the token that the parser refused. `separator` is the `,` or `:` that may stand
  /// before it, or 0 when none may.
  Position refused(char separator);
  /// The byte at the place that `refused` found; 0 at the end of the text.
  char refused_byte() const { return refused_byte_; }
  /// The separator stood before that place.
  bool separator_seen() const { return separator_seen_; }

  Position at(std::size_t offset);

 private:
  std::size_t skip_blank(std::size_t from) const;
  std::size_t comment_end(std::size_t from) const;
  std::size_t token_end(std::size_t from) const;
  char byte(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  std::string_view text_;
  bool comments_;
  std::size_t first_ = 0;  ///< behind a byte order mark
  std::size_t start_ = 0;
  std::size_t end_ = 0;
  std::size_t counted_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  char refused_byte_ = '\0';
  bool separator_seen_ = false;
};

}  // namespace abgate
