#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abgate {

/// Expands Slurm's short form of host names, in the order in which they are written:
/// `a[1-2,07-09],b` gives a1 a2 a07 a08 a09 b. A range keeps the width of its first number; a name
/// may hold several brackets (`r[1-2]n[1-2]`). Nothing when it is malformed (also when it is
/// empty), when a range runs backwards, or when it names more than 65536 hosts.
std::optional<std::vector<std::string>> expand_hostlist(std::string_view hostlist);

}  // namespace abgate
