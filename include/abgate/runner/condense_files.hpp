#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abgate/condense/condense.hpp>

namespace abgate::runner {

/// What became of one file.
struct CondensedFile {
  std::string path;
  condense::Totals totals;
  std::string problem;  ///< why it stays as it was; empty: none
};

/// Condenses each file in place, several at a time, up to the cores: by a temporary file beside it
/// that takes its place with its owner, mode and time. One in which nothing is folded, one that
/// changed meanwhile and one that could not be read stay as they are. A link's target is meant.
std::vector<CondensedFile> condense_in_place(const std::vector<std::string>& paths,
                                             const condense::Options& options);

/// Whether a file of that name is taken for a log: `.out`, `.err`, `.log` or `.stdout`.
bool is_log_name(std::string_view name);

}  // namespace abgate::runner
