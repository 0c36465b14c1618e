#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace abgate::test {

/// Checks the source tree below `root` (its include/abgate and src) against DESIGN 6: which module
/// may include which, where third-party headers are allowed, and calls that are allowed nowhere.
/// One line for each violation, `path:line: what`, sorted.
std::vector<std::string> source_violations(const std::filesystem::path& root);

}  // namespace abgate::test
