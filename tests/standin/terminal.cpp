#include "terminal.hpp"

#include <fmt/format.h>

#include <abgate/base/text.hpp>

namespace abgate::standin {
namespace {

constexpr std::size_t inner_width = 78;
constexpr std::size_t text_width = inner_width - 2;

/// Columns that a text takes: emoji (four bytes in UTF-8) take two, combining marks are not used.
std::size_t display_width(std::string_view s) {
  std::size_t width = 0;
  for (const char c : s) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0xF0)
      width += 2;
    else if ((byte & 0xC0U) != 0x80U)
      width += 1;
  }
  return width;
}

std::string repeat(std::string_view piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += piece;
  return text;
}

std::string framed(std::string_view line) {
  const std::size_t width = display_width(line);
  return fmt::format("│ {}{} │\n", line, repeat(" ", width < text_width ? text_width - width : 0));
}

std::string wrapped(std::string_view line) {
  std::string text;
  while (line.size() > text_width) {
    const auto blank = line.substr(0, text_width).rfind(' ');
    const bool useful =
        blank != std::string_view::npos && !text::trim(line.substr(0, blank)).empty();
    const std::size_t cut = useful ? blank : text_width;
    text += framed(line.substr(0, cut));
    line.remove_prefix(useful ? cut + 1 : cut);
  }
  return text + framed(line);
}

std::string json_box(std::string_view title, const Json& value) {
  std::string text = value.dump();
  if (text.ends_with('\n')) text.pop_back();
  return box(title, text);
}

}  // namespace

std::string box(std::string_view title, std::string_view text) {
  const std::size_t dashes = inner_width - display_width(title) - 2;
  std::string out =
      fmt::format("╭{} {} {}╮\n", repeat("─", dashes / 2), title, repeat("─", dashes - dashes / 2));
  for (const auto line : text::split(text, '\n'))
    out += wrapped(line);
  return out + fmt::format("╰{}╯\n", repeat("─", inner_width));
}

std::string rule(int width) {
  return std::string(static_cast<std::size_t>(width), '=') + "\n";
}

std::string run_head(std::string_view manifest_file, int timeout_seconds, const Json& context,
                     const Json& deployment, std::string_view target) {
  std::string text =
      box("Execution Configuration", fmt::format("🚀 Running Models (Execution Only)\nManifest: {}\n"
                                                 "Registry: Auto-detected\nTimeout: {}s",
                                                 manifest_file, timeout_seconds));
  text += "Run additional context (CLI): (none)\n\n";
  text += rule(60) + "🚀 RUN PHASE\n" + rule(60);
  text += "\nLoaded manifest with 1 images\nBuild manifest breakdown\n\n";
  text += json_box("Manifest context (from build additional context)", context);
  text += json_box("Manifest deployment_config", deployment);
  return text + fmt::format("\nDeployment target: {}\n\n", target);
}

std::string execution_results(std::string_view row_model, std::int64_t rows, bool success) {
  const std::size_t width = display_width(row_model) + 2;
  const std::size_t status = success ? 12 : 11;
  std::string text = "⠏ Execution completed!\n                             ⚡ Execution Results\n";
  text += fmt::format("┏{}┳{}┳{}┓\n", repeat("━", 7), repeat("━", status), repeat("━", width));
  text += fmt::format("┃ Index ┃ {:<{}} ┃ {}{} ┃\n", "Status", status - 2, "Model",
                      repeat(" ", width > 7 ? width - 7 : 0));
  text += fmt::format("┡{}╇{}╇{}┩\n", repeat("━", 7), repeat("━", status), repeat("━", width));
  for (std::int64_t i = 1; i <= rows; ++i)
    text += fmt::format("│ {:5} │ {} │ {} │\n", i, success ? "✅ Success" : "❌ Failed", row_model);
  return text +
         fmt::format("└{}┴{}┴{}┘\n", repeat("─", 7), repeat("─", status), repeat("─", width));
}

}  // namespace abgate::standin
