#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "evidence_builder.hpp"

using namespace abgate;
using namespace abgate::compare::test;

namespace {

/// One thing that goes wrong in a healthy gate, and what must be said about it.
struct Mutation {
  const char* title;
  const char* code;
  Weight weight;
  std::function<void(Gate&)> apply;
};

void PrintTo(const Mutation& mutation, std::ostream* out) {
  *out << mutation.title;
}

void each_row(PhaseEvidence& phase, const std::function<void(MetricRow&)>& change) {
  for (auto* file : {&phase.perf_csv, &phase.model_csv}) {
    for (MetricRow& row : *file)
      change(row);
  }
}

void set_raw(Gate& gate, const std::string& raw, std::optional<double> value) {
  MetricRow& row = compare::test::row(gate.candidate(), "FP8");
  row.performance = raw;
  row.value = value;
}

void truncate_series(LegSeries& series, std::size_t count) {
  series.iterations.resize(count);
}

Iteration& nth(PhaseEvidence& phase, const std::string& precision, std::size_t k) {
  return series(phase, precision).iterations.at(k - 1);
}

void slow_iteration(PhaseEvidence& phase, const std::string& precision, std::size_t k,
                    double factor) {
  std::vector<double> times;
  for (const Iteration& iteration : series(phase, precision).iterations)
    times.push_back(*iteration.elapsed_ms);
  times.at(k - 1) *= factor;
  set_times(phase, precision, times);
}

void set_builds(PhaseEvidence& phase, const std::string& build) {
  for (RcclBanner& banner : phase.banners)
    banner.version = build;
}

void sockets(PhaseEvidence& phase, const std::string& kind) {
  phase.transports = {{{"slurm_output/x_node_1.out", 9}, "1", "BF16", kind}};
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

const std::vector<Mutation>& missing_results() {
  static const std::vector<Mutation> list{
      {"FP8 missing on the candidate", "leg-missing", Weight::leg,
       [](Gate& g) { erase_leg(g.candidate(), "FP8"); }},
      {"FP8 missing on the baseline", "leg-missing", Weight::leg,
       [](Gate& g) { erase_leg(g.baseline(), "FP8"); }},
      {"FP8 missing on both sides", "leg-missing", Weight::leg,
       [](Gate& g) {
         erase_leg(g.baseline(), "FP8");
         erase_leg(g.candidate(), "FP8");
       }},
      {"all rows missing everywhere", "engine-silent", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases) {
           erase_leg(p, "BF16");
           erase_leg(p, "FP8");
         }
       }},
      {"the metric is another one", "leg-missing", Weight::leg,
       [](Gate& g) { g.config.workload.metric = "tokens_per_year"; }},
      {"the candidate phase never ran", "leg-missing", Weight::leg,
       [](Gate& g) { g.phases.pop_back(); }},
      {"the baseline phase never ran", "leg-missing", Weight::leg,
       [](Gate& g) { g.phases.erase(g.phases.begin()); }},
      {"nothing ran", "leg-missing", Weight::leg, [](Gate& g) { g.phases.clear(); }},
      {"the second baseline of aba never ran", "leg-missing", Weight::leg,
       [](Gate& g) { g.config.order = Order::aba; }},
      {"no precision is expected", "leg-missing", Weight::leg,
       [](Gate& g) { g.config.workload.precisions.clear(); }},
      {"a FAILURE row", "row-not-success", Weight::leg,
       [](Gate& g) { row(g.candidate(), "FP8").status = "FAILURE"; }},
      {"a SKIPPED row", "row-not-success", Weight::leg,
       [](Gate& g) { row(g.baseline(), "BF16").status = "SKIPPED"; }},
      {"an empty status", "row-not-success", Weight::leg,
       [](Gate& g) { row(g.baseline(), "BF16").status.clear(); }},
      {"a FAILURE row on both sides", "row-not-success", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           row(p, "FP8").status = "FAILURE";
       }},
      {"a FAILURE row without precision", "row-not-success", Weight::leg,
       [](Gate& g) {
         MetricRow failure;
         failure.status = "FAILURE";
         failure.job = "42";
         failure.where = {"perf.csv", 2};
         g.candidate().perf_csv.push_back(failure);
       }},
      {"elsewhere: a FAILURE row of the phase's job", "row-not-success", Weight::leg,
       [](Gate& g) {
         g = foreign_gate();
         MetricRow failure;
         failure.status = "FAILURE";
         failure.job = "42";
         g.candidate().perf_csv.push_back(failure);
       }},
      {"a FAILURE row that a fallback would hide", "row-not-success", Weight::leg,
       [](Gate& g) {
         erase_rows(g.candidate().perf_csv, "FP8");
         row(g.candidate(), "BF16").status = "FAILURE";
       }},
      {"a duplicate row that a fallback would hide", "duplicate-rows", Weight::distrust,
       [](Gate& g) {
         erase_rows(g.candidate().perf_csv, "FP8");
         g.candidate().perf_csv.push_back(row(g.candidate(), "BF16"));
       }},
      {"perf.csv was refused", "evidence-unreadable", Weight::leg,
       [](Gate& g) {
         g.candidate().perf_csv.clear();
         g.candidate().problems = {{Severity::error, "perf.csv", {7, 0}, "", "ragged row", ""}};
       }},
  };
  return list;
}

