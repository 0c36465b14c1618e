#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/compare/compare.hpp>

namespace abgate::compare::test {

inline const std::string baseline_build = "2.27.7-HEAD:0d2c4fd";
inline const std::string candidate_build = "2.30.4-develop:e711c9e";
inline const std::string library_path = "/opt/venv/lib/librccl.so.1";
inline const std::vector<std::string> node_hosts{"mi355x-0", "mi355x-1"};

constexpr std::int64_t sequence_length = 4096;
constexpr std::int64_t global_batch = 2048;
constexpr std::int64_t gpus = 16;

/// One gate's inputs, healthy until a test changes them.
struct Gate {
  GateConfig config;
  Context context;
  std::vector<PhaseEvidence> phases;

  PhaseEvidence& baseline() { return phases.at(0); }
  PhaseEvidence& candidate() { return phases.at(1); }
  Scorecard score() const { return compare(config, phases, context); }
};

/// Elapsed times in ms, from FORMATS 4's magnitudes: two warm-up lines, then a jitter of 0.3 %.
inline std::vector<double> healthy_times(double typical, int seed, int count = 15) {
  std::vector<double> times;
  for (int k = 1; k <= count; ++k) {
    const double jitter = 1 + 0.003 * ((k * 7 + seed * 5) % 11 - 5) / 5.0;
    times.push_back(k == 1 ? typical * 1.86 : k == 2 ? typical * 1.41 : typical * jitter);
  }
  return times;
}

inline double tokens_of(double elapsed_ms) {
  return static_cast<double>(sequence_length * global_batch) / (elapsed_ms / 1000) /
         static_cast<double>(gpus);
}

inline LegSeries series_of(const std::string& precision, const std::vector<double>& times,
                           double hbm) {
  LegSeries series;
  series.model = "GPT-OSS-120B";
  series.precision = precision;
  series.node = node_hosts[1];
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    Iteration it;
    it.where = {"slurm_output/x_node_1.out", 271 + 25 * static_cast<std::int64_t>(i)};
    it.k = static_cast<std::int64_t>(i) + 1;
    it.total = static_cast<std::int64_t>(times.size());
    it.elapsed_ms = times[i];
    it.tokens = tokens_of(times[i]);
    it.tflops = *it.tokens / 26;
    if (i >= 2) {
      sum += *it.tokens;
      it.tokens_average = sum / static_cast<double>(i - 1);
      it.tflops_average = *it.tokens_average / 26;
    }
    it.loss = 11.0 / (1 + 0.05 * static_cast<double>(i + 1));
    it.loss_present = true;
    it.grad_norm = 6.512;
    it.grad_norm_present = true;
    it.skipped = 0;
    it.nan = 0;
    it.global_batch_size = global_batch;
    it.peak_hbm_gb = hbm;
    it.shape = i < 2 ? "elapsed|tokens:single|loss" : "elapsed|tokens:pair|loss";
    series.iterations.push_back(it);
  }
  return series;
}

/// The rows that this series leaves in perf.csv and in the node folders.
inline void add_rows(PhaseEvidence& phase, const LegSeries& series, const std::string& job,
                     const std::string& image) {
  MetricRow row;
  row.model = "primus_pyt_megatron_lm_train_gpt-oss-120b_GPT-OSS-120B";
  row.precision = series.precision;
  row.status = "SUCCESS";
  row.job = job;
  row.image = image;
  row.nodes = 2;
  row.gpus = gpus;
  row.gpus_per_node = 8;
  row.batch_size = series.precision == "FP8" ? 1 : 2;
  row.global_batch_size = global_batch;
  row.seq_len = sequence_length;
  const Iteration& last = series.iterations.back();
  const auto add = [&](const std::string& metric, double value) {
    row.metric = metric;
    row.performance = fmt::format("{:.4f}", value);
    row.value = std::stod(row.performance);
    row.where = {"perf.csv", static_cast<std::int64_t>(phase.perf_csv.size()) + 2};
    phase.perf_csv.push_back(row);
    MetricRow copy = row;
    copy.model = "GPT-OSS-120B";
    copy.status.clear();
    copy.image.clear();
    copy.nodes.reset();
    copy.gpus_per_node.reset();
    for (const char* node : {"node_0", "node_1"}) {
      copy.where.file = fmt::format("slurm_output/card/{}/{}/perf_GPT-OSS-120B.csv", job, node);
      phase.model_csv.push_back(copy);
    }
  };
  add("tok_per_s_per_gpu", *last.tokens);
  add("tok_per_s_per_gpu_avg", *last.tokens_average);
}

