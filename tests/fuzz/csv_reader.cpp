// perf.csv, the per-model CSV, perf_entry_super.json and phase.json.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <abgate/metrics/rows.hpp>
#include <abgate/metrics/traces.hpp>

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  using namespace abgate::metrics;
  for (const Rows& rows :
       {read_perf_csv(text, "f"), read_model_csv(text, "f", "7"), read_entry_super(text, "f")}) {
    for (const abgate::MetricRow& row : rows.rows) {
      if (row.value && !(std::isfinite(*row.value) && *row.value > 0)) std::abort();
    }
  }
  const auto proof = parse_phase_proof(text, "f");
  if (proof && !parse_phase_proof(render_phase_proof(*proof), "f")) std::abort();
  return 0;
}
