#pragma once

#include <memory>
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
  std::vector<Marker> markers;
  std::int64_t lines = 0;
  std::int64_t overlong_lines = 0;  ///< lines past the bound, of which only the head was looked at
};

/// Reads a node log as bytes, in pieces of any size, in bounded memory and linear time (LESSONS
/// 32). The result does not depend on where the pieces are cut.
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

/// Reads one line of training output for the progress display; nothing when it is no iteration
/// line.
std::optional<Iteration> parse_iteration_line(std::string_view line);

}  // namespace abgate::metrics
