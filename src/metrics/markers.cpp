#include "markers.hpp"

#include <array>

#include <abgate/base/text.hpp>

namespace abgate::metrics {
namespace {

struct Pattern {
  std::string_view text;
  std::string_view kind;
};

constexpr auto patterns = std::to_array<Pattern>({
    {"torch.OutOfMemoryError", "oom"},
    {"torch.cuda.OutOfMemoryError", "oom"},
    {"HIP out of memory", "oom"},
    {"CUDA out of memory", "oom"},
    {"Traceback (most recent call last)", "traceback"},
    {"slurmstepd: error: ", "slurm_kill"},
    {"srun: error: ", "srun_error"},
    {"Watchdog caught collective operation timeout", "nccl_timeout"},
    {"watchdog thread terminated with exception", "nccl_timeout"},
    // Only what a profiler prints while it works. A config dump, or Primus saying that it patched
    // torch.profiler, also stands in logs of runs without one.
    {"ActivityProfilerController", "profiler"},
    {"export_chrome_trace", "profiler"},
    {"Starting RPD profil", "profiler"},
    {"rofiler started", "profiler"},
    {"trace saved", "profiler"},
    {"Saving profiler trace", "profiler"},
});

}  // namespace

std::string_view marker_kind(std::string_view line) {
  for (const Pattern& pattern : patterns) {
    if (line.find(pattern.text) != line.npos) return pattern.kind;
  }
  return {};
}

std::vector<std::string_view> marker_texts() {
  std::vector<std::string_view> texts;
  texts.reserve(patterns.size());
  for (const Pattern& pattern : patterns)
    texts.push_back(pattern.text);
  return texts;
}

void MarkerList::add(Marker marker, std::string_view line) {
  if (++counts_[marker.kind] > limit) return;
  marker.text = excerpt(line);
  markers_.push_back(std::move(marker));
}

std::string excerpt(std::string_view line, std::size_t max_bytes) {
  // A byte becomes four at most, and what is cut off need not be made printable first.
  std::string out = text::printable(text::trim(line).substr(0, max_bytes));
  if (out.size() <= max_bytes) return out;
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U)
    --end;
  out.resize(end);
  return out;
}

}  // namespace abgate::metrics