const std::vector<Mutation>& bad_values() {
  static const std::vector<Mutation> list{
      {"NaN", "value-not-usable", Weight::leg, [](Gate& g) { set_raw(g, "nan", nan); }},
      {"inf", "value-not-usable", Weight::leg, [](Gate& g) { set_raw(g, "inf", inf); }},
      {"zero", "value-not-usable", Weight::leg, [](Gate& g) { set_raw(g, "0", 0.0); }},
      {"negative", "value-not-usable", Weight::leg, [](Gate& g) { set_raw(g, "-4511", -4511.0); }},
      {"an empty cell", "value-not-usable", Weight::leg, [](Gate& g) { set_raw(g, "", {}); }},
      {"out of range", "value-not-usable", Weight::leg, [](Gate& g) { set_raw(g, "1e999", {}); }},
      {"trailing junk", "value-not-usable", Weight::leg, [](Gate& g) { set_raw(g, "4511x", {}); }},
      {"a ratio that overflows", "value-not-usable", Weight::leg,
       [](Gate& g) {
         set_value(g.baseline(), "FP8", 1e-300);
         set_value(g.candidate(), "FP8", 1e300);
       }},
      {"a duplicate row", "duplicate-rows", Weight::distrust,
       [](Gate& g) { g.candidate().perf_csv.push_back(row(g.candidate(), "BF16")); }},
      {"a second row with another value", "duplicate-rows", Weight::distrust,
       [](Gate& g) {
         MetricRow second = row(g.candidate(), "BF16");
         second.value = *second.value * 1.1;
         second.performance = "9999";
         g.candidate().perf_csv.insert(g.candidate().perf_csv.begin(), second);
       }},
      {"node folders that disagree", "duplicate-rows", Weight::distrust,
       [](Gate& g) {
         erase_rows(g.candidate().perf_csv, "FP8");
         MetricRow& second = *rows(g.candidate().model_csv, "FP8").at(1);
         second.performance = "4000";
         second.value = 4000;
       }},
      {"perf.csv and model CSV differ", "sources-disagree", Weight::leg,
       [](Gate& g) {
         for (MetricRow* row : rows(g.candidate().model_csv, "BF16")) {
           row->value = *row->value * 0.9;
           row->performance = "7000";
         }
       }},
      {"perf.csv and perf_entry_super.json differ", "sources-disagree", Weight::leg,
       [](Gate& g) {
         MetricRow other = row(g.candidate(), "FP8");
         other.value = *other.value * 0.9;
         g.candidate().super_rows.push_back(other);
       }},
      {"a limit of NaN", "limit-not-usable", Weight::leg,
       [](Gate& g) { g.config.max_drop["BF16"] = nan; }},
      {"a negative limit", "limit-not-usable", Weight::leg,
       [](Gate& g) { g.config.max_drop["BF16"] = -0.5; }},
      {"a limit that lets everything pass", "limit-not-usable", Weight::leg,
       [](Gate& g) { g.config.max_drop["BF16"] = 1; }},
  };
  return list;
}

