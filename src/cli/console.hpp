#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <abgate/runner/ports.hpp>

#include "estimate.hpp"

namespace spdlog {
class logger;
}

namespace abgate::cli {

/// Shows a running gate on stderr: time-stamped lines, and on a terminal one line that is rewritten
/// with every iteration.
class Console : public runner::Observer {
 public:
  Console(bool quiet, bool terminal);
  ~Console() override;
  void on_event(const runner::Event& event) override;

 private:
  void line(const std::string& text);
  void status(const std::string& text);
  void clear_status();

  bool quiet_;
  bool terminal_;
  bool status_shown_ = false;
  Estimate estimate_;
  std::shared_ptr<spdlog::logger> log_;
};

/// Sends events as JSON lines on stdout: how the inner process speaks to the outer one.
class EventWriter : public runner::Observer {
 public:
  void on_event(const runner::Event& event) override;
};

}  // namespace abgate::cli
