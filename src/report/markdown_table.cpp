#include "markdown_table.hpp"

#include <fmt/format.h>

#include "escape.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

std::string row_text(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells)
    line += fmt::format(" {} |", cell.empty() ? "-" : markdown_text(shortened(cell)));
  return line + "\n";
}

}  // namespace

MarkdownTable::MarkdownTable(std::vector<std::string> heads, std::size_t first_number)
    : heads_(std::move(heads)), first_number_(first_number) {}

std::string MarkdownTable::render(std::size_t room) const {
  std::string out = row_text(heads_) + "|";
  for (std::size_t i = 0; i < heads_.size(); ++i)
    out += i < first_number_ ? "---|" : "--:|";
  out += "\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::string line = row_text(rows_[i]);
    if (out.size() + line.size() > room) {
      return out + fmt::format("\n_{} more not shown; gate.json has them._\n",
                               plural(rows_.size() - i, "row"));
    }
    out += line;
  }
  return out;
}

}  // namespace abgate::report
