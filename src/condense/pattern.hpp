#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/condense/condense.hpp>

namespace abgate::condense {

/// Longer lines are no spam; a bound on what has to be held back.
constexpr std::size_t longest_line = 4096;

/// A hash of few bytes; of 64 bits, so that no two hosts or processes of a run meet.
inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15U;
  hash = (hash ^ word) * factor;
  return hash ^ (hash >> 29U);
}
inline std::uint64_t hash_of(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t hash = mix(seed, bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), size);
    hash = mix(hash, word);
    bytes.remove_prefix(size);
  }
  return hash;
}

/// What a line of a kind says about itself; empty where the pattern does not name it.
struct Fields {
  std::string_view time;
  std::string_view host;
  std::string_view pid;
};

/// A kind's pattern, taken apart once.
class Pattern {
 public:
  enum class Token { literal, digits, word, time, host, pid };
  struct Part {
    Token token;
    std::string literal;
  };

  explicit Pattern(std::string_view text);

  /// Whether the whole line is of this kind. `digit_at` gets, for each byte, whether any digit may
  /// stand in its place; `line` has no line end but may end in `\r`.
  bool matches(std::string_view line, Fields& fields, std::string* digit_at = nullptr) const;

  /// Whether it is not plain where a placeholder ends.
  bool is_ambiguous() const;

  /// The longest text that stands in every line of the kind.
  const std::string& longest_literal() const;

 private:
  std::vector<Part> parts_;
};

/// A line that matched, as a pattern that is compared at once: its bytes, and where any digit may
/// stand. Nearly all lines of a run differ in digits only.
class Template {
 public:
  static constexpr std::size_t shortest = 16;  ///< bytes that are compared at once

  /// `fields` are those of `line`, which has at least `shortest` bytes.
  Template(std::string_view line, std::string digit_at, const Fields& fields);

  std::size_t size() const { return line_.size(); }
  /// `line` points to `size()` bytes.
  bool matches(const char* line) const;
  /// Of a line that matches.
  Fields fields_of(const char* line) const {
    return {time_.of(line), host_.of(line), pid_.of(line)};
  }
  bool has_host() const { return host_.size > 0; }
  bool has_pid() const { return pid_.size > 0; }
  std::uint64_t host_hash() const { return host_hash_; }
  std::uint64_t rank_hash(const char* line) const {
    if (pid_mask_ == 0) return hash_of(pid_.of(line), host_hash_);
    std::uint64_t word = 0;
    std::memcpy(&word, line + pid_.at, sizeof word);
    return mix(pid_seed_, word & pid_mask_);
  }

 private:
  struct Place {
    std::size_t at = 0;
    std::size_t size = 0;
    std::string_view of(const char* line) const { return {line + at, size}; }
  };
  std::string line_;
  std::string digit_at_;  // 0xFF where any digit may stand
  Place time_;
  Place host_;
  Place pid_;
  std::uint64_t host_hash_;
  std::uint64_t pid_seed_;      // what hash_of makes of the pid's length
  std::uint64_t pid_mask_ = 0;  // of a pid that one load takes; 0: it is longer, or near the end
};

}  // namespace abgate::condense
