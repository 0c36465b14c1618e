#include "console.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/text.hpp>

namespace abgate::cli {
namespace {

using Kind = runner::Event::Kind;

std::size_t terminal_width() {
  constexpr std::size_t usual = 80;
  struct winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

}  // namespace

bool can_redraw(const Environment& environment) {
  const std::string* term = find_variable(environment, "TERM");
  return ::isatty(STDERR_FILENO) != 0 && term != nullptr && !term->empty() && *term != "dumb";
}

Console::Console(bool quiet, bool redraw)
    : quiet_(quiet),
      redraw_(redraw),
      status_(StatusLine::Clock::now()),
      log_(std::make_shared<spdlog::logger>("abgate",
                                            std::make_shared<spdlog::sinks::stderr_sink_st>())) {
  log_->set_pattern("%Y-%m-%d %H:%M:%S  %v");
}

Console::~Console() {
  clear();
}

void Console::on_event(const runner::Event& event) {
  const auto now = StatusLine::Clock::now();
  status_.take(event, now);
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
      if (!redraw_) line(status_.text(now));
      break;
    case Kind::phase_ended:
      line(fmt::format("{} ended after {}: {}", phase_name(event),
                       duration::to_human(status_.phase_elapsed(now)),
                       text::printable(event.text)));
      break;
  }
  draw(now);
}

void Console::on_tick() {
  const auto now = StatusLine::Clock::now();
  if (now - drawn_at_ >= std::chrono::seconds(1)) draw(now);
}

void Console::line(const std::string& text) {
  clear();
  // GitHub reads `##[` anywhere in a line as a command.
  log_->info(text::replace_all(text, "##[", "## ["));
}

void Console::draw(StatusLine::Clock::time_point now) {
  if (quiet_ || !redraw_) return;
  drawn_at_ = now;
  // In the last column the terminal would go to the next line.
  const std::string text = status_.text(now).substr(0, terminal_width() - 1);
  if (text.empty()) {
    clear();
    return;
  }
  fmt::print(stderr, "\r\x1b[2K{}", text);
  std::fflush(stderr);
  drawn_ = true;
}

void Console::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[2K");
  drawn_ = false;
}

void EventWriter::on_event(const runner::Event& event) {
  const std::string text = runner::to_line(event) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace abgate::cli
