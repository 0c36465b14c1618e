#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <abgate/base/json.hpp>

#include "support/run_program.hpp"

namespace abgate::test {

/// What one call of the built `abgate run` left.
struct GateRun {
  ProgramResult program;
  std::filesystem::path work_dir;
  Json record;  ///< gate.json; null when there is none

  std::string verdict() const;
  /// Codes of all reasons that are no notes.
  std::vector<std::string> codes() const;
  bool has_reason(const std::string& code) const;
  /// The reason of that code, or null.
  Json reason(const std::string& code) const;
  /// A text member of the reason of that code; empty when there is none.
  std::string reason_text(const std::string& code, const std::string& key) const;
  std::string describe() const;
};

std::filesystem::path abgate_binary();
std::filesystem::path standin_binary();

/// Arguments of a gate with the stand-in engine whose candidate shows another RCCL build; options
/// in `more` replace the usual ones.
std::vector<std::string> standin_arguments(const std::filesystem::path& work_dir,
                                           const std::vector<std::string>& more);

/// True when nothing but other work on this host withheld the verdict.
bool only_disturbed(const GateRun& run);

/// Runs a gate; up to three times when only_disturbed(), each time in a new folder beside
/// `work_dir`.
GateRun run_gate(const std::filesystem::path& work_dir, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment);

/// gate.json of a work directory, or null.
Json read_record(const std::filesystem::path& work_dir);

}  // namespace abgate::test
