#pragma once

#include <optional>
#include <string>
#include <vector>

#include <abgate/model/evidence.hpp>
#include <abgate/model/terms.hpp>

namespace abgate {

/// What a reason does to the gate, in the order of DESIGN 2's precedence.
enum class Weight {
  distrust,    ///< the run as a whole cannot be trusted: NO VERDICT, also over a red ratio
  regression,  ///< a trustworthy ratio below the limit
  infra,       ///< no side is implicated
  leg,         ///< one leg was not measured or cannot be trusted
  note         ///< worth saying, changes nothing
};
std::string_view name(Weight weight);
std::optional<Weight> parse_weight(std::string_view s);

/// Why a gate ended as it did. Codes are stable and documented in docs/reasons.md.
struct Reason {
  std::string code;  ///< `leg-missing`, `candidate-not-proved`, …
  Weight weight = Weight::note;
  std::string message;  ///< one sentence for people
  std::optional<Side> side;
  std::optional<int> phase;  ///< 1-based index
  std::string precision;
  std::string node;
  std::vector<Location>
      evidence;  ///< relative to the phase directory's parent: `2-candidate/perf.csv:3`
  friend bool operator==(const Reason&, const Reason&) = default;
};

/// `pass`, `regression`, `untrusted` (measured, not to be believed), `missing` (not measured).
enum class LegOutcome { pass, regression, untrusted, missing };
std::string_view name(LegOutcome outcome);
std::optional<LegOutcome> parse_leg_outcome(std::string_view s);

/// What an iteration counts for: not at all, as measured, or as measured and out of line.
enum class IterationUse { warm_up, measured, contaminated };
std::string_view name(IterationUse use);  ///< `warm-up`, `measured`, `contaminated`

/// One point of the curve of a leg.
struct SeriesPoint {
  std::int64_t iteration = 0;        ///< k of `iteration k/N`
  std::optional<double> throughput;  ///< tok/s/GPU; nothing when it is not known
  IterationUse use = IterationUse::measured;
  friend bool operator==(const SeriesPoint&, const SeriesPoint&) = default;
};

/// One leg's number in one phase.
struct PhaseValue {
  int phase = 0;
  Side side = Side::baseline;
  std::optional<double> value;
  std::optional<double> harmonic_mean;  ///< of the measured iterations
  std::optional<double> median;
  std::optional<double> spread;  ///< standard deviation / mean of the measured iterations
  std::optional<double> drift;   ///< last third against first third, as a fraction
  std::optional<double> peak_hbm_gb;
  std::optional<double> last_loss;
  std::int64_t measured_iterations = 0;
  std::optional<double> autocorrelation;  ///< of the measured iterations, at lag 1
  std::vector<SeriesPoint> series;        ///< in printed order; thinned when it is very long
};

struct LegResult {
  std::string precision;
  std::string metric;
  std::string unit;
  double max_drop = 0;
  std::optional<double> baseline;  ///< geometric mean over the side's phases
  std::optional<double> candidate;
  std::optional<double> ratio;         ///< candidate / baseline, unrounded
  std::optional<double> median_ratio;  ///< from the series
  std::optional<double> harmonic_ratio;
  LegOutcome outcome = LegOutcome::missing;
  std::vector<PhaseValue> phases;
};

/// The whole comparison: a pure function of configuration and evidence.
struct Scorecard {
  std::vector<LegResult> legs;
  std::vector<Reason> reasons;  ///< most decisive first
  Verdict verdict = Verdict::no_verdict;
  std::optional<MetricSource> source;
};

/// The verdict that reasons and legs amount to, by DESIGN 2's precedence: distrust, regression,
/// infra, leg, else PASS. PASS needs at least one leg, and every leg of outcome pass.
Verdict verdict_of(const std::vector<LegResult>& legs, const std::vector<Reason>& reasons);

/// Most decisive first; stable within one weight.
void sort_by_weight(std::vector<Reason>& reasons);

}  // namespace abgate
