#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/history/history.hpp>

namespace abgate::history {
namespace {

/// Calls `take(line, number)` for every line that is not empty; the line ends before its newline.
template <class Take>
void each_line(std::string_view text, const Take& take) {
  for (std::int64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!text::trim(line).empty()) take(line, number);
  }
}

/// Gates end, and write their lines, in another order than they start.
void sort_by_start(std::vector<Entry>& entries) {
  using Key = std::pair<time::Instant, std::size_t>;
  std::vector<Key> keys;
  keys.reserve(entries.size());
  time::Instant latest{};
  for (const Entry& entry : entries) {
    latest = entry.started.value_or(latest);
    keys.emplace_back(latest, keys.size());
  }
  if (std::is_sorted(keys.begin(), keys.end())) return;
  std::sort(keys.begin(), keys.end());
  std::vector<Entry> sorted;
  sorted.reserve(entries.size());
  for (const Key& key : keys)
    sorted.push_back(std::move(entries[key.second]));
  entries = std::move(sorted);
}

}  // namespace

History parse_history(std::string_view text) {
  History history;
  each_line(text, [&](std::string_view line, std::int64_t number) {
    auto entry = parse_line(line);
    if (entry) {
      history.entries.push_back(std::move(*entry));
    } else {
      history.damaged.push_back({number, std::move(entry).error()});
    }
  });
  sort_by_start(history.entries);
  return history;
}

std::string damage_text(const std::vector<DamagedLine>& damaged) {
  if (damaged.empty()) return "";
  constexpr std::size_t most = 10;
  std::string numbers;
  for (std::size_t i = 0; i < std::min(most, damaged.size()); ++i)
    numbers += fmt::format("{}{}", i == 0 ? "" : ", ", damaged[i].number);
  if (damaged.size() > most) numbers += fmt::format(" and {} more", damaged.size() - most);
  return fmt::format("{} damaged {} skipped: {}", damaged.size(),
                     damaged.size() == 1 ? "line was" : "lines were", numbers);
}

bool matches(const Entry& entry, const Filter& filter) {
  if (!filter.workload.empty() && entry.workload != filter.workload) return false;
  if (!filter.cluster.empty() && entry.cluster != filter.cluster) return false;
  if (filter.since && (!entry.started || *entry.started < *filter.since)) return false;
  const auto& wanted = filter.verdicts;
  if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), entry.verdict) == wanted.end()) {
    return false;
  }
  return filter.precision.empty() ||
         std::any_of(entry.legs.begin(), entry.legs.end(),
                     [&](const Leg& leg) { return leg.precision == filter.precision; });
}

void apply(const Filter& filter, History& history) {
  auto& entries = history.entries;
  std::erase_if(entries, [&](const Entry& entry) { return !matches(entry, filter); });
  if (filter.last && entries.size() > static_cast<std::size_t>(*filter.last)) {
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(*filter.last));
  }
  if (filter.precision.empty()) return;
  for (Entry& entry : entries) {
    std::erase_if(entry.legs, [&](const Leg& leg) { return leg.precision != filter.precision; });
  }
}

std::vector<std::string> expired(const History& history, const Filter& filter,
                                 const Policy& policy) {
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> newer;
  std::set<std::string_view> kept;
  std::vector<std::string> ids;
  for (std::size_t left = history.entries.size(); left > 0; --left) {
    const Entry& entry = history.entries[left - 1];
    bool stays = !matches(entry, filter);
    if (!stays) {
      const std::int64_t rank = newer[{entry.workload, entry.cluster}]++;
      stays = (policy.since && (!entry.started || *entry.started >= *policy.since)) ||
              (policy.last && rank < *policy.last);
    }
    if (stays) {
      kept.insert(entry.run_id);
    } else {
      ids.push_back(entry.run_id);
    }
  }
  // An id that stands twice names one folder: one line that stays keeps it.
  std::erase_if(ids, [&](const std::string& id) { return kept.contains(id); });
  std::reverse(ids.begin(), ids.end());
  return ids;
}

std::string without(std::string_view text, const std::vector<std::string>& ids) {
  const std::set<std::string_view> gone(ids.begin(), ids.end());
  std::string kept;
  each_line(text, [&](std::string_view line, std::int64_t /*number*/) {
    const auto entry = parse_line(line);
    if (entry && gone.contains(entry->run_id)) return;
    kept += line;
    kept += '\n';
  });
  return kept;
}

}  // namespace abgate::history
