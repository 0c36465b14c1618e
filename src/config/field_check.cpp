#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include <abgate/base/secret.hpp>
#include <abgate/base/text.hpp>

#include "field.hpp"

namespace abgate::config {
namespace {

/// Characters of valid UTF-8: JSON Schema counts these, not bytes.
std::size_t length_of(std::string_view s) {
  return static_cast<std::size_t>(std::count_if(
      s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool matches(const Shape& shape, std::string_view text) {
  const std::regex pattern(shape.pattern.begin(), shape.pattern.end());
  return std::regex_search(text.begin(), text.end(), pattern);
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text::printable(text.substr(0, longest)) + (text.size() > longest ? "…" : "");
}

TextProblem secret_problem() {
  return {"looks like a credential",
          "secrets travel in the process environment only (MAD_SECRETS_*, HF_TOKEN); remove it"};
}

}  // namespace

TextProblem check_text(const Shape& shape, std::string_view text) {
  if (looks_secret_value(text)) return secret_problem();
  const std::size_t length = length_of(text);
  if (length > shape.longest) {
    return {fmt::format("{} characters are too many", length),
            fmt::format("give at most {}", shape.longest)};
  }
  if (matches(shape, text)) return {};
  return {text.empty() ? std::string("is empty")
                       : fmt::format("\"{}\" is not {}", shown(text), shape.what),
          fmt::format("give {}", shape.right)};
}

TextProblem check_variable(std::string_view name, std::string_view value) {
  if (TextProblem problem = check_text(shapes::variable, name)) return problem;
  if (looks_secret(name, value)) return secret_problem();
  return check_text(shapes::value, value);
}

}  // namespace abgate::config
