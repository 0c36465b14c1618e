#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/compare/compare.hpp>
#include <abgate/compare/reasons.hpp>

namespace abgate::compare {

/// One expected leg in one phase.
struct LegData {
  std::string precision;
  std::vector<const MetricRow*> perf_rows;  ///< of this job, of the workload's metric
  std::vector<const MetricRow*> model_rows;
  std::vector<const MetricRow*> super_rows;  ///< of perf_entry_super.json
  std::vector<const LegSeries*> copies;      ///< every log that prints iterations of this leg
  const LegSeries* series = nullptr;         ///< the longest copy
  std::vector<const Iteration*> measured;    ///< of `series`, after the warm-up
  std::vector<double> throughput;            ///< tok/s/GPU of `measured`, where it is known
  const MetricRow* row = nullptr;  ///< that is scored; stays empty when the series is scored
  std::optional<double> value;     ///< finite and positive, or nothing

  /// Any row of this leg and metric, for what it says about batch sizes.
  const MetricRow* any_row() const;
  std::optional<std::int64_t> total() const;  ///< N of the last iteration `k/N`
};

/// One expected phase. A phase that never ran has empty evidence.
struct PhaseInput {
  const PhaseEvidence* evidence = nullptr;  ///< never null
  int index = 0;
  Side side = Side::baseline;
  bool present = false;
  std::string own_job;        ///< the allocation's job that must have measured; empty when unknown
  std::string job;            ///< the job that the rows and logs must carry; empty when unknown
  std::vector<LegData> legs;  ///< in the order of the expected precisions

  /// Something to believe or to doubt: without a value there is nothing to distrust, and a lost
  /// allocation must stay INFRA.
  bool measured() const;
  /// A run of ours, now or earlier.
  bool ours(const Context& context) const { return context.live || evidence->proof.has_value(); }
};

/// Configuration and evidence, put into the shape in which the checks look at them.
struct Inputs {
  const GateConfig& config;
  const Context& context;
  std::vector<PhaseInput> phases;
  std::vector<const PhaseEvidence*> unexpected;  ///< evidence that the order has no phase for
  std::optional<MetricSource> source;

  std::vector<const PhaseInput*> of(Side side) const;
};

/// Arranges the evidence by the expected set: precisions x phases of the order (LESSONS 1).
/// `source` and the values are still to be found.
Inputs arrange(const GateConfig& config, const std::vector<PhaseEvidence>& phases,
               const Context& context);

/// The limit of a leg: the option's or the workload's.
double max_drop_of(const GateConfig& config, const std::string& precision);

bool same_name(std::string_view a, std::string_view b);  ///< trimmed, without case
double seconds_of(const Iteration& iteration);           ///< 0 when unknown
/// tokens/s/GPU that follow from the elapsed time (FORMATS 4).
std::optional<double> recomputed_tokens(const GateConfig& config, const LegData& leg,
                                        const Iteration& iteration);

// Words for messages and places.
std::string title(const PhaseInput& phase);                      ///< `phase 2 (candidate)`
std::string title(const PhaseInput& phase, const LegData& leg);  ///< `FP8 in phase 2 (candidate)`
std::string base_name(std::string_view directory);
Location place(const PhaseInput& phase, const Location& where);

Reason about(Code code, const PhaseInput& phase, std::string message);
Reason about(Code code, const PhaseInput& phase, const LegData& leg, std::string message);
/// Adds a place, at most eight of them: enough to look, not a flood.
void cite(Reason& reason, const PhaseInput& phase, const Location& where);

using Reasons = std::vector<Reason>;

}  // namespace abgate::compare
