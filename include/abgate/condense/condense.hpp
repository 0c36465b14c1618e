#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/diagnostic.hpp>

namespace abgate::condense {

/// A kind of line that comes again and again. `pattern` is the whole line: `#` stands for digits,
/// `*` for visible text without blanks up to the byte that follows in the pattern, `{time}` for a
/// time, `{host}` for a name like `*`, `{pid}` for digits that tell ranks of one host apart.
/// Every other byte stands for itself.
struct Kind {
  std::string name;  ///< one printable word, for the line that replaces a run
  std::string pattern;
};

/// RCCL's deprecation warnings (FORMATS 5).
std::vector<Kind> shipped_kinds();

/// What is wrong with a pattern, or nothing. It must hold at least eight bytes in a row that stand
/// for themselves, or it would be looked for everywhere.
std::string problem_of(const Kind& kind);

struct Options {
  std::vector<Kind> kinds = shipped_kinds();  ///< each without a problem
  /// Above 0: also folds lines that are equal but for numbers, times, hosts and addresses, from
  /// the one on that comes behind this many of them.
  std::int64_t auto_above = 0;
  /// Texts; a line that holds one of them is no line for `auto_above`.
  std::vector<std::string> keep;
};

/// What condensing one text came to.
struct Totals {
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t lines_folded = 0;  ///< without the empty ones that went with them
  std::uint64_t runs = 0;          ///< lines that were written in their place

  Totals& operator+=(const Totals& other);
};

/// Folds runs of lines of one kind in a text that arrives in pieces of any size; the result does
/// not depend on where these are cut, and memory does not grow with the text (LESSONS 31, 32).
///
/// The first line of each kind stays, and so does everything that is no line of a kind, byte for
/// byte and in order. A later run of lines of one kind, with the empty line before each of them,
/// becomes one line:
///
///     [abgate] folded 777599 lines of rccl-alltoallv from <time> to <time>, 1 host, 8 ranks
///
/// A run that is not longer than this line stays too, so the text never grows. Condensing the
/// result again changes nothing. A last line without a newline may not be complete: it stays.
class Condenser {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// The sink gets the result in pieces; a view is valid during the call only.
  Condenser(Options options, Sink sink);
  ~Condenser();
  Condenser(const Condenser&) = delete;
  Condenser& operator=(const Condenser&) = delete;

  void feed(std::string_view bytes);
  /// Call once, at the end.
  Totals finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abgate::condense