const std::vector<Mutation>& engine_faults() {
  static const std::vector<Mutation> list{
      {"no proof", "phase-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().proof.reset(); }},
      {"a proof of another run", "phase-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().proof->run_id = "run-0"; }},
      {"a proof of another phase", "phase-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().proof->index = 1; }},
      {"a proof of another side", "phase-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().proof->side = Side::baseline; }},
      {"a proof of another job", "phase-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().proof->job_id = "41"; }},
      {"a proof without an end", "phase-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().proof->ended.reset(); }},
      {"a proof without a start", "phase-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().proof->started.reset(); }},
      {"a proof without a kind of end", "phase-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().proof->end = {}; }},
      {"a proof that ends before it starts", "phase-not-proved", Weight::distrust,
       [](Gate& g) { std::swap(g.candidate().proof->started, g.candidate().proof->ended); }},
      {"a phase too many", "phase-unexpected", Weight::distrust,
       [](Gate& g) { g.phases.push_back(healthy_phase(3, Side::candidate)); }},
      {"phases at the same time", "phases-overlap", Weight::distrust,
       [](Gate& g) {
         g.candidate().proof->started = *g.baseline().proof->ended - std::chrono::minutes(5);
       }},
      {"the candidate's engine fails", "engine-failed", Weight::leg,
       [](Gate& g) {
         g.candidate().proof->end = {"exited", 3, ""};
       }},
      {"the baseline's engine fails", "engine-failed", Weight::leg,
       [](Gate& g) {
         g.baseline().proof->end = {"exited", 1, ""};
       }},
      {"only the exit file tells of a failure", "engine-failed", Weight::leg,
       [](Gate& g) { g.baseline().engine_exit = 1; }},
      {"the engine dies of a signal", "engine-failed", Weight::leg,
       [](Gate& g) {
         g.candidate().proof->end = {"signaled", 9, ""};
       }},
      {"the engine runs out of time", "engine-failed", Weight::leg,
       [](Gate& g) {
         g.candidate().proof->end = {"timed_out", 15, "phase budget"};
       }},
      {"the engine cannot be started", "engine-failed", Weight::leg,
       [](Gate& g) {
         g.candidate().proof->end = {"spawn_failed", 2, "exec"};
       }},
      {"a signal is not an accepted exit", "engine-failed", Weight::leg,
       [](Gate& g) {
         g.config.workload.accept_engine_exit = true;
         g.candidate().proof->end = {"signaled", 9, ""};
       }},
      {"the engine reports a failure with exit 0", "engine-reported-failure", Weight::leg,
       [](Gate& g) {
         g.candidate().engine.reported_failure = true;
         g.candidate().engine.failure_text = "Error: Job 25 failed: FAILED";
       }},
      {"a node's madengine fails", "node-failed", Weight::leg,
       [](Gate& g) { g.candidate().nodes[1].engine_exit = 3; }},
      {"a node's task fails", "node-failed", Weight::leg,
       [](Gate& g) { g.candidate().nodes[1].task_exit = 3; }},
  };
  return list;
}

const std::vector<Mutation>& broken_series() {
  static const std::vector<Mutation> list{
      {"FP8 stops at 5 of 15 with rows", "series-incomplete", Weight::leg,
       [](Gate& g) {
         truncate_series(series(g.candidate(), "FP8"), 5);
         const auto& last = series(g.candidate(), "FP8").iterations.back();
         set_value(g.candidate(), "FP8", *last.tokens_average);
       }},
      {"both sides stop at 14", "series-incomplete", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           truncate_series(series(p, "BF16"), 14);
       }},
      {"ten iterations on both sides", "iterations-not-as-asked", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           set_times(p, "BF16", healthy_times(65000, p.index, 10));
       }},
      {"more iterations than asked for", "iterations-not-as-asked", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           set_times(p, "BF16", healthy_times(65000, p.index, 20));
       }},
      {"two measured iterations", "too-few-iterations", Weight::leg,
       [](Gate& g) {
         g.config.workload.requested_iterations = 4;
         for (PhaseEvidence& p : g.phases)
           set_times(p, "BF16", healthy_times(65000, p.index, 4));
       }},
      {"an iteration is missing in the middle", "series-gap", Weight::leg,
       [](Gate& g) {
         auto& lines = series(g.candidate(), "BF16").iterations;
         lines.erase(lines.begin() + 7);
       }},
      {"the first iteration is missing", "series-gap", Weight::leg,
       [](Gate& g) {
         auto& lines = series(g.candidate(), "BF16").iterations;
         lines.erase(lines.begin());
       }},
      {"an iteration without time and throughput", "series-gap", Weight::leg,
       [](Gate& g) {
         nth(g.candidate(), "BF16", 9).tokens.reset();
         nth(g.candidate(), "BF16", 9).elapsed_ms.reset();
       }},
      {"k goes back", "series-non-monotonic", Weight::leg,
       [](Gate& g) { series(g.candidate(), "BF16").non_monotonic = true; }},
      {"k goes back in the lines", "series-non-monotonic", Weight::leg,
       [](Gate& g) {
         auto& lines = series(g.candidate(), "BF16").iterations;
         std::swap(lines[5], lines[6]);
       }},
      {"no series on one side", "series-missing", Weight::leg,
       [](Gate& g) { g.candidate().series.clear(); }},
      {"no series on both sides", "series-missing", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           p.series.clear();
       }},
      {"two logs tell different things", "series-conflict", Weight::distrust,
       [](Gate& g) {
         g.candidate().series.push_back(series_of("FP8", healthy_times(118000, 9), 191.6));
       }},
      {"throughput does not follow from the times", "series-inconsistent", Weight::leg,
       [](Gate& g) {
         for (Iteration& it : series(g.candidate(), "BF16").iterations)
           it.elapsed_ms = *it.elapsed_ms * 1.05;
       }},
      {"perf.csv is of another run", "csv-series-disagree", Weight::leg,
       [](Gate& g) { set_value(g.candidate(), "BF16", *row(g.candidate(), "BF16").value * 1.01); }},
      {"the printed average contradicts the iterations", "csv-series-disagree", Weight::leg,
       [](Gate& g) {
         LegSeries& s = series(g.candidate(), "BF16");
         const double value = *s.iterations.back().tokens_average * 1.05;
         s.iterations.back().tokens_average = value;
         set_value(g.candidate(), "BF16", value);
       }},
  };
  return list;
}

const std::vector<Mutation>& other_work() {
  static const std::vector<Mutation> list{
      {"another batch size", "work-differs", Weight::leg,
       [](Gate& g) { each_row(g.candidate(), [](MetricRow& r) { r.batch_size = 4; }); }},
      {"another global batch size", "work-differs", Weight::leg,
       [](Gate& g) {
         each_row(g.candidate(), [](MetricRow& r) { r.global_batch_size = 1024; });
         for (LegSeries& s : g.candidate().series) {
           for (Iteration& it : s.iterations)
             it.global_batch_size = 1024;
         }
       }},
      {"a log with another global batch size", "work-differs", Weight::leg,
       [](Gate& g) {
         for (LegSeries& s : g.candidate().series) {
           for (Iteration& it : s.iterations)
             it.global_batch_size = 1024;
         }
       }},
      {"another sequence length", "work-differs", Weight::leg,
       [](Gate& g) { each_row(g.candidate(), [](MetricRow& r) { r.seq_len = 2048; }); }},
      {"an unknown sequence length on one side", "work-differs", Weight::leg,
       [](Gate& g) { each_row(g.candidate(), [](MetricRow& r) { r.seq_len.reset(); }); }},
      {"half the GPUs", "not-as-configured", Weight::leg,
       [](Gate& g) { each_row(g.candidate(), [](MetricRow& r) { r.gpus = 8; }); }},
      {"half the GPUs on both sides", "not-as-configured", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           each_row(p, [](MetricRow& r) { r.gpus = 8; });
       }},
      {"one node in the rows", "not-as-configured", Weight::leg,
       [](Gate& g) { each_row(g.candidate(), [](MetricRow& r) { r.nodes = 1; }); }},
      {"another shape of the log", "work-differs", Weight::leg,
       [](Gate& g) {
         for (Iteration& it : series(g.candidate(), "FP8").iterations)
           it.shape = "elapsed|compute";
       }},
      {"another model in the rows", "wrong-model", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           each_row(p, [](MetricRow& r) { r.model = "card_Llama-3.1-70B"; });
       }},
      {"another model in the logs", "wrong-model", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           series(p, "BF16").model = "Llama-3.1-70B";
       }},
      {"another image family", "image-family-differs", Weight::leg,
       [](Gate& g) {
         each_row(g.candidate(), [](MetricRow& r) { r.image = "rocm/megatron:v26.4"; });
       }},
      {"a NaN loss", "loss-missing", Weight::leg,
       [](Gate& g) {
         nth(g.candidate(), "FP8", 10).loss.reset();
         nth(g.candidate(), "FP8", 10).loss_present = false;
       }},
      {"no loss at all on either side", "loss-missing", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases) {
           for (LegSeries& s : p.series) {
             for (Iteration& it : s.iterations) {
               it.loss.reset();
               it.loss_present = false;
             }
           }
         }
       }},
      {"a NaN loss with optional evidence", "loss-missing", Weight::leg,
       [](Gate& g) {
         g.config.workload.evidence = "optional";
         nth(g.candidate(), "FP8", 15).loss.reset();
       }},
      {"another final loss", "loss-differs", Weight::leg,
       [](Gate& g) {
         nth(g.candidate(), "BF16", 15).loss = *nth(g.candidate(), "BF16", 15).loss * 1.06;
       }},
      {"a NaN grad norm", "grad-norm-not-finite", Weight::leg,
       [](Gate& g) { nth(g.candidate(), "BF16", 4).grad_norm.reset(); }},
      {"a skipped iteration", "iterations-skipped", Weight::leg,
       [](Gate& g) { nth(g.candidate(), "BF16", 4).skipped = 1; }},
      {"a NaN iteration in the warm-up", "iterations-skipped", Weight::leg,
       [](Gate& g) { nth(g.candidate(), "BF16", 1).nan = 1; }},
      {"FP8 is BF16 under another label", "legs-identical", Weight::distrust,
       [](Gate& g) {
         std::vector<double> times;
         for (const Iteration& it : series(g.candidate(), "BF16").iterations)
           times.push_back(*it.elapsed_ms);
         set_times(g.candidate(), "FP8", times);
       }},
      {"FP8 runs as BF16", "precision-doubtful", Weight::leg,
       [](Gate& g) { set_times(g.candidate(), "FP8", healthy_times(64900, 8)); }},
      {"a profiled iteration on the candidate", "contaminated", Weight::leg,
       [](Gate& g) { slow_iteration(g.candidate(), "BF16", 7, 3.2); }},
      {"the profiler on both sides although it was turned off", "contaminated", Weight::leg,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases)
           slow_iteration(p, "BF16", 7, 3.2);
       }},
      {"an iteration that is too fast", "contaminated", Weight::leg,
       [](Gate& g) { slow_iteration(g.candidate(), "BF16", 9, 0.5); }},
      {"means and medians apart", "mean-median-apart", Weight::leg,
       [](Gate& g) {
         // Five of thirteen iterations are 9 % faster: no outliers, and the mean moves by 3 %.
         std::vector<double> times;
         for (const Iteration& it : series(g.candidate(), "BF16").iterations)
           times.push_back(it.k > 10 ? *it.elapsed_ms * 0.92 : *it.elapsed_ms);
         set_times(g.candidate(), "BF16", times);
       }},
  };
  return list;
}

