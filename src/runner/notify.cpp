#include <fmt/format.h>

#include <abgate/base/redact.hpp>
#include <abgate/base/secret.hpp>
#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/report/text.hpp>
#include <abgate/runner/gate.hpp>
#include <abgate/runner/notify.hpp>
#include <abgate/runner/run_reasons.hpp>

namespace abgate::runner {
namespace {

Reason not_told(const Notification& notification, const std::string& why) {
  return make_reason(notify_failed,
                     fmt::format("{} was not told: {}", notification.argv.front(), why));
}

/// What the program said, for whoever watches; the record gets none of it.
void pass_on(const std::string& said, const Environment& environment, Observer& observer) {
  Redactor redactor(secret_values(environment));
  const std::string safe = redactor.feed(said) + redactor.finish();
  for (const std::string_view line : text::split(text::trim(safe), '\n')) {
    if (text::trim(line).empty()) continue;
    Event event;
    event.text = "notify: " + std::string(line);
    observer.on_event(event);
  }
}

}  // namespace

std::optional<Reason> notify(const Notification& notification, const GateRecord& record,
                             const Environment& environment, Observer& observer,
                             process::SignalGate& gate) {
  if (notification.argv.empty()) return {};
  if (gate.pending_signal() != 0) return not_told(notification, "the gate was stopped by a signal");
  process::Command command;
  command.argv = notification.argv;
  command.input = notification.record_path;
  command.environment = environment;
  set_variable(command.environment, "ABGATE_VERDICT", std::string(name(record.verdict)));
  set_variable(command.environment, "ABGATE_EXIT_CODE", std::to_string(record.exit_code));
  set_variable(command.environment, "ABGATE_RECORD", notification.record_path);
  set_variable(command.environment, "ABGATE_REPORT", notification.report_path);
  constexpr std::size_t most_output = 4096;
  const process::Captured told =
      process::capture(command, notification.deadline, gate, {}, most_output);
  const auto* exited = std::get_if<process::Exited>(&told.outcome);
  if (exited != nullptr && exited->status == 0) return {};
  pass_on(told.err, environment, observer);
  return not_told(notification, process::describe(told.outcome));
}

std::optional<Reason> notify_from_temporary(Notification notification, const GateRecord& record,
                                            const Environment& environment,
                                            const std::string& temporary, Observer& observer,
                                            process::SignalGate& gate) {
  if (notification.argv.empty()) return {};
  const auto folder = io::make_temporary_directory(temporary);
  if (!folder) return not_told(notification, io::format(folder.error()));
  notification.record_path = *folder + "/" + record_file;
  notification.report_path = *folder + "/" + summary_file;
  auto written = io::write_atomically(notification.record_path, report::render_json(record));
  if (written) {
    written = io::write_atomically(notification.report_path, report::render_text(record));
  }
  std::optional<Reason> failed;
  if (written) {
    failed = notify(notification, record, environment, observer, gate);
  } else {
    failed = not_told(notification, io::format(written.error()));
  }
  io::remove_directory(*folder, {record_file, summary_file});
  return failed;
}

}  // namespace abgate::runner
