#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/record.hpp>
#include <abgate/runner/foreign.hpp>

namespace abgate::runner {

/// What became of one built-in pair of phases.
struct SelftestResult {
  std::string name;      ///< `a leg that stopped at iteration 5 of 15`
  int lesson = 0;        ///< of LESSONS; 0: a healthy or an honest slow pair
  std::string expected;  ///< `NO VERDICT: series-incomplete`
  std::string found;     ///< in the same form
  bool passed = false;
};

/// The scoring path as `score` takes it.
using ScoreDirectories = std::function<GateRecord(const ForeignGate&, ArtifactStore&, WallClock&)>;

/// Scores built-in good and bad phase directories: the good one must pass, and each bad one must be
/// refused for its own reason (a gate that is known to be able to fail). Touches no file.
std::vector<SelftestResult> selftest(WallClock& clock,
                                     const ScoreDirectories& score = score_directories);

/// One line a case and a last line that counts; what went wrong is said in its line.
std::string render_selftest(const std::vector<SelftestResult>& results);
bool all_passed(const std::vector<SelftestResult>& results);

}  // namespace abgate::runner
