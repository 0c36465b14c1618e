#include "history_store.hpp"

#include <cstdint>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/runner/gate.hpp>

#include "output.hpp"

namespace abgate::cli {
namespace {

/// A date, a time, or an age such as `28d`.
std::optional<time::Instant> parse_since(const std::string& since, time::Instant now) {
  if (const auto instant = time::parse_rfc3339(since)) return instant;
  if (const auto midnight = time::parse_rfc3339(since + "T00:00:00Z")) return midnight;
  if (const auto age = duration::parse(since)) return now - *age;
  return {};
}

}  // namespace

std::string history_path(const HistoryArguments& arguments) {
  return arguments.results_dir + "/" + runner::history_file;
}

std::string kept_folder(const HistoryArguments& arguments, const std::string& id) {
  return fmt::format("{}/{}/{}", arguments.results_dir, runner::runs_folder, id);
}

std::optional<history::History> load_history(const HistoryArguments& arguments) {
  const std::string path = history_path(arguments);
  if (!io::is_directory(arguments.results_dir)) {
    print_err(
        fmt::format("--results-dir: {} is no directory\n", text::printable(arguments.results_dir)));
    return {};
  }
  if (!io::exists(path)) return history::History{};
  const auto text = io::read_file(path, UINT64_MAX);
  if (!text) {
    print_err(text::printable(io::format(text.error())) + "\n");
    return {};
  }
  history::History history = history::parse_history(*text);
  if (!history.damaged.empty()) {
    print_err(text::printable(fmt::format("{}: {}", path, history::damage_text(history.damaged))) +
              "\n");
  }
  return history;
}

std::optional<history::Filter> filter_of(const HistoryArguments& arguments, time::Instant now) {
  history::Filter filter;
  filter.workload = arguments.workload;
  filter.cluster = arguments.cluster;
  filter.precision = arguments.precision;
  filter.last = arguments.last;
  for (const std::string& verdict : arguments.verdicts) {
    if (const auto known = parse_verdict(verdict)) filter.verdicts.push_back(*known);
  }
  if (arguments.since.empty()) return filter;
  filter.since = parse_since(arguments.since, now);
  if (filter.since) return filter;
  print_err(
      fmt::format("--since: \"{}\" is no date; write 2026-11-01, 2026-11-01T10:00:00Z or an "
                  "age such as 28d\n",
                  text::printable(arguments.since)));
  return {};
}

}  // namespace abgate::cli
