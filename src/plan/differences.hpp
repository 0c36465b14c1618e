#pragma once

#include <optional>
#include <string>
#include <vector>

#include <abgate/base/json.hpp>

namespace abgate::plan {

/// One place where the manifests of the two sides differ.
struct Difference {
  std::string pointer;           ///< RFC 6901, into the baseline's manifest where it stands there
  std::optional<Json> baseline;  ///< nothing: absent
  std::optional<Json> candidate;
};

/// All of them, outermost first. An image entry and a model entry are named like the image, so an
/// entry of another name is the same entry: its name is reported as a difference of the object that
/// holds it, then the entries are compared member by member.
std::vector<Difference> differences(const Json& baseline, const Json& candidate);

}  // namespace abgate::plan
