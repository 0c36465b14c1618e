#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace abgate::metrics {

/// How a logical line came to its end.
struct LineEnd {
  bool terminated = true;  ///< false: the input ended first
  bool overlong = false;   ///< only the head is there
};

/// Cuts bytes that arrive in pieces into lines. `\n` and `\r` both end a line, so that CRLF files
/// and progress bars that overwrite themselves are read alike; only `\n` is counted, as every
/// editor does. A line keeps at most `bound` bytes, the rest is skipped (LESSONS 32).
class LineSplitter {
 public:
  static constexpr std::size_t bound = std::size_t{64} * 1024;

  /// Calls `sink(text, line number, LineEnd)` for every line that ends inside `bytes`.
  template <class Sink>
  void feed(std::string_view bytes, Sink&& sink) {
    while (!bytes.empty()) {
      const std::size_t newline = bytes.find('\n');
      std::string_view part = bytes.substr(0, newline);
      for (std::size_t cr = part.find('\r'); cr != std::string_view::npos; cr = part.find('\r')) {
        end_line(part.substr(0, cr), {}, sink);
        part.remove_prefix(cr + 1);
      }
      if (newline == std::string_view::npos) {
        hold(part);
        open_ = true;
        return;
      }
      end_line(part, {}, sink);
      ++newlines_;
      open_ = false;
      bytes.remove_prefix(newline + 1);
    }
  }

  /// Hands out what stands behind the last line end.
  template <class Sink>
  void finish(Sink&& sink) {
    if (!carry_.empty()) end_line({}, {.terminated = false}, sink);
  }

  /// Whether the last byte was a newline, or there was none yet.
  bool at_line_begin() const { return !open_; }

  /// Counts whole lines that somebody else looked at; only at the begin of a line.
  void skip(std::size_t newlines) { newlines_ += static_cast<std::int64_t>(newlines); }

  /// Lines seen so far; a last one without a newline counts.
  std::int64_t lines() const { return newlines_ + (open_ ? 1 : 0); }

 private:
  std::string carry_;
  bool cut_ = false;
  bool open_ = false;
  std::int64_t newlines_ = 0;

  void hold(std::string_view part) {
    const std::size_t room = bound - carry_.size();
    cut_ = cut_ || part.size() > room;
    carry_ += part.substr(0, room);
  }

  template <class Sink>
  void end_line(std::string_view part, LineEnd end, Sink&& sink) {
    if (carry_.empty()) {
      end.overlong = part.size() > bound;
      sink(part.substr(0, bound), newlines_ + 1, end);
      return;
    }
    hold(part);
    end.overlong = cut_;
    sink(std::string_view(carry_), newlines_ + 1, end);
    carry_.clear();
    cut_ = false;
  }
};

}  // namespace abgate::metrics
