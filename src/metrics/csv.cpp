#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/metrics/csv.hpp>

namespace abgate::metrics {
namespace {

constexpr std::string_view utf8_bom = "\xEF\xBB\xBF";

/// Cuts a text into records after RFC 4180. A record that cannot be read is reported and left out;
/// only an unclosed quote ends the reading, since nothing behind it has a known meaning.
class RecordReader {
 public:
  RecordReader(std::string_view text, const std::string& file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  std::vector<CsvTable::Row> read() {
    std::vector<CsvTable::Row> records;
    while (at_ < text_.size()) {
      CsvTable::Row record;
      record.line = line_;
      sound_ = true;
      read_record(record);
      const bool blank = record.fields.size() == 1 && text::trim(record.fields[0]).empty();
      if (sound_ && !blank) records.push_back(std::move(record));
    }
    return records;
  }

 private:
  std::string_view text_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  bool sound_ = true;

  void error(std::int64_t line, std::string message) {
    sound_ = false;
    diagnostics_.push_back(
        {Severity::error, file_, {static_cast<int>(line), 0}, "", std::move(message), ""});
  }

  void read_record(CsvTable::Row& record) {
    while (true) {
      const bool quoted = at_ < text_.size() && text_[at_] == '"';
      record.fields.push_back(quoted ? quoted_field() : plain_field());
      if (at_ >= text_.size()) return;
      const char separator = text_[at_++];
      if (separator == ',') continue;
      ++line_;  // plain_field and quoted_field stop at a comma, a newline or the end only
      return;
    }
  }

  std::string plain_field() {
    const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    std::string_view field = text_.substr(at_, end - at_);
    at_ = end;
    if (at_ < text_.size() && text_[at_] == '\n' && field.ends_with('\r')) field.remove_suffix(1);
    if (field.find('"') != std::string_view::npos) {
      error(line_, "a quote stands inside a field that is not quoted");
    }
    check_nul(field, line_);
    return std::string(field);
  }

  std::string quoted_field() {
    const std::int64_t opened = line_;
    std::string field;
    ++at_;
    while (true) {
      const std::size_t quote = text_.find('"', at_);
      const std::string_view part = text_.substr(at_, quote - at_);
      line_ += std::count(part.begin(), part.end(), '\n');
      field += part;
      if (quote == std::string_view::npos) {
        at_ = text_.size();
        error(opened, "a quoted field is never closed");
        return field;
      }
      at_ = quote + 1;
      if (at_ >= text_.size() || text_[at_] != '"') break;
      field += '"';
      ++at_;
    }
    check_nul(field, opened);
    expect_separator();
    return field;
  }

  void expect_separator() {
    const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    const std::string_view junk = text_.substr(at_, end - at_);
    at_ = end;
    if (junk.empty() || junk == "\r") return;
    error(line_, fmt::format("\"{}\" stands behind the closing quote of a field",
                             text::printable(junk.substr(0, 40))));
  }

  void check_nul(std::string_view field, std::int64_t line) {
    if (field.find('\0') != std::string_view::npos) error(line, "a NUL byte stands in a field");
  }
};

}  // namespace

int CsvTable::column(std::string_view name) const {
  const auto found = std::find_if(header_.begin(), header_.end(), [&](const std::string& column) {
    return text::trim(column) == text::trim(name);
  });
  return found == header_.end() ? -1 : static_cast<int>(found - header_.begin());
}

std::string_view CsvTable::field(const Row& row, std::string_view column_name) const {
  const int index = column(column_name);
  if (index < 0) return {};
  return text::trim(row.fields[static_cast<std::size_t>(index)]);
}

Result<CsvTable, Diagnostics> parse_csv(std::string_view text, const std::string& file) {
  if (text.starts_with(utf8_bom)) text.remove_prefix(utf8_bom.size());
  Diagnostics diagnostics;
  std::vector<CsvTable::Row> records = RecordReader(text, file, diagnostics).read();
  if (has_errors(diagnostics)) return Unexpected{std::move(diagnostics)};
  if (records.empty()) {
    diagnostics.push_back({Severity::error, file, {}, "", "the file is empty", "a header line"});
    return Unexpected{std::move(diagnostics)};
  }
  CsvTable table;
  table.header_ = std::move(records.front().fields);
  records.erase(records.begin());
  for (const CsvTable::Row& row : records) {
    if (row.fields.size() == table.header_.size()) continue;
    diagnostics.push_back({Severity::error,
                           file,
                           {static_cast<int>(row.line), 0},
                           "",
                           fmt::format("the row has {} fields, the header has {}",
                                       row.fields.size(), table.header_.size()),
                           ""});
  }
  if (has_errors(diagnostics)) return Unexpected{std::move(diagnostics)};
  table.rows_ = std::move(records);
  return table;
}

}  // namespace abgate::metrics
