#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

namespace abgate::text {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

struct Character {
  std::size_t length = 0;   ///< in bytes; 0: not UTF-8 (overlong, surrogate, cut)
  std::uint32_t value = 0;  ///< the code point
};

/// The UTF-8 sequence at the start of `s`, which is not empty.
Character first_character(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(s[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  std::size_t length = 0;
  std::uint32_t value = 0;
  if ((lead & 0xE0U) == 0xC0U) {
    length = 2;
    value = lead & 0x1FU;
  } else if ((lead & 0xF0U) == 0xE0U) {
    length = 3;
    value = lead & 0x0FU;
  } else if ((lead & 0xF8U) == 0xF0U) {
    length = 4;
    value = lead & 0x07U;
  } else {
    return {};
  }
  if (s.size() < length) return {};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> minimum{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  const bool sound = value >= minimum.at(length) && value <= 0x10FFFF && !surrogate;
  return sound ? Character{length, value} : Character{};
}

std::size_t skip_range(std::string_view s, std::size_t from, char low, char high) {
  while (from < s.size() && s[from] >= low && s[from] <= high)
    ++from;
  return from;
}

/// Length of the escape sequence at the start of `s`; 0 when `s` is empty. One that is cut or
/// broken ends before the first byte that cannot belong to it, so no text is lost with it.
std::size_t escape_length(std::string_view s) {
  if (s.size() < 2) return s.size();
  if (s[1] == '[') {  // CSI: parameters, intermediates, one final byte
    const std::size_t end = skip_range(s, 2, ' ', '?');
    return end < s.size() && s[end] >= '@' && s[end] <= '~' ? end + 1 : end;
  }
  if (s[1] == ']') {  // OSC: up to BEL or ESC backslash; never over the end of a line
    const std::size_t end = std::min(s.find_first_of("\a\x1b\r\n", 2), s.size());
    if (s.substr(end, 2) == "\x1b\\") return end + 2;
    return end < s.size() && s[end] == '\a' ? end + 1 : end;
  }
  const std::size_t end = skip_range(s, 1, ' ', '/');  // ESC ( B and the like
  return end < s.size() && s[end] >= '0' && s[end] <= '~' ? end + 1 : end;
}

/// Characters that drive a terminal, or reorder what a reader sees: C0 and C1 controls, line and
/// paragraph separators, bidirectional controls.
bool is_treacherous(std::uint32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
  const bool mark = c == 0x200E || c == 0x200F;
  return control || mark || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// Damerau's optimal string alignment: typos are insertions, deletions, changes and swaps.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string_view trim(std::string_view s) {
  while (!s.empty() && is_blank(s.front()))
    s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back()))
    s.remove_suffix(1);
  return s;
}

std::string to_lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<std::string_view> split(std::string_view s, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = s.find(separator);
    parts.push_back(s.substr(0, end));
    if (end == std::string_view::npos) return parts;
    s.remove_prefix(end + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string replace_all(std::string s, std::string_view from, std::string_view to) {
  std::size_t next = from.empty() ? std::string::npos : s.find(from);
  if (next == std::string::npos) return s;
  std::string out;
  std::size_t at = 0;
  for (; next != std::string::npos; next = s.find(from, at)) {
    out.append(s, at, next - at).append(to);
    at = next + from.size();
  }
  return out.append(s, at);
}

std::string strip_ansi(std::string_view s) {
  std::string out;
  out.reserve(s.size());
  while (!s.empty()) {
    const std::size_t escape = s.find('\x1b');
    out += s.substr(0, escape);
    s.remove_prefix(std::min(escape, s.size()));
    s.remove_prefix(escape_length(s));
  }
  return out;
}

std::string printable(std::string_view s) {
  std::string out;
  out.reserve(s.size());
  while (!s.empty()) {
    const auto [length, value] = first_character(s);
    const std::string_view bytes = s.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || is_treacherous(value)) {
      for (const char c : bytes)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += bytes;
    }
    s.remove_prefix(bytes.size());
  }
  return out;
}

std::string markup_escaped(std::string_view s) {
  std::string out;
  for (const char c : printable(s)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  // A third of the word may be wrong; more is another word.
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> found;
  const std::string lowered = to_lower(word);
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(lowered, to_lower(candidate));
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto match = nearest(word, candidates);
  return match ? fmt::format(" (did you mean \"{}\"?)", *match) : "";
}

std::string shell_quote(std::string_view argument) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!argument.empty() && argument.find_first_not_of(safe) == std::string_view::npos) {
    return std::string(argument);
  }
  return "'" + replace_all(std::string(argument), "'", R"('\'')") + "'";
}

std::string shell_join(const std::vector<std::string>& argv) {
  std::vector<std::string> quoted;
  quoted.reserve(argv.size());
  for (const std::string& argument : argv)
    quoted.push_back(shell_quote(argument));
  return join(quoted, " ");
}

}  // namespace abgate::text
