#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/evidence.hpp>

namespace abgate::metrics {

struct Rows {
  std::vector<MetricRow> rows;
  Diagnostics diagnostics;
};

/// perf.csv (FORMATS 3). `file` is relative to the phase directory.
Rows read_perf_csv(std::string_view text, const std::string& file);

/// The per-model CSV of a node folder; `job` comes from its path.
Rows read_model_csv(std::string_view text, const std::string& file, const std::string& job);

}  // namespace abgate::metrics
