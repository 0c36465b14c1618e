#include <algorithm>
#include <set>

#include <abgate/base/hash.hpp>
#include <abgate/base/text.hpp>
#include <abgate/metrics/library_identity.hpp>

namespace abgate::metrics {
namespace {

/// Identities are short; longer strings are of no interest and need not be kept.
constexpr std::size_t longest_string = 160;
constexpr std::string_view elf_magic(
    "\x7f"
    "ELF");

using text::is_digit;

/// `2.30.4`
bool is_semver(std::string_view s) {
  const auto parts = text::split(s, '.');
  return parts.size() == 3 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           return !part.empty() && part.size() <= 4 &&
                  std::all_of(part.begin(), part.end(), is_digit);
         });
}

/// `develop:e711c9e`, `HEAD:0d2c4fd+`
bool is_ref_hash(std::string_view s) {
  if (s.ends_with('+')) s.remove_suffix(1);
  const std::size_t colon = s.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view ref = s.substr(0, colon);
  const std::string_view hash = s.substr(colon + 1);
  if (hash.size() < 7 || hash.size() > 40) return false;
  const bool hex = hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  const bool plain = std::all_of(ref.begin(), ref.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || c == '.' || c == '/' || c == '(' || c == ')';
  });
  return hex && plain;
}

}  // namespace

class LibraryReader::Impl {
 public:
  void feed(std::string_view bytes) {
    if (head_.size() < elf_magic.size()) {
      head_ += bytes.substr(0, elf_magic.size() - head_.size());
    }
    sum_.update(bytes);
    identity_.size += bytes.size();
    for (const char c : bytes) {
      if (c >= ' ' && c <= '~') {
        if (current_.size() <= longest_string) current_ += c;
      } else if (!current_.empty()) {
        take_string();
      }
    }
  }

  LibraryIdentity finish() {
    take_string();
    identity_.elf = head_ == elf_magic;
    identity_.sha256 = sum_.hex_digest();
    identity_.semvers.assign(semvers_.begin(), semvers_.end());
    identity_.ref_hashes.assign(ref_hashes_.begin(), ref_hashes_.end());
    if (ref_hashes_.size() == 1) {
      // Several x.y.z strings are usual (HIP, ROCm); the hash alone proves the build.
      identity_.version = semvers_.size() == 1 ? *semvers_.begin() + "-" + *ref_hashes_.begin()
                                               : *ref_hashes_.begin();
    }
    return std::move(identity_);
  }

 private:
  void take_string() {
    if (current_.find(".rocm_kpack_ref") != std::string::npos) identity_.kpack = true;
    if (current_.size() <= longest_string) {
      if (is_semver(current_)) semvers_.insert(current_);
      if (is_ref_hash(current_)) ref_hashes_.insert(current_);
    }
    current_.clear();
  }

  hash::Sha256 sum_;
  std::string head_;
  std::string current_;
  std::set<std::string> semvers_;
  std::set<std::string> ref_hashes_;
  LibraryIdentity identity_;
};

LibraryReader::LibraryReader() : impl_(std::make_unique<Impl>()) {}
LibraryReader::~LibraryReader() = default;
void LibraryReader::feed(std::string_view bytes) {
  impl_->feed(bytes);
}
LibraryIdentity LibraryReader::finish() {
  return impl_->finish();
}

}  // namespace abgate::metrics
