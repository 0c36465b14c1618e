#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abgate::plan {

/// Columns of a terminal that everybody has.
inline constexpr std::size_t page_width = 100;

/// Number of columns that a printable text takes: its UTF-8 characters.
std::size_t columns_of(std::string_view printable);

/// Breaks a printable text into pieces of at most `width` columns, behind a blank, a comma or a
/// slash where there is one, else anywhere. At least one piece.
std::vector<std::string> wrap(std::string_view printable, std::size_t width);

/// Rows with aligned columns, two blanks between them; cells that are too long are continued on
/// lines of their own. `widths` limits each column. Every cell is made printable.
std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<std::size_t>& widths, std::string_view indent);

/// A command as a person can copy it: quoted for a shell, one line where it fits, else continued
/// with backslashes. An argument that is longer than a line stays whole.
std::string command(const std::vector<std::string>& argv, std::string_view indent);

}  // namespace abgate::plan
