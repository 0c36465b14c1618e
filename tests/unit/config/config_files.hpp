#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <abgate/config/resolve.hpp>

namespace abgate::config {

inline const std::filesystem::path source_dir = ABGATE_SOURCE_DIR;

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A shipped file by its path below configs/, as diagnostics and origins name it.
inline std::string shipped(const std::string& path) {
  return read_text(source_dir / "configs" / path);
}

inline Parsed<Workload> shipped_workload(const std::string& name) {
  const std::string path = "workloads/" + name + ".json";
  return parse_workload(shipped(path), "configs/" + path);
}

inline Parsed<Cluster> shipped_cluster(const std::string& name) {
  const std::string path = "clusters/" + name + ".json";
  return parse_cluster(shipped(path), "configs/" + path);
}

/// One diagnostic a line.
inline std::string lines_of(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics)
    out += format(diagnostic) + "\n";
  return out;
}

}  // namespace abgate::config
