#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/history/render.hpp>

#include "words.hpp"

namespace abgate::history {
namespace {

/// Cells row by row; columns are as wide as their widest cell.
class Grid {
 public:
  Grid(std::size_t columns, std::size_t rows) : widths_(columns) { cells_.reserve(columns * rows); }

  void add(std::string cell) {
    std::size_t& width = widths_[cells_.size() % widths_.size()];
    width = std::max(width, cell.size());
    cells_.push_back(std::move(cell));
  }

  std::string render() const {
    std::string out;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const std::size_t column = i % widths_.size();
      out += cells_[i];
      if (column + 1 < widths_.size()) {
        out.append(widths_[column] - cells_[i].size() + 2, ' ');
        continue;
      }
      out.erase(out.find_last_not_of(' ') + 1);
      out += '\n';
    }
    return out;
  }

 private:
  std::vector<std::size_t> widths_;
  std::vector<std::string> cells_;
};

std::vector<std::string> precisions_of(const History& history) {
  std::vector<std::string> all;
  for (const Entry& entry : history.entries) {
    for (const Leg& leg : entry.legs) {
      if (std::find(all.begin(), all.end(), leg.precision) == all.end()) {
        all.push_back(leg.precision);
      }
    }
  }
  return all;
}

std::string cell_of(const Entry& entry, const std::string& precision) {
  for (const Leg& leg : entry.legs) {
    if (leg.precision == precision) return ratio_text(leg) + mark_of(leg);
  }
  return "";
}

std::string remark_of(const Entry& entry) {
  if (!entry.reason.empty()) return text::printable(entry.reason);
  return entry.same_build ? "A/A" : "";
}

}  // namespace

std::string render_table(const History& history) {
  if (history.entries.empty()) return "no gates\n";
  const auto precisions = precisions_of(history);
  constexpr std::size_t other_columns = 7;
  Grid grid(precisions.size() + other_columns, history.entries.size() + 1);
  for (const char* head : {"STARTED (UTC)", "VERDICT", "WORKLOAD", "CLUSTER", "NODES"})
    grid.add(head);
  for (const std::string& precision : precisions)
    grid.add(text::printable(precision));
  grid.add("RUN");
  grid.add("REASON");
  bool marked = false;
  for (const Entry& entry : history.entries) {
    grid.add(minute_text(entry.started));
    grid.add(std::string(title(entry.verdict)));
    grid.add(text::printable(entry.workload));
    grid.add(text::printable(entry.cluster));
    grid.add(text::printable(text::join(entry.nodes, ",")));
    for (const std::string& precision : precisions)
      grid.add(cell_of(entry, precision));
    grid.add(entry.run_id);
    grid.add(remark_of(entry));
    marked = marked || std::any_of(entry.legs.begin(), entry.legs.end(),
                                   [](const Leg& leg) { return !mark_of(leg).empty(); });
  }
  std::string out = grid.render() + "\n" + verdicts_text(history) + "\n";
  if (marked) out += "! a ratio below its limit, ? a ratio that is not trusted\n";
  return out;
}

}  // namespace abgate::history
