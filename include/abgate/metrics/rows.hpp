#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/evidence.hpp>

namespace abgate::metrics {

/// What one results file holds. A file with errors gives no rows: half a file proves nothing.
///
/// How a cell becomes a value: `value` is set for a finite number above zero only (LESSONS 4);
/// counts may be `2` or `2.0` and are set when positive; `precision` is made upper case; `gpus` is
/// `num_gpus`, else `n_gpus`; `job` is the digits of `machine_name` before the first `_`.
struct Rows {
  std::vector<MetricRow> rows;
  Diagnostics diagnostics;
};

/// perf.csv (FORMATS 3). `file` is relative to the phase directory. Errors: bad CSV, one of the
/// columns performance, metric, precision, status missing, a column that is read twice in
/// the header. A header without rows is no error: node 0 of a healthy run has such a file.
Rows read_perf_csv(std::string_view text, const std::string& file);

/// The per-model CSV of a node folder; `job` comes from its path. No column `status` is needed.
Rows read_model_csv(std::string_view text, const std::string& file, const std::string& job);

/// perf_entry_super.json (FORMATS 3): the rows of the last run, `NaN` read as a missing value. A
/// member of `multi_results` wins over one of the row.
Rows read_entry_super(std::string_view text, const std::string& file);

}  // namespace abgate::metrics
