#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abgate::text {

/// ASCII digits only; the locale must not decide.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trim(std::string_view s);
std::string to_lower(std::string_view s);
std::vector<std::string_view> split(std::string_view s, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string replace_all(std::string s, std::string_view from, std::string_view to);

/// Removes ANSI escape sequences (CSI and OSC); every other byte stays.
std::string strip_ansi(std::string_view s);

/// Makes control bytes and invalid UTF-8 visible (`\x1b`), so that text from a log or a config
/// cannot drive the terminal that shows it (LESSONS 34).
std::string printable(std::string_view s);

/// The same, for HTML and XML: nothing in it is markup, in an element or in a quoted attribute.
std::string markup_escaped(std::string_view s);

/// The candidate that a typo most likely meant, or nothing when none is near.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

/// ` (did you mean "x"?)`, or an empty string.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// Quotes an argument for a POSIX shell, only where needed. For display and for commands that a
/// person copies; abgate itself never runs a shell.
std::string shell_quote(std::string_view argument);
std::string shell_join(const std::vector<std::string>& argv);

}  // namespace abgate::text
