#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace abgate::hash {

/// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

/// SHA-256 of bytes that arrive in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void update(std::string_view bytes);
  /// Call once, at the end.
  std::string hex_digest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace abgate::hash
