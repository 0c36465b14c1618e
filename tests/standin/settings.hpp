#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/result.hpp>

#include "faults.hpp"
#include "manifest.hpp"

namespace abgate::standin {

/// The forms of an iteration line, by Primus release (FORMATS 4).
enum class Shape { v26_4, v26_5_0, v26_5_1 };

/// One precision of a model: what it prints, and how much work one iteration is.
struct LegProfile {
  std::string precision;
  std::int64_t micro_batch = 0;
  std::int64_t global_batch = 0;
  double work = 1;              ///< units of Workbench for one iteration
  double tflops_per_token = 0;  ///< TFLOP for one token, of the fixtures
  double peak_hbm_gb = 0;
  double profiled_work = 3.2;  ///< factor on the iteration that the profiler records
  double profiler_start = 1.1;
};

struct ModelProfile {
  std::int64_t seq_len = 0;
  std::int64_t iterations = 0;  ///< when PRIMUS_TRAIN_ITERS is not set or ignored
  bool profiler = false;        ///< unless PRIMUS_DISABLE_PROFILE=1
  bool reads_knobs = true;      ///< the model's script hands PRIMUS_* on
  std::vector<LegProfile> legs;
};

/// The values of the fixtures for the two real models; a small one for every other.
ModelProfile profile_of(std::string_view model);

/// Everything that the side's environment decides.
struct Settings {
  ModelProfile profile;
  std::int64_t iterations = 0;
  bool profiler = false;
  Shape shape = Shape::v26_4;
  double work_scale = 1;
  std::map<std::string, double, std::less<>> slowdown;  ///< by precision
  Faults faults;
  bool nccl_info = false;
  bool tagged = false;  ///< names carry `_<time>_<hex>` (FORMATS 2)
  std::string library_override;

  double slowdown_of(std::string_view precision) const;
};

/// `ABGATE_STANDIN_*` come from the container's variables, else from the process environment;
/// PRIMUS_* and NCCL_* only from the container's, as in the real thing.
Result<Settings, std::string> read_settings(const Manifest& manifest);

/// The faults alone, for a manifest that is refused.
Result<Faults, std::string> read_faults(const StringPairs& container_env);

}  // namespace abgate::standin
