#include <algorithm>

#include <abgate/base/redact.hpp>

namespace abgate {
namespace {

constexpr std::size_t shortest_secret = 4;
constexpr std::string_view mask = "[redacted]";

/// True when `text` is the beginning of a secret and only the end of the input cut it off.
bool may_begin_secret(std::string_view text, const std::vector<std::string>& secrets) {
  return std::any_of(secrets.begin(), secrets.end(), [&](const std::string& secret) {
    return text.size() < secret.size() && std::string_view(secret).starts_with(text);
  });
}

}  // namespace

Redactor::Redactor(std::vector<std::string> secrets) : secrets_(std::move(secrets)) {
  std::erase_if(secrets_, [](const std::string& s) { return s.size() < shortest_secret; });
  std::sort(secrets_.begin(), secrets_.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

std::string Redactor::feed(std::string_view bytes) {
  if (secrets_.empty()) return std::string(bytes);
  held_ += bytes;
  std::string out;
  std::size_t at = 0;
  while (at < held_.size()) {
    const std::string_view rest = std::string_view(held_).substr(at);
    // A longer secret that is still incomplete goes before a shorter one that is its beginning.
    if (may_begin_secret(rest, secrets_)) break;
    const auto match = std::find_if(secrets_.begin(), secrets_.end(),
                                    [&](const std::string& s) { return rest.starts_with(s); });
    if (match != secrets_.end()) {
      out += mask;
      at += match->size();
    } else {
      out += held_[at++];
    }
  }
  held_.erase(0, at);
  return out;
}

std::string Redactor::finish() {
  std::string out;
  std::string_view rest = held_;
  while (!rest.empty()) {
    const auto match = std::find_if(secrets_.begin(), secrets_.end(),
                                    [&](const std::string& s) { return rest.starts_with(s); });
    if (match != secrets_.end()) {
      out += mask;
      rest.remove_prefix(match->size());
    } else {
      out += rest.front();
      rest.remove_prefix(1);
    }
  }
  held_.clear();
  return out;
}

}  // namespace abgate
