#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace abgate::condense {

/// Counts different hashes, up to a bound that keeps its memory constant.
class Distinct {
 public:
  static constexpr std::size_t limit = 4096;

  void insert(std::uint64_t hash) {
    if (hash == 0) hash = 1;  // 0 marks a free slot
    std::size_t at = hash >> shift_;
    while (slots_[at] != 0) {
      if (slots_[at] == hash) return;
      at = (at + 1) & (slots_.size() - 1);
    }
    if (count_ == limit) {
      full_ = true;
      return;
    }
    slots_[at] = hash;
    ++count_;
    if (count_ * 2 > slots_.size()) grow();
  }

  void clear() {
    if (count_ > 0) std::fill(slots_.begin(), slots_.end(), 0);
    count_ = 0;
    full_ = false;
  }

  std::size_t count() const { return count_; }
  /// There were more than it counted.
  bool full() const { return full_; }

 private:
  static constexpr unsigned first_bits = 6;
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1U << first_bits);
  unsigned shift_ = 64 - first_bits;  // the slot is the hash's upper bits
  std::size_t count_ = 0;
  bool full_ = false;

  void grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    --shift_;
    count_ = 0;
    for (const std::uint64_t hash : old) {
      if (hash != 0) insert(hash);
    }
  }
};

}  // namespace abgate::condense
