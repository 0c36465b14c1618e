#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include <abgate/base/scan.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace abgate::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr char escape = '\x1b';

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

/// Where the text goes on behind the sequences `ESC [ 1 ; 32 m` at `at`; nothing when one of them
/// is of another kind or cut.
std::optional<std::size_t> behind_colours(std::string_view text, std::size_t at) {
  const auto is_at = [&](char low, char high) {
    return at < text.size() && text[at] >= low && text[at] <= high;
  };
  while (is_at(escape, escape)) {
    ++at;
    if (!is_at('[', '[')) return {};
    ++at;
    while (is_at('0', '9') || is_at(';', ';'))
      ++at;
    if (!is_at('@', '~')) return {};
    ++at;
  }
  return at;
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
    ascii_ = ascii_ && std::all_of(needle.begin(), needle.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
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
    const std::size_t bucket = i * buckets / needles_.size();
    members_.at(bucket).push_back(i);
    for (std::size_t at = 0; at < window; ++at) {
      add_to(low_.at(at), high_.at(at), byte_at(needles_[i].text, needles_[i].offset + at),
             static_cast<std::uint8_t>(1U << bucket));
    }
  }
}

/// Which bytes can stand before an ESC, and which ones before those. A byte that begins a needle
/// can follow anything; the others can't. Bytes of one upper half share a bucket: so each bucket
/// knows its bytes exactly.
NeedleSet& NeedleSet::with_escapes() {
  one_window_ = false;
  escapes_ = true;
  constexpr std::size_t begins_bucket = 4;  // of the upper half 4; below it the buckets of pairs
  for (std::size_t byte = 0; byte < begins_.size(); ++byte) {
    const std::size_t upper = byte >> 4U;
    if (begins_.at(byte)) {
      const auto bit = static_cast<std::uint8_t>(1U << (begins_bucket + upper % 4));
      for (std::size_t half = 0; half < 16; ++half) {
        escape_low_[0].at(half) |= bit;
        escape_high_[0].at(half) |= bit;
      }
      add_to(escape_low_[1], escape_high_[1], byte, bit);
    }
    if (!goes_on_.at(byte)) continue;
    const auto bit = static_cast<std::uint8_t>(1U << (upper % 4));
    add_to(escape_low_[1], escape_high_[1], byte, bit);
    for (std::size_t before = 0; before < pairs_.size(); ++before) {
      if (pairs_.at(before).at(byte)) add_to(escape_low_[0], escape_high_[0], before, bit);
    }
  }
  return *this;
}

void NeedleSet::add_to(Nibbles& low, Nibbles& high, std::size_t byte, std::uint8_t bits) {
  low.at(byte & 0x0FU) |= bits;
  high.at(byte >> 4U) |= bits;
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

/// Whether a needle may be split behind `at`; at its first split its front is whole.
bool NeedleSet::can_be_split(std::string_view text, std::size_t at) const {
  const std::uint8_t byte = byte_at(text, at);
  if (text[at + 1] != escape || !goes_on_[byte]) return false;
  if (!begins_[byte] && (at == 0 || !pairs_[byte_at(text, at - 1)][byte])) return false;
  const auto behind = behind_colours(text, at + 1);
  return !behind || (*behind < text.size() && pairs_[byte][byte_at(text, *behind)]);
}

bool NeedleSet::confirmed(std::string_view text, std::size_t from, std::size_t at,
                          std::uint8_t bits) const {
  const std::uint32_t bytes = four_bytes(text.data() + at);
  for (unsigned left = bits; left != 0; left &= left - 1) {
    const auto bucket = static_cast<std::size_t>(std::countr_zero(left));
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
    if (escapes_ && can_be_split(text, at)) return at;
    const std::uint8_t bits = candidates(text, at);
    if (bits != 0 && confirmed(text, from, at, bits)) return at;
  }
  return npos;
}

std::size_t NeedleSet::find(std::string_view text, std::size_t from) const {
#if defined(__x86_64__)
  static const bool fast = __builtin_cpu_supports("avx2") > 0;
  if (fast && (one_window_ || ascii_))
    return one_window_ ? find_window_avx2(text, from) : find_avx2(text, from);
#endif
  return find_plain(text, from, from);
}

#if defined(__x86_64__)
namespace {

__attribute__((target("avx2"), always_inline)) inline __m256i broadcast(const std::uint8_t* table) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
}

/// 32 bytes as indexes of tables: by the lower half, where the shuffle itself leaves out the upper
/// one and gives nothing for a byte that is not ASCII, and by the upper half.
struct Halves {
  __m256i low;
  __m256i high;
};

__attribute__((target("avx2"), always_inline)) inline Halves halves_of(__m256i bytes) {
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  return {bytes, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble)};
}

