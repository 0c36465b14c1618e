#include "progress.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/text.hpp>
#include <abgate/metrics/log_scanner.hpp>
#include <abgate/metrics/traces.hpp>

namespace abgate::runner {
namespace {

constexpr std::size_t block = 256U << 10U;
/// What one poll reads of one log at most: a flood of warnings must not starve the signals.
constexpr std::size_t most_per_poll = 64U << 20U;
/// Longer lines carry no progress.
constexpr std::size_t longest_line = 64U << 10U;

/// The precision of `Running: <Model> - <precision> - pretrain` (FORMATS 4), else nothing.
std::string_view leg_of(std::string_view line) {
  constexpr std::string_view marker = "Running: ";
  const std::size_t at = line.find(marker);
  if (at == std::string_view::npos) return {};
  const std::size_t first = line.find(" - ", at + marker.size());
  if (first == std::string_view::npos) return {};
  const std::size_t second = line.find(" - ", first + 3);
  if (second == std::string_view::npos) return {};
  return text::trim(line.substr(first + 3, second - first - 3));
}

}  // namespace

Progress::Progress(ArtifactStore& store, Observer& observer, std::string phase_directory,
                   Event phase)
    : store_(store),
      observer_(observer),
      directory_(std::move(phase_directory)),
      phase_(std::move(phase)) {}

void Progress::poll(const EngineTick& tick) {
  stepped_ = false;
  spoke_ = tick.output_bytes > engine_bytes_;
  engine_bytes_ = std::max(engine_bytes_, tick.output_bytes);
  read_logs();
  if (!last_progress_ || stepped_ || (spoke_ && !in_iterations_)) last_progress_ = tick.now;
}

std::chrono::seconds Progress::idle(Moment now) const {
  if (!last_progress_) return {};
  return std::chrono::duration_cast<std::chrono::seconds>(now - *last_progress_);
}

std::string Progress::last_seen(Moment now) const {
  return fmt::format("{}, no progress for {}", seen_.empty() ? "no leg started" : seen_,
                     duration::to_human(idle(now)));
}

void Progress::read_logs() {
  const std::string output = directory_ + "/slurm_output";
  const auto files = store_.list_files(output);
  if (!files) return;  // the engine has not made it yet
  for (const std::string& file : *files) {
    const std::string path = fmt::format("{}/{}", output, file);
    const auto name = metrics::parse_log_name(file);
    if (!name || name->error_stream) continue;
    Followed& log = logs_[file];
    for (std::size_t taken = 0; taken < most_per_poll;) {
      const auto bytes = store_.read_range(path, log.offset, block);
      if (!bytes || bytes->empty()) break;
      spoke_ = true;
      log.offset += bytes->size();
      taken += bytes->size();
      std::string_view rest = *bytes;
      for (std::size_t end = rest.find('\n'); end != std::string_view::npos;
           end = rest.find('\n')) {
        log.partial += rest.substr(0, end);
        take_line(log, log.partial);
        log.partial.clear();
        rest.remove_prefix(end + 1);
      }
      log.partial += rest;
      if (log.partial.size() > longest_line) log.partial.resize(longest_line);
    }
  }
}

void Progress::take_line(Followed& log, std::string_view line) {
  if (const std::string_view leg = leg_of(line); !leg.empty()) {
    log.precision = text::printable(leg);
    if (announced_leg_ != log.precision) {
      announced_leg_ = log.precision;
      seen_ = fmt::format("{} started", log.precision);
      stepped_ = true;
      in_iterations_ = false;
      Event event = phase_;
      event.kind = Event::Kind::leg_started;
      event.precision = log.precision;
      observer_.on_event(event);
    }
    return;
  }
  const auto iteration = metrics::parse_iteration_line(line);
  if (!iteration) return;
  std::int64_t& last = last_iteration_[log.precision];
  if (iteration->k <= last) return;  // printed twice, or by two nodes
  last = iteration->k;
  seen_ = fmt::format("{} iteration {}/{}", log.precision, iteration->k, iteration->total);
  stepped_ = true;
  in_iterations_ = iteration->k < iteration->total;
  Event event = phase_;
  event.kind = Event::Kind::iteration;
  event.precision = log.precision;
  event.iteration = iteration->k;
  event.iterations = iteration->total;
  event.tokens = iteration->tokens;
  event.elapsed_ms = iteration->elapsed_ms;
  observer_.on_event(event);
}

}  // namespace abgate::runner
