#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <abgate/base/scan.hpp>

#include "pattern.hpp"

namespace abgate::condense {

/// Finds kinds of lines by itself: lines that are equal once their numbers, times, hosts and
/// addresses are left out. It remembers a bounded number of kinds; further ones are no kinds.
class AutoKinds {
 public:
  /// `keep`: texts of lines that belong to no kind.
  explicit AutoKinds(const std::vector<std::string>& keep);

  struct Found {
    std::uint32_t kind = 0;
    std::uint64_t seen = 0;  ///< lines of the kind, this one included
    Fields fields;
  };
  std::optional<Found> take(std::string_view line);
  /// Printable and short, of the line that was taken last.
  std::string name() const;

 private:
  struct Key {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.a; }
  };
  struct Entry {
    std::uint32_t kind = 0;
    std::uint64_t seen = 0;
  };

  std::vector<std::string> keep_short_;  // shorter than a needle may be
  std::optional<scan::NeedleSet> keep_;
  std::unordered_map<Key, Entry, KeyHash> kinds_;
  std::string plain_;  // the last line without what may vary

  bool is_kept(std::string_view line) const;
};

}  // namespace abgate::condense
