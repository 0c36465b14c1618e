#include "pattern.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace abgate::condense {
namespace {

using text::is_digit;

constexpr std::size_t shortest_literal = 8;

/// The parts of a pattern that stand for something else.
struct Placeholder {
  std::string_view text;
  Pattern::Token token;
};
constexpr std::array<Placeholder, 5> placeholders = {{{"#", Pattern::Token::digits},
                                                      {"*", Pattern::Token::word},
                                                      {"{time}", Pattern::Token::time},
                                                      {"{host}", Pattern::Token::host},
                                                      {"{pid}", Pattern::Token::pid}}};

bool is_visible(char c) {
  return static_cast<unsigned char>(c) > ' ' && c != '\x7f';
}

bool belongs_to_time(char c) {
  constexpr std::string_view marks = "-:./,+TZ ";
  return is_digit(c) || marks.find(c) != std::string_view::npos;
}

bool belongs(Pattern::Token token, char c) {
  switch (token) {
    case Pattern::Token::digits:
    case Pattern::Token::pid:
      return is_digit(c);
    case Pattern::Token::time:
      return belongs_to_time(c);
    case Pattern::Token::word:
    case Pattern::Token::host:
      return is_visible(c);
    case Pattern::Token::literal:
      break;
  }
  return false;
}

bool may_vary(Pattern::Token token) {
  return token == Pattern::Token::digits || token == Pattern::Token::pid ||
         token == Pattern::Token::time;
}

#if defined(__SSE2__)
/// 16 bytes: each equal to the template's, or a digit where one may stand.
bool sixteen_match(const char* line, const char* wanted, const char* digit_at) {
  const auto load = [](const char* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  };
  const __m128i bytes = load(line);
  const __m128i equal = _mm_cmpeq_epi8(bytes, load(wanted));
  const __m128i value = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
  const __m128i fits = _mm_or_si128(equal, _mm_and_si128(digit, load(digit_at)));
  return _mm_movemask_epi8(fits) == 0xFFFF;
}
#else
bool sixteen_match(const char* line, const char* wanted, const char* digit_at) {
  for (std::size_t i = 0; i < Template::shortest; ++i) {
    if (line[i] != wanted[i] && !(digit_at[i] != 0 && is_digit(line[i]))) return false;
  }
  return true;
}
#endif

#if defined(__x86_64__)
/// The same 32 at a time; the line has at least as many bytes.
__attribute__((target("avx2"))) bool matches_avx2(const char* line, const char* wanted,
                                                  const char* digit_at, std::size_t size) {
  constexpr std::size_t width = 32;
  __m256i all_fit = _mm256_set1_epi8(-1);
  std::size_t at = 0;
  while (true) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line + at));
    const __m256i equal =
        _mm256_cmpeq_epi8(bytes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(wanted + at)));
    const __m256i value = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
    const __m256i digit = _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(9)), value);
    const __m256i may_be = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(digit_at + at));
    all_fit = _mm256_and_si256(all_fit, _mm256_or_si256(equal, _mm256_and_si256(digit, may_be)));
    if (at + width == size) break;
    at = std::min(at + width, size - width);
  }
  return _mm256_movemask_epi8(all_fit) == -1;
}
#endif

}  // namespace

std::vector<Kind> shipped_kinds() {
  const auto deprecated = [](std::string_view old_name, std::string_view new_name) {
    return fmt::format(
        "[{{time}}] {{host}}:{{pid}}:# [#] *:# NCCL WARN Please note that {} is deprecated, please "
        "use {} instead",
        old_name, new_name);
  };
  return {{"rccl-alltoallv", deprecated("ncclAllToAllv", "ncclAlltoAllv")},
          {"rccl-alltoall", deprecated("ncclAllToAll", "ncclAlltoAll")}};
}

