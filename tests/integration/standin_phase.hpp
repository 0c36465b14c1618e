#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <abgate/base/json.hpp>

#include "support/run_program.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {

/// A CSV file as cells; quoted cells without newlines are enough for what madengine writes here.
struct Table {
  std::vector<std::string> header;
  std::vector<std::map<std::string, std::string>> rows;

  static Table read(const std::filesystem::path& path);
  std::vector<std::string> column(const std::string& name) const;
};

std::filesystem::path standin_data(const std::string& name);
std::vector<std::string> lines_of(const std::string& text);
std::string read_text(const std::filesystem::path& path);

using Variables = std::map<std::string, std::string>;

/// A phase directory with the fixture's manifest, in which the stand-in runs outside Slurm.
class StandinPhase {
 public:
  /// `variables` go into the container, as a side's environment does.
  explicit StandinPhase(const Variables& variables = {});

  Json& manifest() { return manifest_; }
  /// Sets the node count where the manifest says it.
  void set_nodes(std::int64_t nodes);
  /// Trains the small model instead of GPT-OSS-120B.
  void use_demo_model();
  void write() const;
  Command command() const;
  /// Writes the manifest and runs the engine to its end.
  ProgramResult run() const;

  std::filesystem::path path(const std::string& name) const { return dir_ / name; }
  /// The flat log of a node, found by its name's end: `node_0.out`.
  std::filesystem::path log(const std::string& end) const;
  std::string log_text(const std::string& end) const { return read_text(log(end)); }
  std::filesystem::path node_folder(int node) const;
  Table perf_csv() const { return Table::read(path("perf.csv")); }
  /// Lines with `iteration k/N`, of a whole log.
  std::vector<std::string> iteration_lines(const std::string& end) const;

 private:
  TempDir dir_;
  Json manifest_;
};

}  // namespace abgate::test