inline void add_banners(PhaseEvidence& phase, const std::string& precision,
                        const std::string& build) {
  for (std::size_t i = 0; i < node_hosts.size(); ++i) {
    const std::string index = fmt::format("{}", i);
    phase.banners.push_back({{fmt::format("slurm_output/x_node_{}.out", i),
                              static_cast<std::int64_t>(242 + phase.banners.size())},
                             index,
                             node_hosts[i],
                             precision,
                             build,
                             library_path});
  }
}

inline void add_node_traces(PhaseEvidence& phase, const std::string& job) {
  for (std::size_t i = 0; i < node_hosts.size(); ++i) {
    NodeTrace node;
    node.index = fmt::format("{}", i);
    node.host = node_hosts[i];
    node.job = job;
    node.legs_started = {"BF16", "FP8"};
    node.engine_exit = 0;
    node.task_exit = 0;
    node.files = {fmt::format("slurm_output/x_{}_node_{}.out", job, i),
                  fmt::format("slurm_output/x_{}_node_{}.err", job, i)};
    phase.nodes.push_back(node);
  }
}

struct Speeds {
  double bf16_ms = 65000;
  double fp8_ms = 116000;
};

/// One healthy phase in its own directory, run in place in job 42.
inline PhaseEvidence healthy_phase(int index, Side side, Speeds speeds = {}) {
  const bool baseline = side == Side::baseline;
  PhaseEvidence phase;
  phase.index = index;
  phase.side = side;
  phase.directory = fmt::format("/work/gate/phases/{}-{}", index, name(side));
  phase.engine_exit = 0;
  phase.engine.in_place = true;
  phase.engine.in_place_job = "42";
  phase.engine.claimed_success = true;
  phase.perf_csv_sha256 = fmt::format("sha-of-{}", index);
  PhaseProof proof;
  proof.run_id = "run-1";
  proof.index = index;
  proof.side = side;
  proof.started = time::Instant(std::chrono::minutes(60 * index));
  proof.ended = time::Instant(std::chrono::minutes(60 * index + 53));
  proof.end = {"exited", 0, ""};
  proof.job_id = "42";
  proof.nodes = node_hosts;
  phase.proof = proof;
  const std::string image = baseline ? "rocm/primus:v26.4" : "rocm/primus:v26.4-rccl-e711c9e";
  const std::string build = baseline ? baseline_build : candidate_build;
  const auto add_leg = [&](const std::string& precision, double typical, double hbm) {
    phase.series.push_back(series_of(precision, healthy_times(typical, index), hbm));
    add_rows(phase, phase.series.back(), "42", image);
    add_banners(phase, precision, build);
  };
  add_leg("BF16", speeds.bf16_ms, 182.6);
  add_leg("FP8", speeds.fp8_ms, 191.6);
  add_node_traces(phase, "42");
  return phase;
}

inline GateConfig healthy_config() {
  GateConfig config;
  Workload& workload = config.workload;
  workload.name = "gpt-oss-120b-training";
  workload.model = "GPT-OSS-120B";
  workload.metric = "tok_per_s_per_gpu_avg";
  workload.unit = "tok/s/GPU";
  workload.precisions = {"BF16", "FP8"};
  workload.requested_iterations = 15;
  workload.warmup_iterations = 2;
  workload.max_drop = 0.02;
  workload.gpus_per_node = 8;
  workload.env = {{"PRIMUS_DISABLE_PROFILE", "1"}, {"PRIMUS_TRAIN_ITERS", "15"}};
  config.cluster.env = {{"NCCL_NET", "IB"}, {"NCCL_IB_DISABLE", "0"}};
  config.baseline.image = "rocm/primus:v26.4";
  config.candidate.image = "rocm/primus:v26.4-rccl-e711c9e";
  config.candidate_rccl = "develop:e711c9e";
  config.nodes = 2;
  config.max_drop = {{"BF16", 0.02}, {"FP8", 0.02}};
  return config;
}

