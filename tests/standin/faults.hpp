#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/result.hpp>

namespace abgate::standin {

/// One fault with its arguments: `stop-at:5:FP8`.
struct Fault {
  std::string name;
  std::vector<std::string> arguments;
};

/// What `ABGATE_STANDIN_FAULT` switches on; README.md lists what each does.
class Faults {
 public:
  /// A comma-separated list. Errors: an unknown name, a missing or malformed argument.
  static Result<Faults, std::string> parse(std::string_view text);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// The first argument as a count, or `fallback`.
  std::int64_t count(std::string_view name, std::int64_t fallback) const;
  /// True when the fault is on and its precision argument is absent or this one. With
  /// `fallback`, an absent argument means that precision only.
  bool hits(std::string_view name, std::string_view precision,
            std::string_view fallback = {}) const;
  /// The text of argument `index`, or empty.
  std::string argument(std::string_view name, std::size_t index) const;

 private:
  std::vector<Fault> faults_;

  const Fault* find(std::string_view name) const;
};

}  // namespace abgate::standin
