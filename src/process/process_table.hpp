#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace abgate::process {

/// The name under which a guard shows itself in /proc and ps.
inline constexpr std::string_view guard_name = "abgate-guard";

/// One process of /proc.
struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  char state = '?';              ///< `Z`: ended, and its parent has not asked yet
  unsigned long long start = 0;  ///< clock ticks since boot; tells a pid from its reuse
  std::string name;
};
std::optional<ProcessEntry> read_process(pid_t pid);
/// Parses `/proc/<pid>/stat`, whose name field may hold blanks and parentheses.
std::optional<ProcessEntry> parse_stat(std::string_view text);

struct Descendant {
  ProcessEntry process;
  bool guarded = false;  ///< a guard of another abgate, or below one
};

/// All processes below `root`, parents before their children, without `root`. Children of `root`
/// in `not_through` and all below them are left out. Empty when /proc can't be read.
std::vector<Descendant> descendants_of(pid_t root, const std::vector<pid_t>& not_through = {});

}  // namespace abgate::process