const std::vector<Mutation>& wrong_library() {
  static const std::vector<Mutation> list{
      {"the candidate ran the stock library", "candidate-not-proved", Weight::distrust,
       [](Gate& g) { set_builds(g.candidate(), baseline_build); }},
      {"the stock library on one node in one leg", "candidate-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().banners.back().version = baseline_build; }},
      {"the candidate is dirty", "candidate-not-proved", Weight::distrust,
       [](Gate& g) { set_builds(g.candidate(), candidate_build + "+"); }},
      {"the baseline ran the candidate", "baseline-is-candidate", Weight::distrust,
       [](Gate& g) { set_builds(g.baseline(), candidate_build); }},
      {"the baseline ran the candidate on one node", "baseline-is-candidate", Weight::distrust,
       [](Gate& g) { g.baseline().banners[3].version = candidate_build; }},
      {"the baseline is mixed", "rccl-mixed", Weight::distrust,
       [](Gate& g) { g.baseline().banners[1].version = "2.28.1-HEAD:abcdef1"; }},
      {"no banner on the candidate", "rccl-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().banners.clear(); }},
      {"no banner on the baseline", "rccl-not-proved", Weight::distrust,
       [](Gate& g) { g.baseline().banners.clear(); }},
      {"no banner at all with optional evidence, but pinned", "rccl-not-proved", Weight::distrust,
       [](Gate& g) {
         g.config.workload.evidence = "optional";
         for (PhaseEvidence& p : g.phases)
           p.banners.clear();
       }},
      {"an unknown banner", "rccl-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().banners[0].version = "2.30.4 Unknown"; }},
      {"banners of one node only", "rccl-not-proved", Weight::distrust,
       [](Gate& g) {
         auto& all = g.candidate().banners;
         all = {all[0], all[2]};
       }},
      {"one node has no banner for FP8", "rccl-not-proved", Weight::distrust,
       [](Gate& g) { g.candidate().banners.pop_back(); }},
      {"an identity that names no commit", "rccl-not-proved", Weight::distrust,
       [](Gate& g) { g.config.candidate_rccl = "2.30.4"; }},
      {"unpinned and identical", "sides-identical", Weight::distrust,
       [](Gate& g) {
         g.config.candidate_rccl.clear();
         set_builds(g.candidate(), baseline_build);
       }},
      {"a library that did not win, unpinned, with another environment", "sides-identical",
       Weight::distrust,
       [](Gate& g) {
         g.config.candidate_rccl.clear();
         g.config.candidate.library = "/x/librccl.so";
         g.config.candidate.env = {{"A", "1"}};
         set_builds(g.candidate(), baseline_build);
       }},
      {"an A/A gate of two builds", "builds-differ", Weight::distrust,
       [](Gate& g) {
         g.config.candidate_rccl.clear();
         g.config.same_build = true;
       }},
  };
  return list;
}

const std::vector<Mutation>& wrong_place() {
  static const std::vector<Mutation> list{
      {"the candidate ran on other nodes", "nodes-differ", Weight::distrust,
       [](Gate& g) {
         g.context.nodes.clear();
         g.candidate().proof->nodes = {"mi355x-2", "mi355x-3"};
         for (NodeTrace& n : g.candidate().nodes)
           n.host = n.index == "0" ? "mi355x-2" : "mi355x-3";
         for (RcclBanner& b : g.candidate().banners)
           b.host = b.node_index == "0" ? "mi355x-2" : "mi355x-3";
       }},
      {"the logs come from other nodes than the proof's", "nodes-differ", Weight::distrust,
       [](Gate& g) {
         for (PhaseEvidence& p : g.phases) {
           for (NodeTrace& n : p.nodes)
             n.host = n.index == "0" ? "mi355x-2" : "mi355x-3";
           for (RcclBanner& b : p.banners)
             b.host = b.node_index == "0" ? "mi355x-2" : "mi355x-3";
         }
       }},
      {"the allocation holds other nodes", "nodes-differ", Weight::distrust,
       [](Gate& g) {
         g.context.nodes = {"mi355x-0", "mi355x-7"};
       }},
      {"elsewhere: other nodes by the logs", "nodes-differ", Weight::distrust,
       [](Gate& g) {
         g = foreign_gate();
         g.candidate().nodes[1].host = "mi355x-2";
         for (RcclBanner& b : g.candidate().banners) {
           if (b.node_index == "1") b.host = "mi355x-2";
         }
       }},
      {"one node where two are configured", "node-count-differs", Weight::distrust,
       [](Gate& g) {
         g.context.nodes = {"mi355x-0"};
         for (PhaseEvidence& p : g.phases)
           p.proof->nodes = {"mi355x-0"};
       }},
      {"madengine submitted its own job", "engine-submitted-own-job", Weight::distrust,
       [](Gate& g) { g.candidate().engine.submitted_jobs = {"43"}; }},
      {"sockets on both sides", "fabric-not-tested", Weight::distrust,
       [](Gate& g) {
         sockets(g.baseline(), "Socket");
         sockets(g.candidate(), "Socket");
       }},
      {"sockets on the candidate", "transport-differs", Weight::distrust,
       [](Gate& g) {
         sockets(g.baseline(), "IB");
         sockets(g.candidate(), "Socket");
       }},
      {"sockets on the baseline, the other side says nothing", "transport-differs",
       Weight::distrust, [](Gate& g) { sockets(g.baseline(), "Socket"); }},
      {"different transports that nobody asked for", "transport-differs", Weight::distrust,
       [](Gate& g) {
         g.config.cluster.env.clear();
         sockets(g.baseline(), "IB");
         sockets(g.candidate(), "Socket");
       }},
      {"byte-identical perf.csv", "results-identical", Weight::distrust,
       [](Gate& g) { g.candidate().perf_csv_sha256 = g.baseline().perf_csv_sha256; }},
      {"identical iterations", "results-identical", Weight::distrust,
       [](Gate& g) { set_times(g.candidate(), "FP8", healthy_times(116000, 1)); }},
      {"a copy with one value edited", "results-identical", Weight::distrust,
       [](Gate& g) {
         std::vector<double> times = healthy_times(116000, 1);
         times[9] += 250;
         set_times(g.candidate(), "FP8", times);
       }},
      {"identical values without series", "results-identical", Weight::distrust,
       [](Gate& g) {
         g.config.workload.evidence = "optional";
         for (PhaseEvidence& p : g.phases) {
           p.series.clear();
           set_value(p, "BF16", 8080.5);
           set_value(p, "FP8", 4511.6);
         }
       }},
      {"one directory twice", "same-directory", Weight::distrust,
       [](Gate& g) { g.candidate().directory = g.baseline().directory + "/"; }},
      {"stale rows beside fresh ones", "stale-rows", Weight::distrust,
       [](Gate& g) {
         MetricRow old = row(g.candidate(), "BF16");
         old.job = "41";
         g.candidate().perf_csv.insert(g.candidate().perf_csv.begin(), old);
       }},
      {"only stale rows", "stale-rows", Weight::distrust,
       [](Gate& g) { each_row(g.candidate(), [](MetricRow& r) { r.job = "41"; }); }},
      {"elsewhere: only stale rows", "leg-missing", Weight::leg,
       [](Gate& g) {
         g = foreign_gate();
         each_row(g.candidate(), [](MetricRow& r) { r.job = "41"; });
       }},
      {"elsewhere: rows of two jobs and no log", "stale-rows", Weight::distrust,
       [](Gate& g) {
         g = foreign_gate();
         g.candidate().nodes.clear();
         g.candidate().engine = {};
         row(g.candidate(), "BF16").job = "41";
       }},
      {"stale logs", "stale-logs", Weight::distrust,
       [](Gate& g) { g.candidate().nodes[0].job = "41"; }},
      {"elsewhere: logs of two jobs", "stale-logs", Weight::distrust,
       [](Gate& g) {
         g = foreign_gate();
         g.candidate().nodes[0].job = "41";
       }},
  };
  return list;
}

const std::vector<Mutation>& numbers() {
  static const std::vector<Mutation> list{
      {"BF16 4 % slower", "regression", Weight::regression,
       [](Gate& g) {
         g.phases[1] = healthy_phase(2, Side::candidate, {67800, 116100});
       }},
      {"FP8 4 % slower", "regression", Weight::regression,
       [](Gate& g) {
         g.phases[1] = healthy_phase(2, Side::candidate, {65050, 121000});
       }},
      {"the second baseline is 5 % off", "baseline-unstable", Weight::leg,
       [](Gate& g) {
         g.config.order = Order::aba;
         g.phases.push_back(healthy_phase(3, Side::baseline, {68250, 116000}));
       }},
      {"the second candidate is 5 % off", "candidate-unstable", Weight::leg,
       [](Gate& g) {
         g.config.order = Order::abba;
         g.phases.push_back(healthy_phase(3, Side::candidate, {61750, 116000}));
         g.phases.push_back(healthy_phase(4, Side::baseline));
       }},
  };
  return list;
}

class Mutated : public ::testing::TestWithParam<Mutation> {};

TEST_P(Mutated, IsRefusedForItsOwnReason) {
  const Mutation& mutation = GetParam();
  Gate gate = healthy_gate();
  ASSERT_EQ(gate.score().verdict, Verdict::pass);
  mutation.apply(gate);
  const Scorecard card = gate.score();

  const Verdict expected =
      mutation.weight == Weight::regression ? Verdict::regression : Verdict::no_verdict;
  EXPECT_EQ(card.verdict, expected) << mutation.title << "\n" << describe(card);
  const auto found = std::find_if(card.reasons.begin(), card.reasons.end(), [&](const Reason& r) {
    return r.code == mutation.code && r.weight == mutation.weight;
  });
  EXPECT_NE(found, card.reasons.end()) << mutation.title << " lacks " << mutation.code << "\n"
                                       << describe(card);
  EXPECT_TRUE(std::is_sorted(card.reasons.begin(), card.reasons.end(),
                             [](const Reason& a, const Reason& b) { return a.weight < b.weight; }));
  EXPECT_LE(card.reasons.size(), 14U) << "a flood\n" << describe(card);
  for (const Reason& reason : card.reasons) {
    EXPECT_FALSE(reason.message.empty());
    EXPECT_LE(reason.evidence.size(), 8U);
  }
}

INSTANTIATE_TEST_SUITE_P(MissingResults, Mutated, ::testing::ValuesIn(missing_results()));
INSTANTIATE_TEST_SUITE_P(BadValues, Mutated, ::testing::ValuesIn(bad_values()));
INSTANTIATE_TEST_SUITE_P(EngineFaults, Mutated, ::testing::ValuesIn(engine_faults()));
INSTANTIATE_TEST_SUITE_P(BrokenSeries, Mutated, ::testing::ValuesIn(broken_series()));
INSTANTIATE_TEST_SUITE_P(OtherWork, Mutated, ::testing::ValuesIn(other_work()));
INSTANTIATE_TEST_SUITE_P(WrongLibrary, Mutated, ::testing::ValuesIn(wrong_library()));
INSTANTIATE_TEST_SUITE_P(WrongPlace, Mutated, ::testing::ValuesIn(wrong_place()));
INSTANTIATE_TEST_SUITE_P(Numbers, Mutated, ::testing::ValuesIn(numbers()));

}  // namespace
