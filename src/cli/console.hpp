#pragma once

#include <memory>
#include <string>

#include <abgate/model/config.hpp>
#include <abgate/runner/ports.hpp>

#include "status_line.hpp"

namespace spdlog {
class logger;
}

namespace abgate::cli {

/// True when stderr is a terminal on which a line can be written again.
bool can_redraw(const Environment& environment);

/// Shows a running gate on stderr: time-stamped lines, and on a terminal one line that is rewritten
/// in place, cut to its width. No colours.
class Console : public runner::Observer {
 public:
  Console(bool quiet, bool redraw);
  ~Console() override;
  void on_event(const runner::Event& event) override;
  void on_tick() override;

 private:
  void line(const std::string& text);
  void draw(StatusLine::Clock::time_point now);
  void clear();

  bool quiet_;
  bool redraw_;
  bool drawn_ = false;
  StatusLine::Clock::time_point drawn_at_{};
  StatusLine status_;
  std::shared_ptr<spdlog::logger> log_;
};

/// Sends events as JSON lines on stdout: how the inner process speaks to the outer one.
class EventWriter : public runner::Observer {
 public:
  void on_event(const runner::Event& event) override;
};

}  // namespace abgate::cli
