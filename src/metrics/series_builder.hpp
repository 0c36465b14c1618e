#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abgate/model/evidence.hpp>

#include "iteration_line.hpp"

namespace abgate::metrics {

/// Collects the iteration lines of one leg and decides at the end which of them stand. A cut line
/// can look whole by itself; beside its neighbours it does not.
class SeriesBuilder {
 public:
  SeriesBuilder(std::string model, std::string precision);

  const std::string& model() const { return series_.model; }
  const std::string& precision() const { return series_.precision; }

  void add(const IterationLine& line, Location where);
  void add_broken() { ++series_.dropped; }
  /// The leg was started again: iterations that follow belong to another run of it.
  void restart() { restarted_ = true; }
  void set_batch(std::optional<std::int64_t> micro, std::optional<std::int64_t> global);
  void set_profiler() { series_.profiler_lines = true; }

  bool has_lines() const { return !lines_.empty() || series_.dropped > 0; }
  LegSeries finish(std::string node);

 private:
  struct Line {
    Iteration iteration;
    std::string last_label;
    std::string last_format;
    bool closed = false;
  };

  LegSeries series_;
  std::vector<Line> lines_;
  std::set<std::pair<std::int64_t, std::size_t>> seen_;  ///< (k, hash of the text)
  bool restarted_ = false;

  void drop_if(const std::function<bool(const Line&)>& is_bad);
  void drop_other_totals();
  void drop_other_endings();
  void drop_other_formats();
};

}  // namespace abgate::metrics
