#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace abgate::compare {

/// What tells one RCCL build from another (FORMATS 5).
struct BuildIdentity {
  std::string version;  ///< `2.30.4`; may be empty
  std::string ref;      ///< `develop`; may be empty, and is never compared
  std::string hash;     ///< at least seven lower-case hexadecimal digits
  bool dirty = false;   ///< a trailing `+`: built from a modified tree
  friend bool operator==(const BuildIdentity&, const BuildIdentity&) = default;
};

/// Reads `2.30.4-develop:e711c9e[+]`, the older `2.20.5+hip6.2 HEAD:0123abc`, `develop:e711c9e` or
/// a bare hash. Nothing for `Unknown`, a version without hash and fewer than seven digits: unknown
/// is not proof (LESSONS 6).
std::optional<BuildIdentity> parse_identity(std::string_view text);

/// Hashes agree by prefix (one may be abbreviated) and so do the dirty flags; the ref's name is
/// ignored.
bool same_build(const BuildIdentity& a, const BuildIdentity& b);

}  // namespace abgate::compare
