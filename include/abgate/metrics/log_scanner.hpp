#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/evidence.hpp>

namespace abgate::metrics {

/// Everything that one pass over one node log yields.
struct LogFindings {
  std::vector<LegSeries> series;
  std::vector<RcclBanner> banners;
  std::vector<TransportLine> transports;
  std::vector<std::string> legs_started;
  std::vector<Marker> markers;  ///< at most 20 of a kind
  std::string host;  ///< of `MACHINE NAME is x` or of the first banner; empty when none named it
  std::int64_t lines = 0;
  std::int64_t overlong_lines = 0;  ///< lines past the bound, of which only the head was looked at
};

/// Reads a node log as bytes, in pieces of any size, in bounded memory and linear time (LESSONS
/// 32). The result does not depend on where the pieces are cut. Lines end at `\n` or `\r`; `\n`
/// alone is counted. Of a line longer than 64 KiB only the head is looked at.
///
/// Iteration lines (FORMATS 4): a line is kept when every segment parses, the elapsed time and the
/// instantaneous values are finite and positive, 1 <= k <= N, and it ends like its neighbours. All
/// others are `dropped`, never guessed at. An average that is not a positive number is left out;
/// a loss or norm that is not finite is present without a value. The same text printed again is a
/// duplicate; another text for a k that was seen, or a leg that is started again, makes the series
/// non-monotonic, and the first text stays. Lines before any `Running:` have an empty precision.
///
/// Iteration lines come from the last node, a profiler may announce itself on the first: look at
/// the markers of kind `profiler` of every node beside `LegSeries::profiler_lines`.
class LogScanner {
 public:
  /// `file` is relative to the phase directory; `node_index` comes from its name.
  LogScanner(std::string file, std::string node_index);
  ~LogScanner();
  LogScanner(const LogScanner&) = delete;
  LogScanner& operator=(const LogScanner&) = delete;

  void feed(std::string_view bytes);
  /// Call once: also takes a last line that has no newline.
  LogFindings finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// A line of a log that holds none of these, colours left out, adds nothing to LogFindings.
std::vector<std::string> texts_that_count();

/// Reads one whole line of training output for the progress display; nothing when it is no
/// iteration line or one that is visibly cut or glued.
std::optional<Iteration> parse_iteration_line(std::string_view line);

}  // namespace abgate::metrics
