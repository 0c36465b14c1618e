#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/runner/gate.hpp>

#include "history_store.hpp"
#include "output.hpp"

namespace abgate::cli {
namespace {

std::optional<history::Policy> policy_of(const HistoryArguments& arguments, time::Instant now) {
  if (!arguments.keep_days && !arguments.keep_last) {
    print_err("history prune: say what to keep: --keep-days N, --keep-last N, or both\n");
    return {};
  }
  history::Policy policy;
  if (arguments.keep_days) policy.since = now - std::chrono::days(*arguments.keep_days);
  policy.last = arguments.keep_last;
  return policy;
}

/// Removes the folder of a record, or says why it stays.
bool remove_kept(const HistoryArguments& arguments, const std::string& id) {
  const auto removed =
      io::remove_directory(kept_folder(arguments, id), {runner::record_file, runner::summary_file});
  if (removed || removed.error().code == ENOENT) return true;
  print_err(text::printable(io::format(removed.error())) + "; the gate stays in the history\n");
  return false;
}

int say(const std::string& text) {
  return print_out(text) ? exit_code::pass : exit_code::infra;
}

}  // namespace

int prune_history(const HistoryArguments& arguments, time::Instant now) {
  const auto policy = policy_of(arguments, now);
  const auto filter = filter_of(arguments, now);
  if (!policy || !filter) return exit_code::usage;
  const auto history = load_history(arguments);
  if (!history) return exit_code::usage;

  std::vector<std::string> ids = history::expired(*history, *filter, *policy);
  const std::size_t all = history->entries.size();
  if (arguments.dry_run) {
    std::string out;
    for (const std::string& id : ids)
      out += id + "\n";
    return say(out + fmt::format("{} of {} gates would go\n", ids.size(), all));
  }
  const std::size_t wanted = ids.size();
  std::erase_if(ids, [&](const std::string& id) { return !remove_kept(arguments, id); });
  if (!ids.empty()) {
    const auto rewritten =
        io::rewrite_locked(io::absolute(history_path(arguments)),
                           [&](std::string_view text) { return history::without(text, ids); });
    if (!rewritten) {
      print_err(text::printable(io::format(rewritten.error())) +
                "; the records are gone, their lines are not: prune again\n");
      return exit_code::infra;
    }
  }
  const int said = say(fmt::format("{} of {} gates are gone\n", ids.size(), all));
  return ids.size() == wanted ? said : exit_code::infra;
}

}  // namespace abgate::cli
