#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/scan.hpp>

namespace abgate::metrics {

/// A logical line of a text of whole lines.
struct FoundLine {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< of its `\n` or `\r`
};

/// Texts of which a line must hold one to mean something to the log scanner, colours left out.
/// They are words without `:`: where text is coloured, digits are what stands before an escape, and
/// the search tells bytes apart by halves.
std::vector<std::string> meaningful_texts();

/// The next line from `from` on that may hold one of them, also behind colours; every line in
/// between holds none. `text` ends in a newline, `from` is the begin of a line.
std::optional<FoundLine> next_meaningful_line(std::string_view text, std::size_t from);

}  // namespace abgate::metrics
