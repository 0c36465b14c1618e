#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abgate {

/// Replaces secret values in a stream by `[redacted]`, also when a value is cut by a read boundary
/// (LESSONS 33). Holds back at most the length of the longest secret.
class Redactor {
 public:
  /// Values shorter than 4 bytes are left alone: they would blot out ordinary text.
  explicit Redactor(std::vector<std::string> secrets);

  /// The part of the text so far that is safe to pass on.
  std::string feed(std::string_view bytes);
  /// What was held back; call at the end.
  std::string finish();

 private:
  std::vector<std::string> secrets_;  // longest first: a secret may contain another
  std::string held_;
};

}  // namespace abgate
