#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings.hpp"

namespace abgate::standin {

using Cells = std::vector<std::string>;

/// The per-model CSV that Primus's report script writes (FORMATS 3).
struct ModelCsv {
  Cells header;
  std::vector<Cells> rows;

  static ModelCsv empty();
  /// Plain text; no cell of this file ever needs quoting.
  std::string text() const;
  static std::optional<ModelCsv> read(const std::filesystem::path& path);
};

/// A leg's values, as the last iteration line printed them.
struct LegValues {
  double tokens = 0;
  double tflops = 0;
  double tokens_average = 0;
  double tflops_average = 0;
};

void add_leg(ModelCsv& csv, std::string_view model, const LegProfile& leg, std::int64_t seq_len,
             std::int64_t gpus, const LegValues& values);

/// The "unsupported configuration" branch: throws away what was there (FORMATS 3).
void replace_by_unsupported(ModelCsv& csv, std::string_view model, const LegProfile& leg,
                            std::int64_t seq_len, std::int64_t gpus);

/// Rows of perf.csv and perf_entry_super.json for one run.
struct Results {
  Cells header;
  std::vector<Cells> rows;
};

/// `machine_name` is the deployment's tag.
Results make_results(const Manifest& manifest, const ModelCsv& csv, std::string_view machine_name);

/// Changes the rows as the faults ask: duplicates, an older run's rows above, a failed row.
void apply_faults(Results& results, const Faults& faults);

/// Appends to a perf.csv that is there. False when its columns differ or it can't be written.
bool attach(const std::filesystem::path& perf_csv, const Results& results);

std::string super_json(const Results& results);

}  // namespace abgate::standin
