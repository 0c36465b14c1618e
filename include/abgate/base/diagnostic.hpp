#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abgate {

/// A place in a text: 1-based line and column (bytes); 0 means unknown.
struct Position {
  int line = 0;
  int column = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

enum class Severity { error, warning, note };

/// One problem found in an input: where, what, and what would be right. Diagnostics are data; all
/// of them are collected and reported at once.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;     ///< as the user named it; empty: no file (a command line option)
  Position position;    ///< within the file
  std::string pointer;  ///< JSON pointer, RFC 6901, or an option's name such as `--max-drop`
  std::string message;  ///< what is wrong
  std::string hint;     ///< what would be right; may be empty

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// `file:line:column: pointer: message; hint`; parts that are unknown are left out.
std::string format(const Diagnostic& diagnostic);

bool has_errors(const Diagnostics& diagnostics);

/// Appends `more` to `all`.
void append(Diagnostics& all, Diagnostics more);

}  // namespace abgate