/// A run of ours in job 42, order ab, with the candidate pinned.
inline Gate healthy_gate(Speeds candidate = {65050, 116100}) {
  Gate gate;
  gate.config = healthy_config();
  gate.context = {true, "run-1", "42", node_hosts};
  gate.phases = {healthy_phase(1, Side::baseline), healthy_phase(2, Side::candidate, candidate)};
  return gate;
}

/// The same directories given to `abgate score`, without phase.json.
inline Gate foreign_gate() {
  Gate gate = healthy_gate();
  gate.context = {};
  for (PhaseEvidence& phase : gate.phases)
    phase.proof.reset();
  return gate;
}

inline LegSeries& series(PhaseEvidence& phase, const std::string& precision) {
  return *std::find_if(phase.series.begin(), phase.series.end(),
                       [&](const LegSeries& s) { return s.precision == precision; });
}

/// Rows of the scored metric.
inline std::vector<MetricRow*> rows(std::vector<MetricRow>& all, const std::string& precision) {
  std::vector<MetricRow*> out;
  for (MetricRow& row : all) {
    if (row.precision == precision && row.metric == "tok_per_s_per_gpu_avg") out.push_back(&row);
  }
  return out;
}

inline MetricRow& row(PhaseEvidence& phase, const std::string& precision) {
  return *rows(phase.perf_csv, precision).at(0);
}

/// Sets the scored value everywhere that a result file names it.
inline void set_value(PhaseEvidence& phase, const std::string& precision, double value) {
  for (auto* file : {&phase.perf_csv, &phase.model_csv}) {
    for (MetricRow* row : rows(*file, precision)) {
      row->value = value;
      row->performance = fmt::format("{}", value);
    }
  }
}

inline void erase_rows(std::vector<MetricRow>& all, const std::string& precision) {
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const MetricRow& row) { return row.precision == precision; }),
            all.end());
}

inline void erase_leg(PhaseEvidence& phase, const std::string& precision) {
  erase_rows(phase.perf_csv, precision);
  erase_rows(phase.model_csv, precision);
  phase.series.erase(std::remove_if(phase.series.begin(), phase.series.end(),
                                    [&](const LegSeries& s) { return s.precision == precision; }),
                     phase.series.end());
}

/// Replaces a leg's times, and its rows with what those times average to.
inline void set_times(PhaseEvidence& phase, const std::string& precision,
                      const std::vector<double>& times) {
  LegSeries& old = series(phase, precision);
  const double hbm = old.iterations.front().peak_hbm_gb.value_or(0);
  old = series_of(precision, times, hbm);
  set_value(phase, precision, *old.iterations.back().tokens_average);
}

inline bool has_code(const Scorecard& card, const std::string& code) {
  return std::any_of(card.reasons.begin(), card.reasons.end(),
                     [&](const Reason& reason) { return reason.code == code; });
}

inline const Reason* find_reason(const Scorecard& card, const std::string& code) {
  const auto found = std::find_if(card.reasons.begin(), card.reasons.end(),
                                  [&](const Reason& reason) { return reason.code == code; });
  return found == card.reasons.end() ? nullptr : &*found;
}

/// For failure messages.
inline std::string describe(const Scorecard& card) {
  std::string out = std::string(name(card.verdict)) + "\n";
  for (const Reason& reason : card.reasons) {
    out += fmt::format("  {} [{}] {}\n", reason.code, name(reason.weight), reason.message);
  }
  return out;
}

}  // namespace abgate::compare::test
