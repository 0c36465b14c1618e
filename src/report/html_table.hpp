#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace abgate::report {

/// Columns of a table whose cells are numbers: from `first` up to `last`, without it.
struct NumberColumns {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// A table that scrolls by itself when the page is narrow; cells are escaped and shortened. The
/// first cell of a row is its head.
std::string html_table(std::string_view caption, const std::vector<std::string>& heads,
                       const std::vector<std::vector<std::string>>& rows,
                       NumberColumns numbers = {});

}  // namespace abgate::report
