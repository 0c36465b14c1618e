#include "status_line.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::cli {
namespace {

using Kind = runner::Event::Kind;

/// The first iterations of a leg are slow; a median does not mind them.
double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::string phase_name(const runner::Event& event) {
  return fmt::format("phase {}/{} {}", event.phase, event.phases, name(event.side));
}

void StatusLine::take(const runner::Event& event, Clock::time_point now) {
  switch (event.kind) {
    case Kind::message:
      break;
    case Kind::allocation:
      if (state_ == State::idle) state_ = State::waiting;
      break;
    case Kind::phase_started:
      state_ = State::phase;
      phase_ = event;
      iteration_.reset();
      estimate_.phase_started(now);
      break;
    case Kind::leg_started:
      leg_.clear();
      break;
    case Kind::iteration:
      if (iteration_ && iteration_->precision != event.precision) leg_.clear();
      iteration_ = event;
      if (!event.tokens) break;
      leg_.push_back(*event.tokens);
      if (event.side == Side::baseline) baseline_[event.precision].push_back(*event.tokens);
      break;
    case Kind::phase_ended:
      state_ = State::idle;
      estimate_.phase_ended(now);
      break;
  }
}

std::string StatusLine::text(Clock::time_point now) const {
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - start_);
  switch (state_) {
    case State::idle:
      return "";
    case State::waiting:
      return "waiting for nodes  elapsed " + duration::to_human(elapsed);
    case State::phase:
      break;
  }
  if (iteration_) return leg_text(now);
  return fmt::format("{}  elapsed {}", phase_name(phase_),
                     duration::to_human(estimate_.phase_elapsed(now)));
}

std::string StatusLine::leg_text(Clock::time_point now) const {
  const runner::Event& event = *iteration_;
  std::string out =
      fmt::format("{}  {}  iteration {}/{}", phase_name(event), text::printable(event.precision),
                  event.iteration, event.iterations);
  if (event.tokens) out += fmt::format("  {} tok/s/GPU", number::fixed(*event.tokens, 1));
  out += against_baseline();
  out += fmt::format("  elapsed {}", duration::to_human(estimate_.phase_elapsed(now)));
  if (const auto left = estimate_.remaining(event, now)) {
    out += fmt::format("  {} ends in about {}", left->of_gate ? "gate" : "leg",
                       duration::to_human(left->time));
  }
  return out;
}

std::string StatusLine::against_baseline() const {
  const auto baseline = baseline_.find(iteration_->precision);
  if (iteration_->side == Side::baseline || baseline == baseline_.end() || leg_.empty()) return "";
  const double change = median_of(leg_) / median_of(baseline->second) - 1;
  return fmt::format(" ({} against the baseline so far)", number::signed_percent(change * 100, 2));
}

}  // namespace abgate::cli
