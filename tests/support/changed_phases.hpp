#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/gate.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {

inline constexpr const char* gptoss = "gpt-oss-120b-training";

/// Runs the built binary, in `/` so that it depends on no folder.
ProgramResult abgate(std::vector<std::string> arguments,
                     const std::vector<std::string>& environment = {});

std::vector<std::string> with(std::vector<std::string> first, const std::vector<std::string>& more);

/// Copies of phase directories that the real madengine wrote (tests/data/phases), changed by one
/// hand each.
class ChangedPhases : public testing::Test {
 protected:
  using Change = std::function<std::string(const std::string&)>;

  void take(const std::string& candidate, const std::string& baseline = "gptoss-baseline");
  std::filesystem::path baseline() const { return directory_ / "b"; }
  std::filesystem::path candidate() const { return directory_ / "c"; }
  GateRun score(const std::vector<std::string>& more = {});
  /// Applies `change` to every file of a phase whose name ends so; there must be one that changes.
  static void change(const std::filesystem::path& phase, const std::string& ending, Change change);
  /// Applies it to all files that hold rows.
  static void change_rows(const std::filesystem::path& phase, const Change& change);
  static std::string add_sockets(const std::string& log);
  static Change replace(const std::string& pattern, const std::string& with);

  TempDir directory_;
};

}  // namespace abgate::test
