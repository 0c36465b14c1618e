#include "estimate.hpp"

#include <algorithm>

namespace abgate::cli {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::seconds;

void Estimate::phase_started(Clock::time_point now) {
  phase_start_ = now;
}

void Estimate::phase_ended(Clock::time_point now) {
  finished_time_ += now - phase_start_;
  ++finished_;
}

seconds Estimate::phase_elapsed(Clock::time_point now) const {
  return duration_cast<seconds>(now - phase_start_);
}

std::optional<Estimate::Remaining> Estimate::remaining(const runner::Event& iteration,
                                                       Clock::time_point now) const {
  if (finished_ > 0) {
    const auto typical = finished_time_ / finished_;
    const auto left = typical * (iteration.phases - finished_) - (now - phase_start_);
    return Remaining{duration_cast<seconds>(std::max(left, Clock::duration{})), true};
  }
  if (!iteration.elapsed_ms) return {};
  const double left_ms =
      *iteration.elapsed_ms * static_cast<double>(iteration.iterations - iteration.iteration);
  // A broken log line could claim an absurd time; a year is more than any gate takes.
  if (!(left_ms >= 0 && left_ms < 366.0 * 86400e3)) return {};
  return Remaining{duration_cast<seconds>(milliseconds(static_cast<std::int64_t>(left_ms))), false};
}

}  // namespace abgate::cli
