#include "escape.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "layout.hpp"

namespace abgate::report {
namespace {

constexpr std::string_view word_joiner = "&#8288;";  // shows nothing, and parts what it stands in

/// Code points that are UTF-8 and no characters of XML.
std::string without_noncharacters(std::string text) {
  for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    text = text::replace_all(std::move(text), none, "\xEF\xBF\xBD");
  return text;
}

std::string xml_escaped(const std::string& printable) {
  std::string out;
  out.reserve(printable.size());
  for (const char c : without_noncharacters(printable)) {
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

/// The longest run of a character.
std::size_t longest_run(std::string_view text, char wanted) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

bool starts_address(std::string_view rest) {
  constexpr std::string_view www = "www.";
  return text::to_lower(rest.substr(0, www.size())) == www;
}

/// Whether a character of Markdown loses its meaning behind a backslash.
bool takes_backslash(char c) {
  return std::string_view("\\`*_[]|~").find(c) != std::string_view::npos;
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text::is_digit(c);
    if (letter || kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

/// Newlines stay; every line is printable.
std::string printable_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : text::split(text, '\n'))
    out += (out.empty() && line.data() == text.data() ? "" : "\n") + one_line(line);
  return out;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit;
  constexpr std::size_t longest_character = 4;
  while (end > 0 && limit - end < longest_character && !starts_character(text[end]))
    --end;
  return fmt::format("{} … (the first {} of {} bytes; gate.json has the rest)", text.substr(0, end),
                     end, text.size());
}

std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return text::printable(out);
}

std::string xml_text(std::string_view text) {
  return xml_escaped(one_line(text));
}

std::string xml_lines(std::string_view text) {
  return xml_escaped(printable_lines(text));
}

std::string markdown_text(std::string_view text) {
  const std::string line = without_noncharacters(one_line(text));
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const std::string_view rest = std::string_view(line).substr(i);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '$') {
      out += "<span>$</span>";  // what GitHub documents for a dollar that starts no formula
    } else if (c == '@' || c == '#') {
      out += c;
      out += word_joiner;
    } else if (rest.starts_with("://")) {
      out += "&#58;";
    } else if (starts_address(rest)) {
      out += line.substr(i, 3) + "&#46;";
      i += 3;
    } else if (takes_backslash(c)) {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  std::string line = without_noncharacters(one_line(text));
  const std::string fence(longest_run(line, '`') + 1, '`');
  line = text::replace_all(line, "|", "\\|");  // in a table a bar ends the cell even here
  // A blank at both ends is taken off again, so text that begins with a backtick is safe.
  return fmt::format("{0} {1} {0}", fence, line.empty() ? "-" : line);
}

std::string markdown_block(std::string_view text, std::string_view language) {
  constexpr std::size_t shortest = 3;
  const std::string lines = without_noncharacters(printable_lines(text));
  const std::string fence(std::max(longest_run(lines, '`') + 1, shortest), '`');
  return fmt::format("{0}{1}\n{2}{3}{0}\n", fence, language, lines,
                     lines.ends_with('\n') ? "" : "\n");
}

std::string relative_url(std::string_view path) {
  if (path.empty() || path.starts_with('/')) return "";
  for (const std::string_view part : text::split(path, '/')) {
    if (part == ".." || part == ".") return "";
  }
  return percent_encoded(path, "-._~/");
}

std::string github_data(std::string_view text) {
  // A command ends with its line, whatever the message; control bytes are visible already.
  return text::replace_all(text::replace_all(printable_lines(text), "%", "%25"), "\n", "%0A");
}

std::string github_property(std::string_view text) {
  std::string out = text::replace_all(one_line(text), "%", "%25");
  return text::replace_all(text::replace_all(std::move(out), ":", "%3A"), ",", "%2C");
}

}  // namespace abgate::report
