#include "rccl_lines.hpp"

#include <algorithm>
#include <vector>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::metrics {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view name_bytes =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
constexpr std::string_view version_bytes =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+/~-";

void skip_blanks(std::string_view& s) {
  s.remove_prefix(std::min(s.find_first_not_of(" \t"), s.size()));
}

std::string_view take(std::string_view& s, std::string_view bytes) {
  const std::string_view token = s.substr(0, s.find_first_not_of(bytes));
  s.remove_prefix(token.size());
  return token;
}

bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}

/// What stands behind `label`, where a label in quotes does not count.
std::optional<std::string_view> behind(std::string_view line, std::string_view label,
                                       std::size_t& at) {
  for (at = line.find(label, at); at != line.npos; at = line.find(label, at + 1)) {
    if (at == 0 || !is_quote(line[at - 1])) return line.substr(at + label.size());
  }
  return {};
}

/// `:<hash>[+]` at the front of `s`; empty when there is none. The hash ends where its digits end,
/// so that text glued behind it stays out.
std::string take_hash(std::string_view& s) {
  std::string_view rest = s;
  if (!rest.starts_with(':')) return {};
  rest.remove_prefix(1);
  const std::string_view hash = take(rest, hex_digits);
  if (hash.empty()) return {};
  const std::size_t length = 1 + hash.size() + (rest.starts_with('+') ? 1U : 0U);
  std::string out(s.substr(0, length));
  s.remove_prefix(length);
  return out;
}

/// `2.30.4-develop:e711c9e`. What does not end in a hash is kept as it stands: an unknown build.
std::string read_new_version(std::string_view s) {
  std::string version(take(s, version_bytes));
  version += take_hash(s);
  return s.empty() || !is_quote(s.front()) ? version : std::string();
}

/// `2.20.5+hip6.2 HEAD:0123abc` or `2.20.5+hip6.2 Unknown`.
std::string read_old_version(std::string_view s) {
  std::string version(take(s, version_bytes));
  skip_blanks(s);
  if (s.empty()) return version;
  const std::string_view ref = take(s, version_bytes);
  const std::string hash = take_hash(s);
  if (hash.empty() && ref != "Unknown") return {};
  return version + " " + std::string(ref) + hash;
}

/// The host of a prefix `host:pid:tid [dev] NCCL INFO `.
std::string host_of_prefix(std::string_view prefix) {
  constexpr std::string_view level = "NCCL INFO";
  prefix = text::trim(prefix);
  if (!prefix.ends_with(level)) return {};
  prefix = text::trim(prefix.substr(0, prefix.size() - level.size()));
  const std::size_t bracket = prefix.rfind('[');
  if (!prefix.ends_with(']') || bracket == prefix.npos) return {};
  prefix = text::trim(prefix.substr(0, bracket));
  const std::size_t blank = prefix.rfind(' ');
  const std::string_view origin = blank == prefix.npos ? prefix : prefix.substr(blank + 1);
  const std::vector<std::string_view> parts = text::split(origin, ':');
  if (parts.size() != 3 || !number::parse_integer(parts[1]) || !number::parse_integer(parts[2])) {
    return {};
  }
  return std::string(parts[0]);
}

std::optional<std::string> find_field(std::string_view line, std::string_view label,
                                      std::string_view bytes) {
  std::size_t at = 0;
  auto rest = behind(line, label, at);
  if (!rest) return {};
  skip_blanks(*rest);
  if (!rest->starts_with(':')) return {};
  rest->remove_prefix(1);
  skip_blanks(*rest);
  const std::string_view value = take(*rest, bytes);
  if (value.empty()) return {};
  return std::string(value);
}

}  // namespace

std::optional<BannerHead> find_banner(std::string_view line) {
  constexpr std::string_view label = "RCCL version";
  std::size_t at = 0;
  for (auto rest = behind(line, label, at); rest; rest = behind(line, label, ++at)) {
    const bool blank = rest->starts_with(' ');
    skip_blanks(*rest);
    const bool colon = rest->starts_with(':');
    if (colon) {
      rest->remove_prefix(1);
      skip_blanks(*rest);
    }
    if (rest->empty() || digits.find(rest->front()) == digits.npos) continue;
    if (!colon && !blank) continue;
    const std::string version = colon ? read_new_version(*rest) : read_old_version(*rest);
    if (!version.empty()) return BannerHead{version, host_of_prefix(line.substr(0, at))};
  }
  return {};
}

std::optional<std::string> find_banner_host(std::string_view line) {
  return find_field(line, "Hostname", name_bytes);
}

std::optional<std::string> find_banner_path(std::string_view line) {
  auto path = find_field(line, "Librccl path", version_bytes);
  return path && path->starts_with('/') ? path : std::nullopt;
}

std::optional<std::string> find_transport(std::string_view line) {
  constexpr std::string_view using_mark = "Using ";
  std::size_t at = 0;
  for (auto rest = behind(line, "NET/", at); rest; rest = behind(line, "NET/", ++at)) {
    const std::string_view kind = take(*rest, name_bytes);
    skip_blanks(*rest);
    if (kind.empty() || !rest->starts_with(':')) continue;
    rest->remove_prefix(1);
    skip_blanks(*rest);
    if (!rest->starts_with(using_mark)) continue;
    rest->remove_prefix(using_mark.size());
    skip_blanks(*rest);
    const bool no_device =
        rest->starts_with("[RO]") || rest->starts_with(';') || rest->starts_with("peer memory");
    if (!no_device) return std::string(kind);
  }
  return {};
}

}  // namespace abgate::metrics
