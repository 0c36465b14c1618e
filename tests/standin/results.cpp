#include "results.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/json.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

#include "text_file.hpp"

namespace abgate::standin {
namespace {

constexpr std::string_view model_header =
    "model,performance,metric,mode,precision,batch_size,global_batch_size,posttrain_type,seq_len,"
    "device,num_gpus,run";
constexpr std::string_view unsupported_header =
    "model,performance,metric,mode,precision,batch_size,global_batch_size,seq_len,device,num_gpus";
constexpr std::string_view run_header =
    "model,n_gpus,nnodes,gpus_per_node,training_precision,pipeline,args,tags,docker_file,"
    "base_docker,docker_sha,docker_image,git_commit,machine_name,deployment_type,launcher,"
    "gpu_architecture,performance,metric,relative_change,status,build_duration,test_duration,"
    "dataname,data_provider_type,data_size,data_download_duration,build_number,"
    "additional_docker_run_options";
/// Columns of a per-model CSV that perf.csv has of its own.
constexpr std::size_t shared_columns = 3;
constexpr std::string_view missing = "nan";
/// Stands for a bare NaN until the text is printed: JSON has none.
constexpr std::string_view nan_marker = "@abgate-standin-nan@";

Cells split_cells(std::string_view line) {
  const auto parts = text::split(line, ',');
  return {parts.begin(), parts.end()};
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  return "\"" + text::replace_all(cell, "\"", "\"\"") + "\"";
}

std::string csv_line(const Cells& cells) {
  Cells safe;
  std::transform(cells.begin(), cells.end(), std::back_inserter(safe), quoted);
  return text::join(safe, ",") + "\n";
}

std::size_t column(const Cells& header, std::string_view name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

std::string cell(const Results& results, const Cells& row, std::string_view name) {
  const std::size_t index = column(results.header, name);
  return index < row.size() ? row[index] : std::string{};
}

Cells run_cells(const Manifest& manifest, const Cells& model_row, std::string_view machine_name) {
  const bool has_value = !model_row[1].empty() && model_row[1] != missing;
  return {manifest.name + "_" + model_row[0],
          fmt::format("{}", manifest.nodes * manifest.gpus_per_node),
          fmt::format("{}", manifest.nodes),
          fmt::format("{}", manifest.gpus_per_node),
          "",
          "",
          manifest.args,
          manifest.tags,
          "",
          manifest.base_image,
          "",
          manifest.image,
          "",
          std::string(machine_name),
          manifest.target,
          manifest.launcher,
          "",
          has_value ? model_row[1] : "",
          model_row[2],
          "",
          has_value ? "SUCCESS" : "FAILURE",
          "0",
          "",
          "",
          "",
          "",
          "",
          "0",
          manifest.run_options};
}

/// A value as pandas types it: numbers where they are, text elsewhere.
Json typed(const std::string& value) {
  if (const auto integer = number::parse_integer(value)) return *integer;
  if (const auto real = number::parse_finite(value)) return *real;
  return value;
}

/// Another run's number, so that a reader who takes the wrong row gets a wrong ratio.
std::string shifted(const std::string& performance) {
  const auto value = number::parse_finite(performance);
  return value ? number::fixed(*value * 1.25, 1) : performance;
}

/// An integer column with a gap is a column of floats to pandas.
void make_floats(Results& results) {
  for (const std::string_view name : {"batch_size", "global_batch_size", "seq_len", "num_gpus"}) {
    const std::size_t index = column(results.header, name);
    for (auto& row : results.rows)
      if (index < row.size() && number::parse_integer(row[index])) row[index] += ".0";
  }
}

}  // namespace

ModelCsv ModelCsv::empty() {
  return {split_cells(model_header), {}};
}

std::string ModelCsv::text() const {
  std::string text = csv_line(header);
  for (const auto& row : rows)
    text += csv_line(row);
  return text;
}

std::optional<ModelCsv> ModelCsv::read(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return std::nullopt;
  ModelCsv csv;
  for (const auto line : text::split(*text, '\n')) {
    if (line.empty()) continue;
    auto cells = split_cells(line);
    if (csv.header.empty())
      csv.header = std::move(cells);
    else if (cells.size() == csv.header.size())
      csv.rows.push_back(std::move(cells));
  }
  return csv;
}

void add_leg(ModelCsv& csv, std::string_view model, const LegProfile& leg, std::int64_t seq_len,
             std::int64_t gpus, const LegValues& values) {
  const auto add = [&](double value, std::string_view metric, std::string_view run) {
    csv.rows.push_back({std::string(model), number::fixed(value, 1), std::string(metric),
                        "pretrain", leg.precision, fmt::format("{}", leg.micro_batch),
                        fmt::format("{}", leg.global_batch), "", fmt::format("{}", seq_len),
                        "MI355X", fmt::format("{}", gpus), std::string(run)});
  };
  add(values.tokens, "tok_per_s_per_gpu", "");
  add(values.tflops, "TFLOPS_per_gpu", "");
  add(values.tokens_average, "tok_per_s_per_gpu_avg", "avg");
  add(values.tflops_average, "TFLOPS_per_gpu_avg", "avg");
}

void replace_by_unsupported(ModelCsv& csv, std::string_view model, const LegProfile& leg,
                            std::int64_t seq_len, std::int64_t gpus) {
  csv.header = split_cells(unsupported_header);
  csv.rows.clear();
  for (const std::string_view metric : {"tok_per_s_per_gpu", "TFLOPS_per_gpu"})
    csv.rows.push_back({std::string(model), "", std::string(metric), "pretrain", leg.precision,
                        fmt::format("{}", leg.micro_batch), fmt::format("{}", leg.global_batch),
                        fmt::format("{}", seq_len), "MI355X", fmt::format("{}", gpus)});
}

Results make_results(const Manifest& manifest, const ModelCsv& csv, std::string_view machine_name) {
  Results results;
  results.header = split_cells(run_header);
  // Columns come with the rows: without a row, pandas has nothing to append.
  if (csv.rows.empty()) return results;
  results.header.insert(results.header.end(), csv.header.begin() + shared_columns,
                        csv.header.end());
  for (const auto& model_row : csv.rows) {
    Cells row = run_cells(manifest, model_row, machine_name);
    row.insert(row.end(), model_row.begin() + shared_columns, model_row.end());
    results.rows.push_back(std::move(row));
  }
  return results;
}

void apply_faults(Results& results, const Faults& faults) {
  const std::size_t machine = column(results.header, "machine_name");
  const std::size_t performance = column(results.header, "performance");
  const std::vector<Cells> fresh = results.rows;
  if (faults.has("stale-rows")) {
    std::vector<Cells> old = fresh;
    for (auto& row : old) {
      row[machine] = "7";
      row[performance] = shifted(row[performance]);
    }
    results.rows.insert(results.rows.begin(), old.begin(), old.end());
  }
  if (faults.has("duplicate-rows"))
    results.rows.insert(results.rows.end(), fresh.begin(), fresh.end());
  if (faults.has("failure-row") && !fresh.empty()) {
    Cells row = fresh.back();
    row[performance].clear();
    row[column(results.header, "metric")].clear();
    row[column(results.header, "status")] = "FAILURE";
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(split_cells(run_header).size()), row.end(),
              "");
    results.rows.push_back(std::move(row));
    make_floats(results);
  }
}

bool attach(const std::filesystem::path& perf_csv, const Results& results) {
  std::string text = csv_line(results.header);
  if (const auto old = read_file(perf_csv)) {
    const bool same_columns = old->starts_with(text);
    if (!same_columns) return false;
    text = *old;
    if (!text.ends_with('\n')) text += '\n';
  }
  for (const auto& row : results.rows)
    text += csv_line(row);
  return write_file(perf_csv, text);
}

std::string super_json(const Results& results) {
  const auto run_columns = split_cells(run_header);
  Json entries = Json::array();
  for (const auto& row : results.rows) {
    Json entry = Json::object();
    for (const auto& name : run_columns) {
      if (name == "model" || name == "performance" || name == "metric" || name == "status")
        continue;
      const std::string value = cell(results, row, name);
      entry.set(name, name == "build_duration" ? Json(0) : Json(value));
    }
    entry.set("model", cell(results, row, "model"));
    const std::string performance = cell(results, row, "performance");
    entry.set("performance", performance.empty() ? Json(nan_marker) : typed(performance));
    entry.set("metric", cell(results, row, "metric"));
    Json details = Json::object();
    for (std::size_t i = run_columns.size(); i < row.size(); ++i)
      if (!row[i].empty()) details.set(results.header[i], typed(row[i]));
    entry.set("multi_results", details.members().empty() ? Json() : details);
    entry.set("status", cell(results, row, "status"));
    entry.set("configs", Json());
    entries.push_back(std::move(entry));
  }
  std::string text =
      text::replace_all(entries.dump(), "\"" + std::string(nan_marker) + "\"", "NaN");
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace abgate::standin
