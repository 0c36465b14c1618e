#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <abgate/base/json.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/metrics/csv.hpp>
#include <abgate/metrics/rows.hpp>

namespace abgate::metrics {
namespace {

/// Every column that is looked at; a second one of that name would make the meaning a guess.
constexpr auto read_columns = std::to_array<std::string_view>(
    {"model", "precision", "metric", "performance", "status", "machine_name", "nnodes", "num_gpus",
     "gpus_per_node", "batch_size", "global_batch_size", "seq_len", "n_gpus", "docker_image"});

std::string to_upper(std::string_view s) {
  std::string out(s);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

/// `25` and `25_20261101100000_a1b2c3` are job 25; a host name is no job.
std::string job_of(std::string_view machine_name) {
  const std::string_view id = machine_name.substr(0, machine_name.find('_'));
  const bool digits = id.find_first_not_of("0123456789") == std::string_view::npos;
  return digits ? std::string(id) : std::string();
}

std::optional<double> positive_value(std::string_view s) {
  const auto value = number::parse_finite(s);
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<std::int64_t> positive_count(std::string_view s) {
  const auto count = number::parse_count(s);
  return count && *count > 0 ? count : std::nullopt;
}

/// Fills a row by looking each column up through `field(name)`.
template <class Field>
MetricRow make_row(Location where, const Field& field) {
  MetricRow row;
  row.where = std::move(where);
  row.model = field("model");
  row.precision = to_upper(field("precision"));
  row.metric = field("metric");
  row.performance = field("performance");
  row.value = positive_value(row.performance);
  row.status = field("status");
  row.job = job_of(field("machine_name"));
  row.image = field("docker_image");
  row.nodes = positive_count(field("nnodes"));
  row.gpus = positive_count(field("num_gpus"));
  if (!row.gpus) row.gpus = positive_count(field("n_gpus"));
  row.gpus_per_node = positive_count(field("gpus_per_node"));
  row.batch_size = positive_count(field("batch_size"));
  row.global_batch_size = positive_count(field("global_batch_size"));
  row.seq_len = positive_count(field("seq_len"));
  return row;
}

/// Problems of the header: a needed column is missing, or one that is read stands there twice.
Diagnostics check_header(const CsvTable& table, const std::string& file,
                         const std::vector<std::string_view>& required) {
  Diagnostics diagnostics;
  const auto error = [&](std::string message, std::string hint) {
    diagnostics.push_back({Severity::error, file, {1, 0}, "", std::move(message), std::move(hint)});
  };
  for (const std::string_view name : required) {
    if (table.column(name) < 0) {
      error(fmt::format("the column \"{}\" is missing", name),
            fmt::format("the header has {} columns", table.header().size()));
    }
  }
  for (const std::string_view name : read_columns) {
    const auto count = std::count_if(table.header().begin(), table.header().end(),
                                     [&](const auto& c) { return text::trim(c) == name; });
    if (count > 1) {
      error(fmt::format("the column \"{}\" stands in the header {} times", name, count),
            "each column once");
    }
  }
  return diagnostics;
}

Rows read_table(std::string_view text, const std::string& file,
                const std::vector<std::string_view>& required) {
  Rows out;
  auto table = parse_csv(text, file);
  if (!table) {
    out.diagnostics = std::move(table).error();
    return out;
  }
  out.diagnostics = check_header(*table, file, required);
  if (has_errors(out.diagnostics)) return out;
  for (const CsvTable::Row& row : table->rows()) {
    out.rows.push_back(make_row({file, row.line}, [&](std::string_view name) {
      return std::string(table->field(row, name));
    }));
  }
  return out;
}

/// A JSON value as a CSV cell would show it; null and NaN are empty.
std::string cell(const Json* value) {
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(text::trim(value->as_string()));
  if (value->is_integer()) return std::to_string(value->as_integer());
  if (value->is_numeric()) return number::shortest(value->as_number());
  return {};
}

}  // namespace

Rows read_perf_csv(std::string_view text, const std::string& file) {
  return read_table(text, file, {"performance", "metric", "precision", "status"});
}

Rows read_model_csv(std::string_view text, const std::string& file, const std::string& job) {
  Rows out = read_table(text, file, {"performance", "metric", "precision"});
  for (MetricRow& row : out.rows)
    row.job = job;
  return out;
}

Rows read_entry_super(std::string_view text, const std::string& file) {
  Rows out;
  auto document = parse_json(text, file, {.bare_nan = true});
  if (!document) {
    out.diagnostics = std::move(document).error();
    return out;
  }
  if (!document->is_array()) {
    out.diagnostics.push_back({Severity::error, file, document->position(), "",
                               fmt::format("expected an array, found {}", document->kind_name()),
                               "an array of rows"});
    return out;
  }
  for (std::size_t i = 0; i < document->items().size(); ++i) {
    const Json& item = document->items()[i];
    if (!item.is_object()) {
      out.diagnostics.push_back({Severity::error, file, item.position(), pointer_join("", i),
                                 fmt::format("expected an object, found {}", item.kind_name()),
                                 ""});
      continue;
    }
    out.rows.push_back(make_row({file, item.position().line}, [&](std::string_view name) {
      const Json* nested = item.at({"multi_results", name});
      return cell(nested != nullptr ? nested : item.find(name));
    }));
  }
  return out;
}

}  // namespace abgate::metrics
