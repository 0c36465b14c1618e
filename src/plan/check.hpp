#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/json.hpp>

namespace abgate::plan {

/// A value of the manifest and where it stands. A member that is absent has no value; its problems
/// are reported at the object that lacks it.
struct Place {
  const Json* value = nullptr;
  std::string pointer;
  Position position;

  explicit operator bool() const { return value != nullptr; }
  Place operator[](std::string_view key) const;
  bool is_object() const { return value != nullptr && value->is_object(); }
  /// The text, or empty when it is no string.
  std::string_view text() const;
  /// A whole number, or nothing.
  std::optional<std::int64_t> integer() const;
};

/// Collects problems and asks for types, so that the checks themselves read as rules.
class Findings {
 public:
  explicit Findings(std::string file) : file_(std::move(file)) {}

  void error(const Place& at, std::string message, std::string hint = {});
  void warning(const Place& at, std::string message, std::string hint = {});
  /// In the order of the document.
  Diagnostics take();

  // Each adds one error when the value is missing or of another type, and tells whether it is
  // there and right. With `required` false a missing value is no error.
  bool object(const Place& at, bool required = true);
  bool string(const Place& at, bool required = true);
  bool boolean(const Place& at, bool required = true);
  bool positive(const Place& at, bool required = true);
  /// A string that is exactly `wanted`.
  bool equals(const Place& at, std::string_view wanted);
  /// Members whose names are not in `known` become warnings.
  void unknown_keys(const Place& at, const std::vector<std::string>& known);

 private:
  bool present(const Place& at, bool required);
  void add(Severity severity, const Place& at, std::string message, std::string hint);

  std::string file_;
  Diagnostics diagnostics_;
};

// One function a part of FORMATS 1; all take the whole manifest, since the parts must agree.
void check_top_level(const Place& manifest, Findings& findings);
void check_images(const Place& manifest, Findings& findings);
void check_model(const Place& model, Findings& findings);
void check_context(const Place& manifest, Findings& findings);
void check_mounts(const Place& manifest, Findings& findings);
void check_deployment(const Place& manifest, Findings& findings);
void check_environment(const Place& manifest, Findings& findings);
void check_secrets(const Place& manifest, Findings& findings);

/// `"text"` as it may be shown: printable and cut; nothing but a word when it looks secret.
std::string quoted(std::string_view text);

/// The number of nodes that the manifest asks for; nothing when it does not say.
std::optional<std::int64_t> nodes_of(const Place& manifest);

/// True when a mount lays an RCCL over the image's own.
bool overlays_rccl(const Place& manifest);

}  // namespace abgate::plan
