#include <algorithm>
#include <bit>
#include <cstring>

#include <abgate/base/scan.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace abgate::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr char escape = '\x1b';
// The window of an ESC begins at the byte before it; this bucket is its own.
constexpr std::size_t escape_bucket = 7;

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

/// How common a byte is in a log, roughly; the sum decides which part of a needle is looked for.
int frequency(char c) {
  constexpr std::string_view common = " etaoinsrld0123456789";
  if (common.find(c) != npos) return 8;
  if (c >= 'a' && c <= 'z') return 4;
  constexpr std::string_view marks = ".,:/-_[]()=\"";
  return marks.find(c) != npos ? 4 : 1;
}

std::uint32_t four_bytes(const char* at) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

std::size_t rarest_window(std::string_view needle, std::size_t length) {
  std::size_t best = 0;
  int best_sum = 0;
  for (std::size_t at = 0; at + length <= needle.size(); ++at) {
    int sum = 0;
    for (const char c : needle.substr(at, length))
      sum += frequency(c);
    if (at > 0 && sum >= best_sum) continue;
    best = at;
    best_sum = sum;
  }
  return best;
}

}  // namespace

std::size_t count_newlines(std::string_view text) {
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
#if defined(__x86_64__)
  constexpr std::ptrdiff_t width = 16;
  constexpr std::ptrdiff_t longest = 255;  // a counter of one byte holds no more
  const __m128i newline = _mm_set1_epi8('\n');
  const __m128i zero = _mm_setzero_si128();
  while (end - at >= width) {
    __m128i sums = zero;
    for (std::ptrdiff_t left = std::min((end - at) / width, longest); left > 0; --left) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      sums = _mm_sub_epi8(sums, _mm_cmpeq_epi8(bytes, newline));
      at += width;
    }
    const __m128i halves = _mm_sad_epu8(sums, zero);
    count += static_cast<std::size_t>(_mm_cvtsi128_si64(halves) +
                                      _mm_cvtsi128_si64(_mm_unpackhi_epi64(halves, halves)));
  }
#endif
  return count + static_cast<std::size_t>(std::count(at, end, '\n'));
}

NeedleSet::NeedleSet(std::vector<std::string> needles) {
  for (std::string& needle : needles) {
    for (std::size_t i = 0; i + 1 < needle.size(); ++i) {
      pairs_.at(byte_at(needle, i)).at(byte_at(needle, i + 1)) = true;
      goes_on_.at(byte_at(needle, i)) = true;
    }
    begins_.at(byte_at(needle, 0)) = true;
    const std::size_t offset = rarest_window(needle, window);
    const std::uint32_t bytes = four_bytes(needle.data() + offset);
    needles_.push_back({std::move(needle), offset, bytes});
  }
  // Needles that look alike share a bucket, so that it lets little else through.
  std::sort(needles_.begin(), needles_.end(), [](const Needle& a, const Needle& b) {
    return a.text.compare(a.offset, window, b.text, b.offset, window) < 0;
  });
  one_window_ =
      !needles_.empty() && std::all_of(needles_.begin(), needles_.end(), [&](const Needle& needle) {
        return needle.bytes == needles_.front().bytes;
      });
  for (std::size_t i = 0; i < needles_.size(); ++i) {
    const std::size_t bucket = i * escape_bucket / needles_.size();
    members_.at(bucket).push_back(i);
    for (std::size_t at = 0; at < window; ++at)
      add_to_bucket(bucket, at, byte_at(needles_[i].text, needles_[i].offset + at));
  }
}

NeedleSet& NeedleSet::with_escapes() {
  one_window_ = false;
  for (std::size_t byte = 0; byte < goes_on_.size(); ++byte) {
    if (goes_on_.at(byte)) add_to_bucket(escape_bucket, 0, static_cast<std::uint8_t>(byte));
    for (std::size_t at = 2; at < window; ++at)
      add_to_bucket(escape_bucket, at, static_cast<std::uint8_t>(byte));
  }
  add_to_bucket(escape_bucket, 1, static_cast<std::uint8_t>(escape));
  return *this;
}

void NeedleSet::add_to_bucket(std::size_t bucket, std::size_t at, std::uint8_t byte) {
  const auto bit = static_cast<std::uint8_t>(1U << bucket);
  low_.at(at).at(byte & 0x0FU) |= bit;
  high_.at(at).at(byte >> 4U) |= bit;
}

bool NeedleSet::has_pair(char first, char second) const {
  return pairs_[static_cast<std::uint8_t>(first)][static_cast<std::uint8_t>(second)];
}

/// The buckets whose window may stand at `at`.
std::uint8_t NeedleSet::candidates(std::string_view text, std::size_t at) const {
  std::uint8_t bits = 0xFF;
  for (std::size_t i = 0; i < window; ++i) {
    const std::uint8_t byte = byte_at(text, at + i);
    bits &= static_cast<std::uint8_t>(low_[i][byte & 0x0FU] & high_[i][byte >> 4U]);
  }
  return bits;
}

