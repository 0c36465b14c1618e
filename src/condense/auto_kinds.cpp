#include "auto_kinds.hpp"

#include <algorithm>

#include <abgate/base/text.hpp>

#include "run.hpp"

namespace abgate::condense {
namespace {

using text::is_digit;

constexpr std::size_t most_kinds = std::size_t{64} * 1024;
constexpr std::size_t shortest_needle = 4;
constexpr char varying = '#';

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t skip_digits(std::string_view line, std::size_t at) {
  while (at < line.size() && is_digit(line[at]))
    ++at;
  return at;
}

/// The end of `:<digits>` at `at`, or `at`.
std::size_t skip_number(std::string_view line, std::size_t at) {
  if (at >= line.size() || line[at] != ':') return at;
  const std::size_t end = skip_digits(line, at + 1);
  return end == at + 1 ? at : end;
}

/// The end of a time that begins with the digits [at, end): `2026-11-01 10:00:00.123`.
std::size_t end_of_time(std::string_view line, std::size_t end) {
  while (end + 1 < line.size() && std::string_view("-:./T ").find(line[end]) != line.npos &&
         is_digit(line[end + 1])) {
    end = skip_digits(line, end + 1);
  }
  return end;
}

/// Writes the line to `out` with what may vary in short, and finds the first of each field.
class Plainer {
 public:
  Plainer(std::string_view line, std::string& out) : line_(line), out_(out) {}

  Fields make() {
    out_.clear();
    std::size_t at = 0;
    while (at < line_.size()) {
      if (!is_word(line_[at])) {
        out_ += line_[at++];
        continue;
      }
      std::size_t end = at;
      while (end < line_.size() && is_word(line_[end]))
        ++end;
      at = take_word(at, end);
    }
    return fields_;
  }

 private:
  std::string_view line_;
  std::string& out_;
  Fields fields_;

  std::size_t take_word(std::size_t begin, std::size_t end) {
    const std::string_view word = line_.substr(begin, end - begin);
    const std::size_t pid_end = skip_number(line_, end);
    // host:pid:tid
    if (pid_end != end && skip_number(line_, pid_end) != pid_end && !is_digit(word.front())) {
      if (fields_.host.empty()) {
        fields_.host = word;
        fields_.pid = line_.substr(end + 1, pid_end - end - 1);
      }
      out_ += varying;
      return end;
    }
    if (is_digit(word.front())) take_time(begin);
    if (is_address(word)) {
      out_ += varying;
    } else {
      add_without_digits(word);
    }
    return end;
  }

  void take_time(std::size_t begin) {
    constexpr std::size_t shortest_time = 8;
    const std::size_t end = end_of_time(line_, skip_digits(line_, begin));
    const std::string_view time = line_.substr(begin, end - begin);
    if (fields_.time.empty() && time.size() >= shortest_time && time.find(':') != time.npos) {
      fields_.time = time;
    }
  }

  /// `0x7f…` or a word of hexadecimal digits that holds a decimal one.
  static bool is_address(std::string_view word) {
    constexpr std::size_t shortest = 4;
    if (word.starts_with("0x")) word.remove_prefix(2);
    return word.size() >= shortest && std::all_of(word.begin(), word.end(), is_hex) &&
           std::any_of(word.begin(), word.end(), is_digit);
  }

  void add_without_digits(std::string_view word) {
    for (const char c : word) {
      if (!is_digit(c)) {
        out_ += c;
      } else if (out_.empty() || out_.back() != varying) {
        out_ += varying;
      }
    }
  }
};

}  // namespace

AutoKinds::AutoKinds(const std::vector<std::string>& keep) {
  std::vector<std::string> needles;
  for (const std::string& text : keep)
    (text.size() < shortest_needle ? keep_short_ : needles).push_back(text);
  if (!needles.empty()) keep_.emplace(std::move(needles));
}

bool AutoKinds::is_kept(std::string_view line) const {
  return (keep_ && keep_->occurs_in(line)) ||
         std::any_of(keep_short_.begin(), keep_short_.end(),
                     [&](const std::string& text) { return line.find(text) != line.npos; });
}

std::optional<AutoKinds::Found> AutoKinds::take(std::string_view line) {
  // Colours must not hide what is to be kept.
  const bool coloured = line.find('\x1b') != line.npos;
  if (is_kept(coloured ? text::strip_ansi(line) : line)) return {};
  Found found;
  found.fields = Plainer(line, plain_).make();
  const Key key{hash_of(plain_, 1), hash_of(plain_, 2)};
  auto entry = kinds_.find(key);
  if (entry == kinds_.end()) {
    if (kinds_.size() == most_kinds) return {};
    entry = kinds_.emplace(key, Entry{static_cast<std::uint32_t>(kinds_.size()), 0}).first;
  }
  found.kind = entry->second.kind;
  found.seen = ++entry->second.seen;
  return found;
}

std::string AutoKinds::name() const {
  constexpr std::size_t longest = 48;
  std::string name = text::printable(text::trim(text::strip_ansi(plain_)).substr(0, longest));
  name.resize(std::min(name.size(), 2 * longest));
  return '"' + name + '"';
}

}  // namespace abgate::condense
