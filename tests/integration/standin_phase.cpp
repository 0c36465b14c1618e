#include "standin_phase.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include <abgate/base/text.hpp>

#include "support/files.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

/// Sets a member two or three levels down; the levels above exist.
void set_at(Json& root, std::initializer_list<std::string_view> path, const std::string& key,
            Json value) {
  Json* object = &root;
  for (const auto step : path)
    object = object->find(step);
  object->set(key, std::move(value));
}

}  // namespace

Table Table::read(const fs::path& path) {
  Table table;
  for (const auto& line : lines_of(read_text(path))) {
    auto cells = cells_of(line);
    if (table.header.empty()) {
      table.header = std::move(cells);
      continue;
    }
    EXPECT_EQ(table.header.size(), cells.size()) << line;
    cells.resize(table.header.size());
    auto& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i)
      row[table.header[i]] = cells[i];
  }
  return table;
}

std::vector<std::string> Table::column(const std::string& name) const {
  std::vector<std::string> cells;
  for (const auto& row : rows) {
    const auto cell = row.find(name);
    cells.push_back(cell == row.end() ? "(no such column)" : cell->second);
  }
  return cells;
}

fs::path standin_data(const std::string& name) {
  return fs::path(ABGATE_SOURCE_DIR "/tests/data/standin") / name;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto line : text::split(text, '\n'))
    lines.emplace_back(line);
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string read_text(const fs::path& path) {
  return read_file(path);
}

StandinPhase::StandinPhase(const Variables& variables) {
  auto parsed = parse_json(read_text(standin_data("manifest.json")), "manifest.json");
  if (!parsed) throw std::runtime_error("the manifest of the tests is no JSON");
  manifest_ = *parsed;
  // A little work: what these tests look at is seldom the measured value.
  set_at(manifest_, {"context", "docker_env_vars"}, "ABGATE_STANDIN_WORK", "0.1");
  for (const auto& [name, value] : variables) {
    set_at(manifest_, {"context", "docker_env_vars"}, name, value);
    set_at(manifest_, {"deployment_config", "env_vars"}, name, value);
  }
  write_file(path("scripts/primus_megatron-lm/run.sh"), "#!/bin/bash\n");
}

void StandinPhase::set_nodes(std::int64_t nodes) {
  set_at(manifest_, {"deployment_config", "slurm"}, "nodes", nodes);
  set_at(manifest_, {"deployment_config", "distributed"}, "nnodes", nodes);
}

void StandinPhase::use_demo_model() {
  const std::string text = text::replace_all(
      text::replace_all(manifest_.dump(), "gpt-oss-120b", "demo-1b"), "GPT-OSS-120B", "Demo-1B");
  manifest_ = *parse_json(text, "manifest.json");
}

void StandinPhase::write() const {
  write_file(path("manifest.json"), manifest_.dump());
}

Command StandinPhase::command() const {
  return {{ABGATE_BINARY_DIR "/madengine-standin", "run", "-m", "manifest.json", "-o", "perf.csv",
           "--live-output", "--verbose"},
          {"SLURM_JOB_ID", "ABGATE_STANDIN_FAULT", "ABGATE_STANDIN_WORK"},
          dir_.path()};
}

ProgramResult StandinPhase::run() const {
  write();
  const Command wanted = command();
  return run_program(wanted.argv, wanted.environment, wanted.cwd);
}

fs::path StandinPhase::log(const std::string& end) const {
  const fs::path folder = path("slurm_output");
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename().string().ends_with(end)) return entry.path();
  return folder / ("(no log that ends with " + end + ")");
}

fs::path StandinPhase::node_folder(int node) const {
  const std::string name = "node_" + std::to_string(node);
  for (const auto& entry : fs::recursive_directory_iterator(path("slurm_output")))
    if (entry.is_directory() && entry.path().filename() == name) return entry.path();
  return path("slurm_output") / ("(no folder " + name + ")");
}

std::vector<std::string> StandinPhase::iteration_lines(const std::string& end) const {
  std::vector<std::string> found;
  for (const auto& line : lines_of(log_text(end)))
    if (line.find("] iteration ") != std::string::npos) found.push_back(line);
  return found;
}

}  // namespace abgate::test
