#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <abgate/base/secret.hpp>
#include <abgate/base/text.hpp>

namespace abgate {
namespace {

// The locale must not decide what a letter is.
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
using text::is_digit;
bool is_alnum(char c) {
  return is_upper(c) || is_digit(c) || (c >= 'a' && c <= 'z');
}
bool is_upper_or_digit(char c) {
  return is_upper(c) || is_digit(c);
}
bool is_word(char c) {
  return is_alnum(c) || c == '_';
}
bool is_word_or_dash(char c) {
  return is_word(c) || c == '-';
}
/// The alphabet of RFC 6750.
bool is_bearer(char c) {
  return is_word_or_dash(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}

/// A token: a fixed beginning and at least `least` characters of its alphabet behind it.
struct TokenForm {
  std::string_view prefix;
  std::size_t least;
  bool (*alphabet)(char);
};

// The lengths lie far below the real ones, and above what ordinary names reach (`hf_transfer`).
constexpr std::array token_forms = {
    TokenForm{"hf_", 12, is_alnum},           TokenForm{"ghp_", 12, is_alnum},
    TokenForm{"gho_", 12, is_alnum},          TokenForm{"ghu_", 12, is_alnum},
    TokenForm{"ghs_", 12, is_alnum},          TokenForm{"ghr_", 12, is_alnum},
    TokenForm{"github_pat_", 12, is_word},    TokenForm{"glpat-", 12, is_word_or_dash},
    TokenForm{"AKIA", 16, is_upper_or_digit}, TokenForm{"ASIA", 16, is_upper_or_digit},
    TokenForm{"sk-", 16, is_word_or_dash},    TokenForm{"xoxa-", 8, is_word_or_dash},
    TokenForm{"xoxb-", 8, is_word_or_dash},   TokenForm{"xoxp-", 8, is_word_or_dash},
    TokenForm{"xoxr-", 8, is_word_or_dash},   TokenForm{"xoxs-", 8, is_word_or_dash},
    TokenForm{"Bearer ", 20, is_bearer},
};

bool holds_token(std::string_view text, const TokenForm& form) {
  for (std::size_t at = text.find(form.prefix); at != std::string_view::npos;
       at = text.find(form.prefix, at + 1)) {
    if (at > 0 && is_word_or_dash(text[at - 1])) continue;  // `task-…` is no `sk-…`
    const std::string_view rest = text.substr(at + form.prefix.size());
    const auto* const end =
        std::find_if(rest.begin(), rest.end(), [&](char c) { return !form.alphabet(c); });
    if (static_cast<std::size_t>(end - rest.begin()) >= form.least) return true;
  }
  return false;
}

/// `scheme://user:password@host`.
bool holds_url_password(std::string_view text) {
  constexpr std::string_view mark = "://";
  for (std::size_t at = text.find(mark); at != std::string_view::npos;
       at = text.find(mark, at + 1)) {
    std::string_view authority = text.substr(at + mark.size());
    authority = authority.substr(0, authority.find_first_of("/?# \t\r\n\"'"));
    const std::size_t host = authority.rfind('@');
    const std::size_t colon = authority.find(':');
    if (host != std::string_view::npos && colon != std::string_view::npos && colon + 1 < host) {
      return true;
    }
  }
  return false;
}

/// The words of a variable's name, in lower case.
std::vector<std::string> words_of(std::string_view key) {
  std::vector<std::string> words(1);
  for (const char c : text::to_lower(key)) {
    if (is_alnum(c)) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty() && words.size() > 1) words.pop_back();
  return words;
}

constexpr std::array<std::string_view, 12> secret_words = {
    "password",   "passwords",   "passwd", "passphrase", "secret",    "secrets",
    "credential", "credentials", "apikey", "secretkey",  "accesskey", "privatekey"};

}  // namespace

bool looks_secret_name(std::string_view key) {
  const std::vector<std::string> words = words_of(key);
  const bool says_so = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return std::find(secret_words.begin(), secret_words.end(), word) != secret_words.end();
  });
  if (says_so) return true;
  const std::string& last = words.back();
  if (last == "token" || last == "pat") return words.size() > 1 || last == "token";
  if (last != "key" || words.size() < 2) return false;
  const std::string& before = words[words.size() - 2];
  return before == "api" || before == "access" || before == "private" || before == "auth";
}

bool looks_secret_value(std::string_view value) {
  const std::size_t pem = value.find("-----BEGIN ");
  if (pem != std::string_view::npos && value.find("PRIVATE KEY", pem) != std::string_view::npos) {
    return true;
  }
  return holds_url_password(value) ||
         std::any_of(token_forms.begin(), token_forms.end(),
                     [&](const TokenForm& form) { return holds_token(value, form); });
}

bool looks_secret(std::string_view key, std::string_view value) {
  return looks_secret_name(key) || looks_secret_value(value);
}

std::vector<std::string> secret_values(
    const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<std::string> values;
  for (const auto& [key, value] : environment) {
    if (looks_secret(key, value)) values.push_back(value);
  }
  return values;
}

}  // namespace abgate