/// Whether a needle can be split behind `at`; at its first split its front is whole.
bool NeedleSet::can_be_split(std::string_view text, std::size_t at) const {
  const std::uint8_t byte = byte_at(text, at);
  if (text[at + 1] != escape || !goes_on_[byte]) return false;
  return begins_[byte] || (at > 0 && pairs_[byte_at(text, at - 1)][byte]);
}

bool NeedleSet::confirmed(std::string_view text, std::size_t from, std::size_t at,
                          std::uint8_t bits) const {
  const std::uint32_t bytes = four_bytes(text.data() + at);
  for (unsigned left = bits; left != 0; left &= left - 1) {
    const auto bucket = static_cast<std::size_t>(std::countr_zero(left));
    if (bucket == escape_bucket && can_be_split(text, at)) return true;
    for (const std::size_t member : members_[bucket]) {
      const Needle& needle = needles_[member];
      if (needle.bytes != bytes || at < from + needle.offset) continue;
      const std::size_t begin = at - needle.offset;
      if (text.size() - begin < needle.text.size()) continue;
      if (std::memcmp(text.data() + begin, needle.text.data(), needle.text.size()) == 0)
        return true;
    }
  }
  return false;
}

std::size_t NeedleSet::find_plain(std::string_view text, std::size_t from, std::size_t at) const {
  for (; at + window <= text.size(); ++at) {
    const std::uint8_t bits = candidates(text, at);
    if (bits != 0 && confirmed(text, from, at, bits)) return at;
  }
  return npos;
}

std::size_t NeedleSet::find(std::string_view text, std::size_t from) const {
#if defined(__x86_64__)
  static const bool fast = __builtin_cpu_supports("avx2") > 0;
  if (fast) return one_window_ ? find_window_avx2(text, from) : find_avx2(text, from);
#endif
  return find_plain(text, from, from);
}

#if defined(__x86_64__)
namespace {

__attribute__((target("avx2"), always_inline)) inline __m256i broadcast(const std::uint8_t* table) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
}

/// The buckets that each of 32 bytes can belong to.
__attribute__((target("avx2"), always_inline)) inline __m256i buckets_of(const char* bytes,
                                                                         __m256i low,
                                                                         __m256i high) {
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
  const __m256i by_low = _mm256_shuffle_epi8(low, _mm256_and_si256(all, nibble));
  const __m256i by_high =
      _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(all, 4), nibble));
  return _mm256_and_si256(by_low, by_high);
}

}  // namespace

/// 32 places at a time: each byte's two nibbles select the buckets that it can belong to, and a
/// place is a candidate when all bytes of its window agree on one.
__attribute__((target("avx2"))) std::size_t NeedleSet::find_avx2(std::string_view text,
                                                                 std::size_t from) const {
  constexpr std::size_t width = 32;
  const __m256i low0 = broadcast(low_[0].data());
  const __m256i low1 = broadcast(low_[1].data());
  const __m256i low2 = broadcast(low_[2].data());
  const __m256i low3 = broadcast(low_[3].data());
  const __m256i high0 = broadcast(high_[0].data());
  const __m256i high1 = broadcast(high_[1].data());
  const __m256i high2 = broadcast(high_[2].data());
  const __m256i high3 = broadcast(high_[3].data());
  std::size_t at = from;
  for (; at + width + window - 1 <= text.size(); at += width) {
    const char* const bytes = text.data() + at;
    const __m256i bits = _mm256_and_si256(
        _mm256_and_si256(buckets_of(bytes, low0, high0), buckets_of(bytes + 1, low1, high1)),
        _mm256_and_si256(buckets_of(bytes + 2, low2, high2), buckets_of(bytes + 3, low3, high3)));
    const auto empty = static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(bits, _mm256_setzero_si256())));
    if (empty == 0xFFFFFFFFU) continue;
    std::array<std::uint8_t, width> each{};
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(each.data()), bits);
    for (std::uint32_t places = ~empty; places != 0; places &= places - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(places));
      if (confirmed(text, from, at + place, each[place])) return at + place;
    }
  }
  return find_plain(text, from, at);
}

/// The same for needles that share a window: its first and last byte are enough.
__attribute__((target("avx2"))) std::size_t NeedleSet::find_window_avx2(std::string_view text,
                                                                        std::size_t from) const {
  constexpr std::size_t width = 32;
  const Needle& needle = needles_.front();
  const __m256i first = _mm256_set1_epi8(needle.text[needle.offset]);
  const __m256i last = _mm256_set1_epi8(needle.text[needle.offset + window - 1]);
  std::size_t at = from;
  for (; at + width + window - 1 <= text.size(); at += width) {
    const char* const bytes = text.data() + at;
    const __m256i fits = _mm256_and_si256(
        _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)), first),
        _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + window - 1)),
                          last));
    for (auto places = static_cast<std::uint32_t>(_mm256_movemask_epi8(fits)); places != 0;
         places &= places - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(places));
      if (confirmed(text, from, at + place, 0x7F)) return at + place;
    }
  }
  return find_plain(text, from, at);
}
#endif

}  // namespace abgate::scan
