#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/evidence.hpp>

namespace abgate::metrics {

/// Kind of the marker that a line is, or empty: `oom`, `traceback`, `slurm_kill`, `srun_error`,
/// `nccl_timeout`, `profiler`.
std::string_view marker_kind(std::string_view line);

/// One of these stands in every line that is a marker.
std::vector<std::string_view> marker_texts();

/// Markers of one file, at most `limit` of a kind: a crash of 16 ranks says the same 16 times.
class MarkerList {
 public:
  static constexpr int limit = 20;

  void add(Marker marker, std::string_view line);
  std::vector<Marker> take() { return std::move(markers_); }

 private:
  std::vector<Marker> markers_;
  std::map<std::string, int, std::less<>> counts_;
};

/// Printable and at most `max_bytes` long, never cut inside a UTF-8 sequence.
std::string excerpt(std::string_view line, std::size_t max_bytes = 200);

}  // namespace abgate::metrics
