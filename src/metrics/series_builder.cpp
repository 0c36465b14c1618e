#include "series_builder.hpp"

#include <algorithm>
#include <map>

namespace abgate::metrics {
namespace {

/// Past this many lines a log is no training log of ours; memory stays bounded (LESSONS 32).
constexpr std::size_t max_lines = 100'000;

/// The key that most items have; of equals the first in order of appearance.
template <class Key, class Items, class KeyOf>
Key most_common(const Items& items, const KeyOf& key_of) {
  std::map<Key, std::size_t> counts;
  for (const auto& item : items)
    ++counts[key_of(item)];
  Key best{};
  std::size_t best_count = 0;
  for (const auto& item : items) {
    const Key key = key_of(item);
    if (counts[key] > best_count) {
      best = key;
      best_count = counts[key];
    }
  }
  return best;
}

}  // namespace

SeriesBuilder::SeriesBuilder(std::string model, std::string precision) {
  series_.model = std::move(model);
  series_.precision = std::move(precision);
}

void SeriesBuilder::add(const IterationLine& line, Location where) {
  if (restarted_) series_.non_monotonic = true;
  if (lines_.size() >= max_lines) {
    ++series_.dropped;
    return;
  }
  if (!seen_.emplace(line.iteration.k, std::hash<std::string_view>{}(line.body)).second) {
    ++series_.duplicates;
    return;
  }
  lines_.push_back({line.iteration, line.last_label, line.last_format, line.closed});
  lines_.back().iteration.where = std::move(where);
}

void SeriesBuilder::set_batch(std::optional<std::int64_t> micro,
                              std::optional<std::int64_t> global) {
  if (micro) series_.micro_batch_size = micro;
  if (global) series_.global_batch_size = global;
}

void SeriesBuilder::drop_if(const std::function<bool(const Line&)>& is_bad) {
  series_.dropped += static_cast<std::int64_t>(std::erase_if(lines_, is_bad));
}

/// All lines of a leg count towards one N; another one is a damaged digit or another run.
void SeriesBuilder::drop_other_totals() {
  const auto total_of = [](const Line& line) { return line.iteration.total; };
  const auto total = most_common<std::int64_t>(lines_, total_of);
  std::map<std::int64_t, std::set<std::int64_t>> others;
  for (const Line& line : lines_) {
    if (total_of(line) != total) others[total_of(line)].insert(line.iteration.k);
  }
  // Two iterations that agree on another total are no damage: the leg was started again.
  for (const auto& [other, iterations] : others) {
    if (iterations.size() > 1) series_.non_monotonic = true;
  }
  drop_if([&](const Line& line) { return total_of(line) != total; });
}

/// A line that stops at a segment at which its neighbours go on is cut. Two lines of one shape
/// that stop alike are a form of the log (warm-up lines lack segments), not a cut.
void SeriesBuilder::drop_other_endings() {
  const auto shape_of = [](const Line& line) {
    return line.last_label + '\n' + line.iteration.shape;
  };
  std::map<std::string, std::size_t> shapes;
  for (const Line& line : lines_)
    ++shapes[shape_of(line)];
  std::vector<const Line*> by_length;
  by_length.reserve(lines_.size());
  for (const Line& line : lines_)
    by_length.push_back(&line);
  // Of two endings that are equally common the longer line is the whole one.
  std::stable_sort(by_length.begin(), by_length.end(), [](const Line* a, const Line* b) {
    return a->iteration.shape.size() > b->iteration.shape.size();
  });
  const auto label =
      most_common<std::string>(by_length, [](const Line* line) { return line->last_label; });
  drop_if([&](const Line& line) {
    const bool memory_ends_it = line.closed && line.iteration.shape.ends_with("hbm");
    return line.last_label != label && !memory_ends_it && shapes[shape_of(line)] < 2;
  });
}

/// A number that ends a line and has fewer digits behind its point than its neighbours is cut.
void SeriesBuilder::drop_other_formats() {
  std::map<std::string, std::vector<std::string>> formats;
  for (const Line& line : lines_) {
    if (!line.closed && !line.last_format.empty()) {
      formats[line.last_label].push_back(line.last_format);
    }
  }
  std::map<std::string, std::string> usual;
  for (auto& [label, list] : formats) {
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    usual[label] = most_common<std::string>(list, [](const std::string& format) { return format; });
  }
  drop_if([&](const Line& line) {
    return !line.closed && !line.last_format.empty() && line.last_format != usual[line.last_label];
  });
}

LegSeries SeriesBuilder::finish(std::string node) {
  series_.node = std::move(node);
  drop_other_totals();
  drop_other_endings();
  drop_other_formats();
  std::set<std::int64_t> seen;
  for (Line& line : lines_) {
    const std::int64_t k = line.iteration.k;
    const bool back = !series_.iterations.empty() && k <= series_.iterations.back().k;
    const bool again = !seen.insert(k).second;
    if (back || again) series_.non_monotonic = true;
    if (!again) series_.iterations.push_back(std::move(line.iteration));
  }
  return std::move(series_);
}

}  // namespace abgate::metrics
