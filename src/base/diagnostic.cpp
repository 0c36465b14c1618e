#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <abgate/base/diagnostic.hpp>

namespace abgate {

std::string format(const Diagnostic& diagnostic) {
  std::string out;
  if (!diagnostic.file.empty()) {
    out += diagnostic.file;
    if (diagnostic.position.line > 0) {
      out += fmt::format(":{}", diagnostic.position.line);
      if (diagnostic.position.column > 0) out += fmt::format(":{}", diagnostic.position.column);
    }
    out += ": ";
  }
  if (!diagnostic.pointer.empty()) out += diagnostic.pointer + ": ";
  if (diagnostic.severity == Severity::warning) out += "warning: ";
  if (diagnostic.severity == Severity::note) out += "note: ";
  out += diagnostic.message;
  if (!diagnostic.hint.empty()) out += "; " + diagnostic.hint;
  return out;
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void append(Diagnostics& all, Diagnostics more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace abgate
