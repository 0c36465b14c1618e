#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace abgate::test {

/// The first line in which two texts differ, with both versions.
inline std::string first_difference(const std::string& expected, const std::string& actual) {
  std::istringstream want(expected);
  std::istringstream got(actual);
  std::string want_line;
  std::string got_line;
  for (int number = 1;; ++number) {
    const bool more_want = static_cast<bool>(std::getline(want, want_line));
    const bool more_got = static_cast<bool>(std::getline(got, got_line));
    if (!more_want && !more_got) return "they differ in the final newline only";
    if (more_want && more_got && want_line == got_line) continue;
    return "line " + std::to_string(number) +
           "\n  golden: " + (more_want ? want_line : "(end of file)") +
           "\n  actual: " + (more_got ? got_line : "(end of text)");
  }
}

/// Compares a whole text with `tests/golden/<name>`. With ABGATE_UPDATE_GOLDEN=1 in the environment
/// the file is written instead; read the difference in git before you keep it.
inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path path =
      std::filesystem::path(ABGATE_SOURCE_DIR "/tests/golden") / name;
  const char* update = std::getenv("ABGATE_UPDATE_GOLDEN");  // NOLINT(concurrency-mt-unsafe)
  if (update != nullptr && std::string(update) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << "there is no golden file " << path
                    << "; ABGATE_UPDATE_GOLDEN=1 writes it. The text is:\n"
                    << actual;
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(expected.str(), actual) << path << ": " << first_difference(expected.str(), actual);
}

}  // namespace abgate::test
