#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/diagnostic.hpp>
#include <abgate/base/result.hpp>

namespace abgate::metrics {

/// A CSV table after RFC 4180: quoted fields may hold commas, quotes and newlines; CRLF or LF; a
/// BOM and a missing final newline are fine; a ragged row or an unclosed quote is refused with its
/// line.
class CsvTable {
 public:
  struct Row {
    std::int64_t line = 0;  ///< 1-based line on which the row starts
    std::vector<std::string> fields;
  };

  /// -1 when there is no such column; names are compared trimmed. A duplicate name: the first.
  int column(std::string_view name) const;
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<std::string>& header() const { return header_; }
  /// The trimmed field, or an empty text when the column does not exist.
  std::string_view field(const Row& row, std::string_view column_name) const;

  friend Result<CsvTable, Diagnostics> parse_csv(std::string_view text, const std::string& file);

 private:
  std::vector<std::string> header_;
  std::vector<Row> rows_;
};

Result<CsvTable, Diagnostics> parse_csv(std::string_view text, const std::string& file);

}  // namespace abgate::metrics