/// The buckets that each of 32 bytes can belong to.
__attribute__((target("avx2"), always_inline)) inline __m256i buckets_of(const Halves& halves,
                                                                         __m256i low,
                                                                         __m256i high) {
  return _mm256_and_si256(_mm256_shuffle_epi8(low, halves.low),
                          _mm256_shuffle_epi8(high, halves.high));
}

__attribute__((target("avx2"), always_inline)) inline __m256i load(const char* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

/// Which of 32 bytes are not zero.
__attribute__((target("avx2"), always_inline)) inline std::uint32_t places_of(__m256i bytes) {
  return ~static_cast<std::uint32_t>(
      _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())));
}

}  // namespace

/// 32 places at a time: each byte's two halves select the buckets that it can belong to, and a
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
  const __m256i before_low = broadcast(escape_low_[0].data());
  const __m256i before_high = broadcast(escape_high_[0].data());
  const __m256i last_low = broadcast(escape_low_[1].data());
  const __m256i last_high = broadcast(escape_high_[1].data());
  // The window of an escape begins one byte before the byte that it is told by.
  if (escapes_ && from + 1 < text.size() && can_be_split(text, from)) return from;
  std::size_t at = from;
  for (; at + width + window - 1 <= text.size(); at += width) {
    const char* const bytes = text.data() + at;
    const Halves first = halves_of(load(bytes));
    const Halves second = halves_of(load(bytes + 1));
    const __m256i third = load(bytes + 2);
    const __m256i needles = _mm256_and_si256(
        _mm256_and_si256(buckets_of(first, low0, high0), buckets_of(second, low1, high1)),
        _mm256_and_si256(buckets_of(halves_of(third), low2, high2),
                         buckets_of(halves_of(load(bytes + 3)), low3, high3)));
    const __m256i splits =
        _mm256_and_si256(_mm256_cmpeq_epi8(third, _mm256_set1_epi8(escape)),
                         _mm256_and_si256(buckets_of(first, before_low, before_high),
                                          buckets_of(second, last_low, last_high)));
    const __m256i any = _mm256_or_si256(needles, splits);
    if (_mm256_testz_si256(any, any) != 0) continue;
    std::array<std::uint8_t, width> each{};
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(each.data()), needles);
    for (std::uint32_t places = places_of(any); places != 0; places &= places - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(places));
      if (each[place] != 0 && confirmed(text, from, at + place, each[place])) return at + place;
      if (escapes_ && can_be_split(text, at + place + 1)) return at + place + 1;
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
    const __m256i fits = _mm256_and_si256(_mm256_cmpeq_epi8(load(bytes), first),
                                          _mm256_cmpeq_epi8(load(bytes + window - 1), last));
    for (auto places = static_cast<std::uint32_t>(_mm256_movemask_epi8(fits)); places != 0;
         places &= places - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(places));
      if (confirmed(text, from, at + place, 0xFF)) return at + place;
    }
  }
  return find_plain(text, from, at);
}
#endif

}  // namespace abgate::scan
