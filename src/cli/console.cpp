#include "console.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::cli {
namespace {

using Kind = runner::Event::Kind;

std::string phase_name(const runner::Event& event) {
  return fmt::format("phase {}/{} {}", event.phase, event.phases, name(event.side));
}

std::string iteration_text(const runner::Event& event, const Estimate& estimate,
                           Estimate::Clock::time_point now) {
  std::string text =
      fmt::format("{}  {}  iteration {}/{}", phase_name(event), text::printable(event.precision),
                  event.iteration, event.iterations);
  if (event.tokens) text += fmt::format("  {} tok/s/GPU", number::fixed(*event.tokens, 1));
  text += fmt::format("  elapsed {}", duration::to_human(estimate.phase_elapsed(now)));
  if (const auto left = estimate.remaining(event, now)) {
    text += fmt::format("  {} ends in about {}", left->of_gate ? "gate" : "leg",
                        duration::to_human(left->time));
  }
  return text;
}

}  // namespace

Console::Console(bool quiet, bool terminal)
    : quiet_(quiet),
      terminal_(terminal),
      log_(std::make_shared<spdlog::logger>("abgate",
                                            std::make_shared<spdlog::sinks::stderr_sink_st>())) {
  log_->set_pattern("%Y-%m-%d %H:%M:%S  %v");
}

Console::~Console() {
  clear_status();
}

void Console::on_event(const runner::Event& event) {
  const auto now = Estimate::Clock::now();
  if (event.kind == Kind::phase_started) estimate_.phase_started(now);
  if (quiet_) return;
  switch (event.kind) {
    case Kind::message:
      line(text::printable(event.text));
      break;
    case Kind::allocation:
      line("slurm: " + text::printable(event.text));
      break;
    case Kind::phase_started:
      line(fmt::format("{} started on {}", phase_name(event), text::printable(event.text)));
      break;
    case Kind::leg_started:
      line(fmt::format("{}  {} started", phase_name(event), text::printable(event.precision)));
      break;
    case Kind::iteration:
      status(iteration_text(event, estimate_, now));
      break;
    case Kind::phase_ended:
      line(fmt::format("{} ended after {}: {}", phase_name(event),
                       duration::to_human(estimate_.phase_elapsed(now)),
                       text::printable(event.text)));
      estimate_.phase_ended(now);
      break;
  }
}

void Console::line(const std::string& text) {
  clear_status();
  log_->info(text);
}

void Console::status(const std::string& text) {
  if (!terminal_) {
    log_->info(text);
    return;
  }
  fmt::print(stderr, "\r\x1b[2K{}", text);
  status_shown_ = true;
}

void Console::clear_status() {
  if (status_shown_) fmt::print(stderr, "\r\x1b[2K");
  status_shown_ = false;
}

void EventWriter::on_event(const runner::Event& event) {
  const std::string text = runner::to_line(event) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace abgate::cli
