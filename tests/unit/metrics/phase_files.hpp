#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <abgate/metrics/log_scanner.hpp>

/// Real phase directories (tests/data/phases), for tests that read them.
namespace abgate::metrics::phase_files {

inline const std::filesystem::path root = ABGATE_SOURCE_DIR "/tests/data/phases";

inline std::string read(const std::filesystem::path& relative) {
  std::ifstream file(root / relative, std::ios::binary);
  EXPECT_TRUE(file) << "cannot read " << relative;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Paths of all files of one phase directory, relative to it.
inline std::vector<std::string> list(const std::string& phase) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / phase)) {
    if (entry.is_regular_file()) {
      paths.push_back(std::filesystem::relative(entry.path(), root / phase).string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline LogFindings scan(std::string_view text, std::size_t piece = std::string_view::npos) {
  LogScanner scanner("a.out", "1");
  while (!text.empty()) {
    scanner.feed(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
  }
  return scanner.finish();
}

}  // namespace abgate::metrics::phase_files
