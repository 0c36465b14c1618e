#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace abgate::report {

/// Columns of a terminal at 2 a.m.
inline constexpr std::size_t page_width = 100;

/// Columns that a printable text takes: its UTF-8 code points.
std::size_t columns(std::string_view s);

bool starts_character(char byte);  ///< of UTF-8

/// A command of at most `page_width` columns a line that a shell reads back as `argv`, whatever
/// bytes the arguments hold.
std::string command_lines(std::size_t indent, const std::vector<std::string>& argv);

/// Lines of at most `page_width` columns. The first starts with `lead`, the others are indented by
/// `hang`. Broken at blanks; a word that is longer than a line is broken hard. A newline in the
/// text starts a new line. Unprintable bytes are made visible, no line ends with a blank.
std::string wrapped(std::string_view lead, std::size_t hang, std::string_view text);

/// Rows of cells in columns, two blanks apart.
class Table {
 public:
  enum class Align { left, right };
  explicit Table(std::size_t indent, std::vector<Align> aligns = {})
      : indent_(indent), aligns_(std::move(aligns)) {}

  void add(std::vector<std::string> row);
  bool empty() const { return rows_.empty(); }
  /// A row that does not fit is wrapped behind the columns that leave room for that.
  std::string render() const;

 private:
  std::string padded(const std::string& cell, std::size_t column, std::size_t width) const;
  std::string render_row(const std::vector<std::string>& row,
                         const std::vector<std::size_t>& widths) const;

  std::size_t indent_;
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace abgate::report
