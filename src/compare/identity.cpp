#include <algorithm>
#include <cstddef>

#include <abgate/base/text.hpp>
#include <abgate/compare/identity.hpp>

namespace abgate::compare {
namespace {

constexpr std::size_t shortest_hash = 7;  // git's own abbreviation

bool is_hash(std::string_view s) {
  constexpr std::size_t longest_hash = 64;
  return s.size() >= shortest_hash && s.size() <= longest_hash &&
         s.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::optional<BuildIdentity> parse_identity(std::string_view text) {
  BuildIdentity identity;
  std::string_view rest = text::trim(text);
  if (!rest.empty() && rest.back() == '+') {
    identity.dirty = true;
    rest.remove_suffix(1);
  }
  const std::size_t colon = rest.rfind(':');
  const std::string_view hash = colon == std::string_view::npos ? rest : rest.substr(colon + 1);
  identity.hash = text::to_lower(text::trim(hash));
  if (!is_hash(identity.hash)) return {};
  if (colon == std::string_view::npos) return identity;
  // Before the colon: `<semver>-<ref>`, `<semver>+hip<version> <ref>` or just `<ref>`.
  const std::string_view head = rest.substr(0, colon);
  const bool numbered = !head.empty() && head.front() >= '0' && head.front() <= '9';
  const std::size_t end = head.find_first_of(" -");
  if (numbered && end != std::string_view::npos) {
    identity.version = std::string(head.substr(0, end));
    identity.ref = std::string(text::trim(head.substr(end + 1)));
  } else {
    identity.ref = std::string(head);
  }
  return identity;
}

bool same_build(const BuildIdentity& a, const BuildIdentity& b) {
  const std::size_t common = std::min(a.hash.size(), b.hash.size());
  return common >= shortest_hash && a.dirty == b.dirty &&
         a.hash.compare(0, common, b.hash, 0, common) == 0;
}

}  // namespace abgate::compare
