#include "layout.hpp"

#include <algorithm>
#include <utility>

#include <abgate/base/text.hpp>

#include "escape.hpp"

namespace abgate::report {
namespace {

constexpr std::size_t longest_text = 20'000;  // bytes of a paragraph or a cell

/// Bytes of the longest beginning of `s` that takes at most `width` columns.
std::size_t fitting_bytes(std::string_view s, std::size_t width) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (!starts_character(s[i])) continue;
    if (used == width) return i;
    ++used;
  }
  return s.size();
}

/// Fills lines word by word.
class Filler {
 public:
  Filler(std::string_view lead, std::size_t hang) : hang_(hang, ' ') { append(lead); }

  void word(std::string_view word) {
    if (!glued()) {
      const std::size_t wide = columns(word);
      const std::size_t used = columns(line_);
      const bool fits_here = used + 1 + wide <= page_width;
      const bool fits_below = hang_.size() + wide <= page_width;
      if (used == page_width || (!fits_here && fits_below)) {
        new_line();
      } else {
        line_ += ' ';
      }
    }
    append(word);
  }

  void new_line() {
    end_line();
    line_ = hang_;
  }

  std::string take() {
    end_line();
    return std::move(out_);
  }

 private:
  bool bare() const { return line_.find_first_not_of(' ') == std::string::npos; }
  /// No blank is due before the next word.
  bool glued() const { return bare() || line_.ends_with(' '); }

  /// Breaks hard where the line is full.
  void append(std::string_view word) {
    while (true) {
      const std::size_t bytes = fitting_bytes(word, page_width - columns(line_));
      line_ += word.substr(0, bytes);
      word.remove_prefix(bytes);
      if (word.empty()) return;
      new_line();
    }
  }

  void end_line() {
    if (!bare()) {
      out_ += line_.substr(0, line_.find_last_not_of(' ') + 1);
      out_ += '\n';
    }
    line_.clear();
  }

  std::string hang_;
  std::string line_;
  std::string out_;
};

/// An argument as a shell reads it back, byte for byte, whatever it holds.
std::string shell_word(const std::string& argument) {
  if (text::printable(argument) == argument) return text::shell_quote(argument);
  const std::string quoted =
      text::replace_all(text::replace_all(argument, "\\", "\\\\"), "'", "\\'");
  return "$'" + text::printable(quoted) + "'";
}

/// The end of the longest piece of an argument from `at` on whose word takes at most `width`
/// columns.
std::size_t piece_end(const std::string& argument, std::size_t at, std::size_t width) {
  std::size_t end = at;
  while (end < argument.size()) {
    std::size_t next = end + 1;
    while (next < argument.size() && !starts_character(argument[next]) && next - end < 4)
      ++next;
    if (end > at && columns(shell_word(argument.substr(at, next - at))) > width) break;
    end = next;
  }
  return end;
}

}  // namespace

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

std::string command_lines(std::size_t indent, const std::vector<std::string>& argv) {
  constexpr std::string_view continued = " \\";
  const std::size_t width = page_width - indent - 4 - continued.size();
  const std::string lead(indent, ' ');
  std::string out;
  std::string line = lead;
  bool fresh = true;  // the line holds no argument yet
  for (const std::string& argument : argv) {
    const std::string word = shell_word(argument);
    if (!fresh && columns(line) + 1 + columns(word) + continued.size() > page_width) {
      out += line.append(continued) + "\n";
      line = lead + "    ";
      fresh = true;
    }
    if (!fresh) line += ' ';
    fresh = false;
    if (columns(word) <= width) {
      line += word;
      continue;
    }
    // A word that no line holds goes on at the start of the next one: a shell joins the two.
    for (std::size_t at = 0; at < argument.size();) {
      const std::size_t end = piece_end(argument, at, width);
      line += shell_word(argument.substr(at, end - at));
      at = end;
      if (at < argument.size()) out += std::exchange(line, "") + "\\\n";
    }
  }
  return out + line + "\n";
}

std::size_t columns(std::string_view s) {
  return static_cast<std::size_t>(std::count_if(s.begin(), s.end(), starts_character));
}

std::string wrapped(std::string_view lead, std::size_t hang, std::string_view text) {
  constexpr std::size_t narrowest = 20;
  Filler filler(text::printable(lead), std::min(hang, page_width - narrowest));
  bool first = true;
  const std::string shown = shortened(text, longest_text);
  for (const std::string_view line : text::split(shown, '\n')) {
    if (!first) filler.new_line();
    first = false;
    const std::string untabbed = text::replace_all(std::string(line), "\t", " ");
    for (const std::string_view word : text::split(untabbed, ' ')) {
      if (!word.empty()) filler.word(text::printable(word));
    }
  }
  return filler.take();
}

void Table::add(std::vector<std::string> row) {
  for (std::string& cell : row)
    cell = text::printable(shortened(cell, longest_text));
  rows_.push_back(std::move(row));
}

std::string Table::render() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string out;
  for (const auto& row : rows_)
    out += render_row(row, widths);
  return out;
}

std::string Table::padded(const std::string& cell, std::size_t column, std::size_t width) const {
  const std::string fill(width - columns(cell), ' ');
  const bool right = column < aligns_.size() && aligns_[column] == Align::right;
  return right ? fill + cell : cell + fill;
}

std::string Table::render_row(const std::vector<std::string>& row,
                              const std::vector<std::size_t>& widths) const {
  constexpr std::size_t widest_lead = 60;  // more leaves too little room to wrap in
  std::string lead(indent_, ' ');
  std::string line = lead;
  std::vector<std::string> rest;  // the cells that are not in `lead`
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += (i == 0 ? "" : "  ") + padded(row[i], i, widths[i]);
    if (rest.empty() && columns(line) + 2 <= widest_lead && i + 1 < row.size()) {
      lead = line + "  ";
    } else {
      rest.push_back(row[i]);
    }
  }
  line.erase(line.find_last_not_of(' ') + 1);
  if (columns(line) <= page_width) return line + "\n";
  return wrapped(lead, std::max(columns(lead), indent_ + 4), text::join(rest, "  "));
}

}  // namespace abgate::report
