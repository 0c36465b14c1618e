#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <abgate/model/terms.hpp>

namespace abgate::runner {

/// What the runner tells whoever watches. The inner process sends its events as JSON lines through
/// salloc's stdout, so that one console renders both.
struct Event {
  enum class Kind { message, allocation, phase_started, leg_started, iteration, phase_ended };
  Kind kind = Kind::message;
  std::string text;  ///< of a message, or how the phase ended
  int phase = 0;     ///< 1-based
  int phases = 0;    ///< in this gate
  Side side = Side::baseline;
  std::string precision;
  std::int64_t iteration = 0;
  std::int64_t iterations = 0;
  std::optional<double> tokens;      ///< tok/s/GPU of this iteration
  std::optional<double> elapsed_ms;  ///< of this iteration
};

/// One line without a newline.
std::string to_line(const Event& event);
/// Nothing for a line that is no event of ours.
std::optional<Event> parse_event(std::string_view line);

}  // namespace abgate::runner
