#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/record.hpp>

namespace abgate::report {

using Render = std::string (*)(const GateRecord&);

/// A way to show a record: its name for `--format`, and the file that a gate leaves of it in its
/// work directory; empty when it leaves none.
struct Format {
  std::string_view name;
  std::string_view file;
  Render render;
};

/// The file of the report for a terminal.
inline constexpr const char* summary_file = "summary.txt";

/// text, markdown, html, junit, json, github.
std::span<const Format> formats();

/// The names, for `--format`.
std::vector<std::string> format_names();

/// Nothing for a name that is unknown.
const Format* find_format(std::string_view name);

}  // namespace abgate::report
