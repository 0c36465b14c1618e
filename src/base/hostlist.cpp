#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <abgate/base/hostlist.hpp>
#include <abgate/base/text.hpp>

namespace abgate {
namespace {

constexpr std::size_t most_hosts = 65536;
constexpr std::size_t most_digits = 9;  // so that a number never overflows

using Names = std::vector<std::string>;

/// Splits at the commas that stand outside of brackets; nothing when brackets do not pair.
std::optional<std::vector<std::string_view>> split_entries(std::string_view list) {
  std::vector<std::string_view> entries;
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '[' || list[i] == ']') {
      if (inside == (list[i] == '[')) return std::nullopt;
      inside = !inside;
    } else if (list[i] == ',' && !inside) {
      entries.push_back(list.substr(start, i - start));
      start = i + 1;
    }
  }
  if (inside) return std::nullopt;
  entries.push_back(list.substr(start));
  return entries;
}

std::optional<std::uint64_t> parse_digits(std::string_view digits) {
  if (digits.empty() || digits.size() > most_digits) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

/// `1-2,07` to 1 2 07.
std::optional<Names> expand_ranges(std::string_view ranges) {
  Names out;
  for (const std::string_view range : text::split(ranges, ',')) {
    const std::size_t dash = range.find('-');
    const std::string_view first = range.substr(0, dash);
    const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
    const auto from = parse_digits(first);
    const auto to = parse_digits(last);
    if (!from || !to || *to < *from || *to - *from >= most_hosts - out.size()) return std::nullopt;
    for (std::uint64_t n = *from; n <= *to; ++n)
      out.push_back(fmt::format("{:0{}}", n, first.size()));
  }
  return out;
}

bool is_host_text(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
}

/// Puts every ending behind every name; nothing when that makes too many.
std::optional<Names> combine(const Names& names, const Names& endings) {
  if (names.size() * endings.size() > most_hosts) return std::nullopt;
  Names out;
  out.reserve(names.size() * endings.size());
  for (const std::string& name : names) {
    for (const std::string& ending : endings)
      out.push_back(name + ending);
  }
  return out;
}

std::optional<Names> expand_entry(std::string_view entry) {
  if (entry.empty()) return std::nullopt;
  std::optional<Names> names = Names{""};
  while (!entry.empty() && names) {
    const std::size_t open = entry.find('[');
    const std::string_view plain = entry.substr(0, open);
    if (!is_host_text(plain)) return std::nullopt;
    names = combine(*names, {std::string(plain)});
    if (open == std::string_view::npos) break;
    const std::size_t close = entry.find(']', open);  // split_entries has paired them
    const auto numbers = expand_ranges(entry.substr(open + 1, close - open - 1));
    if (!numbers || !names) return std::nullopt;
    names = combine(*names, *numbers);
    entry.remove_prefix(close + 1);
  }
  return names;
}

}  // namespace

std::optional<std::vector<std::string>> expand_hostlist(std::string_view hostlist) {
  const auto entries = split_entries(text::trim(hostlist));
  if (!entries) return std::nullopt;
  Names out;
  for (const std::string_view entry : *entries) {
    auto names = expand_entry(entry);
    if (!names || names->size() > most_hosts - out.size()) return std::nullopt;
    out.insert(out.end(), std::make_move_iterator(names->begin()),
               std::make_move_iterator(names->end()));
  }
  return out;
}

}  // namespace abgate
