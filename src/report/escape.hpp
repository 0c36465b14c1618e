#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text from logs, configs and file names, made harmless for each place that shows it (LESSONS 34).
namespace abgate::report {

/// Bytes of a message that a report shows; the record has all of it.
inline constexpr std::size_t longest_message = 2000;

/// At most `limit` bytes, cut between characters, with a word about the rest.
std::string shortened(std::string_view text, std::size_t limit = longest_message);

/// One printable line: newlines and tabs become blanks, other control bytes become visible.
std::string one_line(std::string_view text);

/// For the text and the attribute values of XML and HTML, and of both at once. What XML 1.0 forbids
/// is visible or U+FFFD afterwards.
std::string xml_text(std::string_view text);
/// The same, with its newlines.
std::string xml_lines(std::string_view text);

/// For a running Markdown text or a table cell on GitHub: no markup, link, image, HTML, mention,
/// reference, formula or bare address, and no end of the cell.
std::string markdown_text(std::string_view text);
/// A code span that holds the text.
std::string markdown_code(std::string_view text);
/// A fenced block; the text keeps its newlines.
std::string markdown_block(std::string_view text, std::string_view language);

/// A relative path as an address: everything but letters, digits, `-._~/` percent-encoded. Empty
/// for an absolute path or one that climbs.
std::string relative_url(std::string_view path);

/// The message of a GitHub workflow command, and the value of one of its properties.
std::string github_data(std::string_view text);
std::string github_property(std::string_view text);

}  // namespace abgate::report
