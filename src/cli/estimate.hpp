#pragma once

#include <chrono>
#include <optional>

#include <abgate/runner/event.hpp>

namespace abgate::cli {

/// When will it end? Within the first phase only the end of the leg can be told; after it, phases
/// take about as long as those before.
class Estimate {
 public:
  using Clock = std::chrono::steady_clock;

  void phase_started(Clock::time_point now);
  void phase_ended(Clock::time_point now);
  std::chrono::seconds phase_elapsed(Clock::time_point now) const;

  struct Remaining {
    std::chrono::seconds time{};
    bool of_gate = false;  ///< else of the leg
  };
  std::optional<Remaining> remaining(const runner::Event& iteration, Clock::time_point now) const;

 private:
  Clock::time_point phase_start_{};
  Clock::duration finished_time_{};
  int finished_ = 0;
};

}  // namespace abgate::cli
