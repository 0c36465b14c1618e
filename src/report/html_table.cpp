#include "html_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "escape.hpp"

namespace abgate::report {

namespace {

/// Tables of words break them where need be; those of keys leave room for the keys.
std::string_view style_of(const std::vector<std::string>& heads, NumberColumns numbers) {
  if (numbers.last != 0) return "";
  constexpr std::size_t key_and_value = 3;
  return heads.size() <= key_and_value ? " class=\"wide keys\"" : " class=\"wide\"";
}

}  // namespace

std::string html_table(std::string_view caption, const std::vector<std::string>& heads,
                       const std::vector<std::vector<std::string>>& rows, NumberColumns numbers) {
  constexpr std::size_t most = 2000;
  if (rows.empty()) return "";
  const auto style = [&](std::size_t column) {
    return column >= numbers.first && column < numbers.last ? " class=\"num\"" : "";
  };
  // What scrolls must be reachable by keyboard.
  std::string out = fmt::format(
      "<section class=\"scroll\" tabindex=\"0\" aria-label=\"Table: {}\">\n<table{}>\n<thead><tr>",
      xml_text(caption), style_of(heads, numbers));
  for (std::size_t i = 0; i < heads.size(); ++i)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", style(i), xml_text(heads[i]));
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < std::min(rows.size(), most); ++r) {
    out += "<tr>";
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string cell = fmt::format("{}>{}", style(i), xml_text(shortened(rows[r][i])));
      out += i == 0 ? "<th scope=\"row\"" + cell + "</th>" : "<td" + cell + "</td>";
    }
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n</section>\n";
  if (rows.size() > most) {
    out +=
        fmt::format("<p class=\"soft\">{} rows more are in gate.json.</p>\n", rows.size() - most);
  }
  return out;
}

}  // namespace abgate::report
