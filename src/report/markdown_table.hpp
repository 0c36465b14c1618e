#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace abgate::report {

/// A table of GitHub's Markdown; every cell is escaped.
class MarkdownTable {
 public:
  /// Columns from `first_number` on are set right.
  MarkdownTable(std::vector<std::string> heads, std::size_t first_number);
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// As many rows as fit into `room` bytes; how many are left is said.
  std::string render(std::size_t room) const;

 private:
  std::vector<std::string> heads_;
  std::size_t first_number_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace abgate::report