std::string problem_of(const Kind& kind) {
  constexpr std::size_t longest_name = 40;
  if (kind.name.empty() || kind.name.size() > longest_name ||
      !std::all_of(kind.name.begin(), kind.name.end(),
                   [](char c) { return is_visible(c) && static_cast<unsigned char>(c) < 0x80; })) {
    return "its name must be one printable word of at most 40 bytes";
  }
  if (std::any_of(kind.pattern.begin(), kind.pattern.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    return "its pattern holds a control character";
  }
  if (kind.pattern.size() > longest_line / 4) return "its pattern is longer than 1024 bytes";
  const Pattern pattern(kind.pattern);
  if (pattern.is_ambiguous()) {
    return "in its pattern something else than a digit must stand between two placeholders";
  }
  if (pattern.longest_literal().size() < shortest_literal) {
    return "its pattern must hold at least eight bytes in a row that are no placeholder";
  }
  return {};
}

Pattern::Pattern(std::string_view text) {
  while (!text.empty()) {
    const auto* const found =
        std::find_if(placeholders.begin(), placeholders.end(),
                     [&](const Placeholder& known) { return text.starts_with(known.text); });
    if (found != placeholders.end()) {
      parts_.push_back({found->token, ""});
      text.remove_prefix(found->text.size());
      continue;
    }
    if (parts_.empty() || parts_.back().token != Token::literal)
      parts_.push_back({Token::literal, ""});
    parts_.back().literal += text.front();
    text.remove_prefix(1);
  }
}

const std::string& Pattern::longest_literal() const {
  static const std::string none;
  const auto longest = std::max_element(
      parts_.begin(), parts_.end(),
      [](const Part& a, const Part& b) { return a.literal.size() < b.literal.size(); });
  return longest == parts_.end() ? none : longest->literal;
}

bool Pattern::is_ambiguous() const {
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    if (parts_[i - 1].token == Token::literal) continue;
    if (parts_[i].token != Token::literal || is_digit(parts_[i].literal.front())) return true;
  }
  return false;
}

bool Pattern::matches(std::string_view line, Fields& fields, std::string* digit_at) const {
  fields = {};
  if (digit_at != nullptr) digit_at->assign(line.size(), '\0');
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.token == Token::literal) {
      if (line.substr(at, part.literal.size()) != part.literal) return false;
      at += part.literal.size();
      continue;
    }
    // Up to the byte that follows in the pattern: there is nothing to try twice.
    const bool bounded = i + 1 < parts_.size() && parts_[i + 1].token == Token::literal;
    const char stop = bounded ? parts_[i + 1].literal.front() : '\n';
    const std::size_t begin = at;
    while (at < line.size() && line[at] != stop && belongs(part.token, line[at])) {
      if (digit_at != nullptr && may_vary(part.token) && is_digit(line[at]))
        (*digit_at)[at] = '\xff';
      ++at;
    }
    if (at == begin) return false;
    const std::string_view value = line.substr(begin, at - begin);
    if (part.token == Token::time) fields.time = value;
    if (part.token == Token::host) fields.host = value;
    if (part.token == Token::pid) fields.pid = value;
  }
  return at == line.size() || (at + 1 == line.size() && line[at] == '\r');
}

Template::Template(std::string_view line, std::string digit_at, const Fields& fields)
    : line_(line),
      digit_at_(std::move(digit_at)),
      host_hash_(hash_of(fields.host, 0)),
      pid_seed_(mix(host_hash_, fields.pid.size())) {
  const auto place = [&](std::string_view field) {
    if (field.empty()) return Place{};
    return Place{static_cast<std::size_t>(field.data() - line.data()), field.size()};
  };
  time_ = place(fields.time);
  host_ = place(fields.host);
  pid_ = place(fields.pid);
  if (pid_.size > 0 && pid_.size <= sizeof pid_mask_ && pid_.at + sizeof pid_mask_ <= line.size()) {
    std::memset(&pid_mask_, 0xFF, pid_.size);
  }
}

bool Template::matches(const char* line) const {
#if defined(__x86_64__)
  constexpr std::size_t shortest_for_avx2 = 32;
  static const bool fast = __builtin_cpu_supports("avx2") > 0;
  if (fast && line_.size() >= shortest_for_avx2) {
    // A line that is no spam nearly always begins in another way.
    return sixteen_match(line, line_.data(), digit_at_.data()) &&
           matches_avx2(line, line_.data(), digit_at_.data(), line_.size());
  }
#endif
  const std::size_t last = line_.size() - shortest;
  for (std::size_t at = 0; at < last; at += shortest) {
    if (!sixteen_match(line + at, line_.data() + at, digit_at_.data() + at)) return false;
  }
  // Whatever is left over is compared with some bytes before it once more.
  return sixteen_match(line + last, line_.data() + last, digit_at_.data() + last);
}

}  // namespace abgate::condense
