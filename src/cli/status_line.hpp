#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <abgate/runner/event.hpp>

#include "estimate.hpp"

namespace abgate::cli {

/// What a running gate is doing, in one line: phase, leg, iteration, throughput against the
/// baseline so far, time gone and left.
class StatusLine {
 public:
  using Clock = Estimate::Clock;
  explicit StatusLine(Clock::time_point start) : start_(start) {}

  void take(const runner::Event& event, Clock::time_point now);
  /// Empty while there is nothing to say.
  std::string text(Clock::time_point now) const;
  std::chrono::seconds phase_elapsed(Clock::time_point now) const {
    return estimate_.phase_elapsed(now);
  }

 private:
  std::string leg_text(Clock::time_point now) const;
  std::string against_baseline() const;

  enum class State { idle, waiting, phase };
  State state_ = State::idle;
  Clock::time_point start_;
  Estimate estimate_;
  runner::Event phase_;
  std::optional<runner::Event> iteration_;
  std::map<std::string, std::vector<double>> baseline_;  ///< tok/s/GPU by precision
  std::vector<double> leg_;                              ///< of the running leg
};

/// `phase 1/2 baseline`.
std::string phase_name(const runner::Event& event);

}  // namespace abgate::cli
