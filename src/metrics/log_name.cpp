#include <algorithm>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/metrics/traces.hpp>

#include "line_splitter.hpp"
#include "markers.hpp"
#include "run_tag.hpp"

namespace abgate::metrics {
namespace {

/// The number behind `phrase`, where a blank or the end follows it.
/// Stands for a code that nobody can read: it is no proof of success.
constexpr int unreadable_code = 255;

std::optional<int> code_behind(std::string_view line, std::string_view phrase) {
  const std::size_t at = line.find(phrase);
  if (at == line.npos) return {};
  const std::string_view rest = text::trim(line.substr(at + phrase.size()));
  const auto code = number::parse_integer(rest.substr(0, rest.find_first_of(" \t.,;")));
  if (!code || *code < -255 || *code > 255) return unreadable_code;
  return static_cast<int>(*code);
}

/// A node that failed once has failed, whatever it says later.
void take_worse(std::optional<int> seen, std::optional<int>& kept) {
  if (seen && kept.value_or(0) == 0) kept = seen;
}

/// Takes node and host from `Node N (<host>): …`.
void read_node(std::string_view line, ErrTrace& trace) {
  constexpr std::string_view label = "Node ";
  const std::size_t at = line.find(label);
  if (at == line.npos) return;
  const std::string_view rest = line.substr(at + label.size());
  const std::size_t open = rest.find(" (");
  const std::size_t close = rest.find("): ");
  if (open == rest.npos || close == rest.npos || close < open) return;
  const std::string_view index = rest.substr(0, open);
  if (!is_all_digits(index)) return;
  if (trace.node_index.empty()) trace.node_index = index;
  if (trace.host.empty()) trace.host = rest.substr(open + 2, close - open - 2);
}

}  // namespace

std::optional<LogName> parse_log_name(std::string_view file_name) {
  constexpr std::string_view prefix = "madengine-";
  constexpr std::string_view node_mark = "_node_";
  LogName name;
  name.error_stream = file_name.ends_with(".err");
  if (!name.error_stream && !file_name.ends_with(".out")) return {};
  if (!file_name.starts_with(prefix)) return {};
  file_name.remove_prefix(prefix.size());
  file_name.remove_suffix(std::string_view(".out").size());
  const std::size_t mark = file_name.rfind(node_mark);
  if (mark == file_name.npos) return {};
  name.node_index = file_name.substr(mark + node_mark.size());
  if (!is_all_digits(name.node_index)) return {};
  std::string_view front = file_name.substr(0, mark);
  name.run_tag = take_run_tag(front);
  const std::size_t underscore = front.rfind('_');
  if (underscore == front.npos || underscore == 0) return {};
  name.model = front.substr(0, underscore);
  name.job = front.substr(underscore + 1);
  if (!is_all_digits(name.job)) return {};
  return name;
}

ErrTrace read_err(std::string_view text, const std::string& file) {
  ErrTrace trace;
  MarkerList markers;
  const auto read = [&](std::string_view raw, std::int64_t number, LineEnd) {
    const std::string line = text::strip_ansi(raw);
    if (line.find("[DEBUG]") != std::string::npos) read_node(line, trace);
    take_worse(code_behind(line, "madengine exited with code"), trace.engine_exit);
    take_worse(code_behind(line, "task script exiting with code"), trace.task_exit);
    const std::string_view kind = marker_kind(line);
    if (!kind.empty()) markers.add({{file, number}, std::string(kind), "", "", ""}, line);
  };
  LineSplitter splitter;
  splitter.feed(text, read);
  splitter.finish(read);
  trace.markers = markers.take();
  for (Marker& marker : trace.markers)
    marker.node_index = trace.node_index;
  return trace;
}

}  // namespace abgate::metrics
