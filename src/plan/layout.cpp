#include "layout.hpp"

#include <algorithm>

#include <abgate/base/text.hpp>

namespace abgate::plan {
namespace {

bool is_continuation_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Length in bytes of the longest beginning that takes at most `width` columns.
std::size_t bytes_within(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  for (std::size_t columns = 0; at < text.size(); ++columns) {
    if (columns == width) break;
    ++at;
    while (at < text.size() && is_continuation_byte(text[at]))
      ++at;
  }
  return at;
}

/// Where a line that is full is best broken: behind a blank or a comma, else behind a slash. A
/// break that leaves most of the line empty is worse than one inside of a word.
std::size_t break_before(std::string_view full) {
  for (const std::string_view stops : {" ,", "/"}) {
    const std::size_t at = full.find_last_of(stops);
    if (at != std::string_view::npos && at + 1 > full.size() / 2) return at + 1;
  }
  return full.size();
}

std::string padded(std::string cell, std::size_t width) {
  const std::size_t columns = columns_of(cell);
  if (columns < width) cell.append(width - columns, ' ');
  return cell;
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

}  // namespace

std::size_t columns_of(std::string_view printable) {
  return static_cast<std::size_t>(std::count_if(printable.begin(), printable.end(),
                                                [](char c) { return !is_continuation_byte(c); }));
}

std::vector<std::string> wrap(std::string_view printable, std::size_t width) {
  std::vector<std::string> pieces;
  while (columns_of(printable) > width) {
    std::size_t end = bytes_within(printable, width);
    end = break_before(printable.substr(0, end));
    pieces.emplace_back(printable.substr(0, end));
    printable.remove_prefix(end);
  }
  if (!printable.empty() || pieces.empty()) pieces.emplace_back(printable);
  return pieces;
}

std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<std::size_t>& widths, std::string_view indent) {
  std::vector<std::vector<std::vector<std::string>>> wrapped;
  std::vector<std::size_t> used(widths.size());
  for (const std::vector<std::string>& row : rows) {
    auto& cells = wrapped.emplace_back();
    for (std::size_t column = 0; column < row.size(); ++column) {
      cells.push_back(wrap(text::printable(row[column]), widths[column]));
      for (const std::string& piece : cells.back())
        used[column] = std::max(used[column], columns_of(piece));
    }
  }
  std::string out;
  for (const auto& cells : wrapped) {
    std::size_t height = 1;
    for (const auto& cell : cells)
      height = std::max(height, cell.size());
    for (std::size_t line = 0; line < height; ++line) {
      std::string written(indent);
      for (std::size_t column = 0; column < cells.size(); ++column) {
        const auto& cell = cells[column];
        written += padded(line < cell.size() ? cell[line] : "", used[column]) + "  ";
      }
      append_line(out, std::move(written));
    }
  }
  return out;
}

std::string command(const std::vector<std::string>& argv, std::string_view indent) {
  constexpr std::string_view continued = " \\";
  std::string out;
  std::string line(indent);
  bool fresh = true;  // the line holds no argument yet
  for (const std::string& argument : argv) {
    const std::string word = text::printable(text::shell_quote(argument));
    const std::size_t needed = columns_of(line) + 1 + columns_of(word) + continued.size();
    if (!fresh && needed > page_width) {
      out += line.append(continued) + "\n";
      line = std::string(indent) + "    ";
      fresh = true;
    }
    line += (fresh ? "" : " ") + word;
    fresh = false;
  }
  return out + line + "\n";
}

}  // namespace abgate::plan
