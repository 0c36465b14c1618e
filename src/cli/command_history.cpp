#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/history/render.hpp>
#include <abgate/io/files.hpp>
#include <abgate/runner/disk_store.hpp>

#include "commands.hpp"
#include "history_store.hpp"
#include "output.hpp"

namespace abgate::cli {
namespace {

using Action = HistoryArguments::Action;

std::string render(const history::History& history, const HistoryArguments& arguments) {
  const bool trend = arguments.action == Action::trend;
  if (arguments.format == "html") return history::render_page(history);
  if (arguments.format == "csv") return history::render_csv(history);
  if (arguments.format == "json") {
    return trend ? history::render_trend_json(history) : history::render_json(history);
  }
  return trend ? history::render_trend(history) : history::render_table(history);
}

int view(const HistoryArguments& arguments, time::Instant now) {
  const auto filter = filter_of(arguments, now);
  if (!filter) return exit_code::usage;
  auto history = load_history(arguments);
  if (!history) return exit_code::usage;
  history::apply(*filter, *history);
  return print_out(render(*history, arguments)) ? exit_code::pass : exit_code::infra;
}

/// The one id that begins so; nothing when there is none or more than one, which has been said.
std::optional<std::string> find_id(const HistoryArguments& arguments) {
  const auto history = load_history(arguments);
  if (!history) return {};
  std::vector<std::string> found;
  std::vector<std::string> all;
  for (const history::Entry& entry : history->entries) {
    if (entry.run_id == arguments.id) return entry.run_id;
    if (entry.run_id.starts_with(arguments.id)) found.push_back(entry.run_id);
    all.push_back(entry.run_id);
  }
  if (found.size() == 1) return found.front();
  const std::string id = text::printable(arguments.id);
  if (found.empty()) {
    print_err(fmt::format("no gate {} is in {}{}\n", id, text::printable(history_path(arguments)),
                          text::did_you_mean(arguments.id, all)));
  } else {
    print_err(fmt::format("{} gates begin with {}: {}, {}{}\n", found.size(), id, found[0],
                          found[1], found.size() > 2 ? ", …" : ""));
  }
  return {};
}

int show(const Arguments& arguments, const World& world) {
  const auto id = find_id(arguments.history);
  if (!id) return exit_code::usage;
  Arguments report = arguments;
  report.target = kept_folder(arguments.history, *id);
  return report_command(report, world);
}

}  // namespace

int history_command(const Arguments& arguments, const World& world) {
  const time::Instant now = runner::SystemClock().now();
  switch (arguments.history.action) {
    case Action::show:
      return show(arguments, world);
    case Action::prune:
      return prune_history(arguments.history, now);
    case Action::list:
    case Action::trend:
    case Action::export_all:
      break;
  }
  return view(arguments.history, now);
}

}  // namespace abgate::cli
