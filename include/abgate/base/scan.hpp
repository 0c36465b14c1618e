#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace abgate::scan {

/// How often `\n` stands in the text.
std::size_t count_newlines(std::string_view text);

/// Finds places in a large text that hold one of a few strings, at several bytes a clock cycle
/// where the CPU has AVX2; elsewhere with the same result, slower.
class NeedleSet {
 public:
  /// Every needle has at least four bytes and no line end.
  explicit NeedleSet(std::vector<std::string> needles);

  /// Also finds places where a needle may stand in coloured text, which a search in the raw bytes
  /// would miss: an ESC that can split one, by what stands before it and behind the colours.
  NeedleSet& with_escapes();

  /// A byte inside of a needle (or of an escape) that stands at or behind `from`, the first one or
  /// near it: no line before the one that holds it has a needle. `npos`: there is none.
  std::size_t find(std::string_view text, std::size_t from) const;

  bool occurs_in(std::string_view text) const { return find(text, 0) != std::string_view::npos; }

 private:
  static constexpr std::size_t window = 4;   // bytes that are compared at once
  static constexpr std::size_t buckets = 8;  // one bit each
  using Nibbles = std::array<std::uint8_t, 16>;

  /// A needle and where in it the window lies.
  struct Needle {
    std::string text;
    std::size_t offset = 0;
    std::uint32_t bytes = 0;  ///< of the window
  };

  std::vector<Needle> needles_;
  std::array<std::vector<std::size_t>, buckets> members_;  // of each bucket, as indexes
  std::array<Nibbles, window> low_{};
  std::array<Nibbles, window> high_{};
  bool escapes_ = false;
  // The same for the two bytes before an ESC.
  std::array<Nibbles, 2> escape_low_{};
  std::array<Nibbles, 2> escape_high_{};
  std::array<std::array<bool, 256>, 256> pairs_{};
  std::array<bool, 256> begins_{};   // the byte is the first one of a needle
  std::array<bool, 256> goes_on_{};  // the byte can be followed by another one in a needle

  bool ascii_ = true;        // so are all needles
  bool one_window_ = false;  // all needles have the same one, and there are no escapes

  static void add_to(Nibbles& low, Nibbles& high, std::size_t byte, std::uint8_t bits);
  std::uint8_t candidates(std::string_view text, std::size_t at) const;
  bool can_be_split(std::string_view text, std::size_t at) const;
  bool confirmed(std::string_view text, std::size_t from, std::size_t at, std::uint8_t bits) const;
  std::size_t find_plain(std::string_view text, std::size_t from, std::size_t at) const;
#if defined(__x86_64__)
  std::size_t find_avx2(std::string_view text, std::size_t from) const;
  std::size_t find_window_avx2(std::string_view text, std::size_t from) const;
#endif
};

}  // namespace abgate::scan
