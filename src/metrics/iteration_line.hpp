#pragma once

#include <string>
#include <string_view>

#include <abgate/model/evidence.hpp>

namespace abgate::metrics {

/// What one line is: no iteration line, one that is cut, glued or holds no sane number, or a whole
/// one.
enum class IterationKind { none, broken, whole };

/// A line of training output, read (FORMATS 4).
struct IterationLine {
  IterationKind kind = IterationKind::none;
  Iteration iteration;
  std::string_view body;    ///< from `iteration` on, without the logger's prefix
  std::string last_label;   ///< name of the last segment
  std::string last_format;  ///< how its number is written (`.9`, `.999E+99`); empty: any
  bool closed = false;      ///< the last segment ends in `%`, `)` or ` |`: no digit can be missing
};

/// Reads a line that has no ANSI sequences any more. `terminated`: a line end was seen behind it.
IterationLine read_iteration_line(std::string_view line, bool terminated);

}  // namespace abgate::metrics
