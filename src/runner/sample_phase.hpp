#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <abgate/model/terms.hpp>

namespace abgate::runner {

/// One leg of a made-up phase, as Primus would have run it.
struct SampleLeg {
  std::string precision = {};
  std::int64_t micro_batch = 0;
  std::int64_t global_batch = 2048;
  double base_ms = 0;  ///< of a measured iteration
  std::int64_t iterations = 15;
  std::int64_t stopped_at = 0;   ///< the last iteration that is printed; 0: all
  std::int64_t profiled_at = 0;  ///< an iteration that took 3.2 times as long; 0: none
  bool nan_loss = false;
  std::int64_t skipped = 0;
  std::string value = {};  ///< in place of the average in the CSVs; empty: the real one
};

/// A phase directory of madengine in the forms of FORMATS 1 to 5, held in memory: the smallest one
/// that every check of the judge has something to look at.
struct SamplePhase {
  std::string job = "101";
  int index = 0;  ///< of a gate's own phase, whose phase.json is there; 0: madengine output alone
  Side side = Side::baseline;  ///< that phase.json names
  std::string image = "rocm/primus:v26.4";
  std::vector<std::string> hosts{"node-a", "node-b"};
  std::vector<std::string> builds{"2.27.7-HEAD:0d2c4fd", "2.27.7-HEAD:0d2c4fd"};  ///< by node
  bool sockets = false;
  std::vector<SampleLeg> legs{{.precision = "BF16", .micro_batch = 2, .base_ms = 65000},
                              {.precision = "FP8", .micro_batch = 1, .base_ms = 116000}};
  int exit = 0;
  bool rows = true;         ///< false: perf.csv and the CSVs of the nodes hold a header alone
  std::string row_job;      ///< of the rows; empty: `job`
  std::string engine_says;  ///< another line of engine.log
  double wobble = 1;        ///< makes the times of one phase another phase's
};

/// Paths relative to the phase directory, and texts.
std::map<std::string, std::string> phase_files(const SamplePhase& phase);

/// The names that the sample's files use.
inline constexpr const char* sample_model = "GPT-OSS-120B";
inline constexpr const char* sample_card = "primus_pyt_megatron_lm_train_gpt-oss-120b";
inline constexpr const char* sample_results = "perf_primus-megatron-GPT-OSS-120B.csv";

}  // namespace abgate::runner
