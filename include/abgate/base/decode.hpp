#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/json.hpp>

namespace abgate {

/// Reads one JSON object member by member, collecting every problem instead of stopping at the
/// first. `finish()` reports the keys that nobody asked for, with the nearest known one.
class ObjectReader {
 public:
  /// Bounds of a number, inclusive unless said.
  struct Range {
    std::optional<double> minimum;
    std::optional<double> maximum;
    bool above_minimum = false;  ///< the minimum itself is excluded
    bool below_maximum = false;  ///< the maximum itself is excluded
  };

  ObjectReader(const Json& object, std::string file, std::string pointer, Diagnostics& diagnostics);

  /// True when the value is an object; else one diagnostic was added and every getter gives
  /// nothing.
  bool usable() const { return usable_; }
  bool has(std::string_view key);
  const Json* raw(std::string_view key, bool required = false);
  std::optional<std::string> string(std::string_view key, bool required = false);
  std::optional<bool> boolean(std::string_view key, bool required = false);
  std::optional<std::int64_t> integer(std::string_view key, Range range, bool required = false);
  std::optional<double> number(std::string_view key, Range range, bool required = false);
  std::optional<std::vector<std::string>> strings(std::string_view key, bool required = false);
  std::optional<std::vector<std::int64_t>> integers(std::string_view key, Range range,
                                                    bool required = false);
  /// An object of strings, in file order.
  std::optional<std::vector<std::pair<std::string, std::string>>> string_map(std::string_view key,
                                                                             bool required = false);
  /// One of `allowed`, with did-you-mean.
  std::optional<std::string> choice(std::string_view key, const std::vector<std::string>& allowed,
                                    bool required = false);

  /// Adds a diagnostic at a member (or at the object when the key is absent).
  void error(std::string_view key, std::string message, std::string hint = {});
  /// Place of a member's value, for origins: `file:line:column`.
  std::string origin(std::string_view key) const;
  std::string pointer(std::string_view key) const { return pointer_join(pointer_, key); }
  const std::string& file() const { return file_; }

  void finish();

 private:
  const Json& object_;
  std::string file_;
  std::string pointer_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
  bool usable_;

  void mismatch(std::string_view key, const Json& value, std::string_view wanted);
};

}  // namespace abgate
