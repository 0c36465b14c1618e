#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "distinct.hpp"
#include "pattern.hpp"

namespace abgate::condense {

/// How a line that stands for a run begins; such a line is never folded itself.
constexpr std::string_view fold_mark = "[abgate] folded ";

/// The run of lines that is being folded.
class Run {
 public:
  bool open() const { return count_ > 0; }
  std::uint64_t count() const { return count_; }

  /// `unit` is the line with its newline and the empty line before it.
  void add(std::string_view unit) {
    ++count_;
    bytes_ += unit.size();
    if (raw_.size() <= longest_fold) raw_ += unit;
  }
  void add_time(std::string_view time);
  void add_host(std::uint64_t hash) { hosts_.insert(hash); }
  void add_rank(std::uint64_t hash) { ranks_.insert(hash); }

  /// The line that stands for the run, or the run itself when it is not longer; empties the run.
  /// The view is valid until the next call. `folded` tells which.
  std::string_view close(std::string_view kind_name, bool& folded);

 private:
  static constexpr std::size_t longest_fold = 512;
  static constexpr std::size_t longest_time = 40;

  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::string raw_;  // as long as it may be shorter than the line
  std::string out_;
  std::string first_time_;
  std::string last_time_;
  Distinct hosts_;
  Distinct ranks_;
};

}  // namespace abgate::condense
