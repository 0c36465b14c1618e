#include "sample_records.hpp"

#include <cmath>

#include <abgate/report/record_json.hpp>

namespace abgate::test {
namespace {

const std::vector<std::string>& node_pair() {
  static const std::vector<std::string> nodes{"mi355x-0", "mi355x-1"};
  return nodes;
}

PhaseRecord phase_of(int index, Side side, double from, double to) {
  PhaseRecord phase;
  phase.index = index;
  phase.side = side;
  phase.state = "done";
  phase.start = minutes_in(from);
  phase.end = minutes_in(to);
  phase.exit = ProcessEnd{"exited", 0, ""};
  phase.nodes = node_pair();
  phase.directory = "phases/" + std::to_string(index) + "-" + std::string(name(side));
  phase.manifest_sha256 = std::string(64, static_cast<char>('0' + index));
  phase.proof = "phase.json";
  LogSpace logs;
  logs.bytes_before = 1'080'000'000;
  logs.bytes_after = 24'000'000;
  logs.lines_folded = 4'665'598;
  logs.copies = {"slurm_output/m/7/node_0/stdout.out"};
  phase.logs = logs;
  return phase;
}

PhaseRecord phase_not_run(int index, Side side) {
  PhaseRecord phase = phase_of(index, side, 0, 0);
  phase.state = "not_run";
  phase.start.reset();
  phase.end.reset();
  phase.exit.reset();
  phase.nodes.clear();
  phase.proof = "no phase proof";
  phase.logs.reset();
  return phase;
}

PhaseValue value_of(int phase, Side side, double value) {
  PhaseValue out;
  out.phase = phase;
  out.side = side;
  out.value = value;
  out.harmonic_mean = value * 0.9999;
  out.median = value * 1.0004;
  out.spread = 0.0123;
  out.drift = -0.0007;
  out.peak_hbm_gb = 182.6;
  out.last_loss = 10.98;
  out.measured_iterations = 13;
  out.autocorrelation = 0.125;
  for (int k = 1; k <= 15; ++k) {
    const double wave = std::round(value * (1 + 0.006 * std::sin(k * 1.7)) * 10) / 10;
    out.series.push_back({k, wave, k <= 2 ? IterationUse::warm_up : IterationUse::measured});
  }
  out.series.front().throughput = std::round(value * 0.62);
  return out;
}

Reason reason_of(std::string code, Weight weight, std::string message) {
  Reason reason;
  reason.code = std::move(code);
  reason.weight = weight;
  reason.message = std::move(message);
  return reason;
}

Reason leg_reason(std::string code, std::string message, Side side, int phase,
                  std::string precision) {
  Reason reason = reason_of(std::move(code), Weight::leg, std::move(message));
  reason.side = side;
  reason.phase = phase;
  reason.precision = std::move(precision);
  return reason;
}

LegResult missing_leg(const std::string& precision, double baseline) {
  LegResult leg = leg_of(precision, baseline, baseline);
  leg.candidate.reset();
  leg.ratio.reset();
  leg.median_ratio.reset();
  leg.harmonic_ratio.reset();
  leg.outcome = LegOutcome::missing;
  leg.phases[1] = PhaseValue{};
  leg.phases[1].phase = 2;
  leg.phases[1].side = Side::candidate;
  return leg;
}

Json config_of(std::string_view order) {
  Json config;
  config.set("workload", Json::object({{"name", "gpt-oss-120b-training"},
                                       {"precisions", Json::strings({"BF16", "FP8"})}}));
  config.set("cluster", Json::object({{"name", "ruby"}}));
  config.set("nodes", 2);
  config.set("order", order);
  config.set("launcher", "slurm");
  config.set("work_dir", "/gates/tonight");
  config.set("baseline", Json::object({{"image", "rocm/primus:v26.4"}}));
  config.set("candidate", Json::object({{"image", "rocm/primus:v26.4"},
                                        {"library", "/builds/librccl.so.1.0"},
                                        {"env", Json::object({{"NCCL_ALGO", "Ring"}})}}));
  config.set("origins", Json::object({{"workload.name", "configs/workloads/gpt.json:3:11"},
                                      {"candidate.library", "--candidate-library"}}));
  return config;
}

}  // namespace

time::Instant minutes_in(double minutes) {
  constexpr long long start = 1793527200000;  // 2026-11-01T10:00:00Z
  return time::Instant(std::chrono::milliseconds(start + std::llround(minutes * 60000)));
}

LegResult leg_of(const std::string& precision, double baseline, double candidate) {
  LegResult leg;
  leg.precision = precision;
  leg.metric = "tok_per_s_per_gpu_avg";
  leg.unit = "tok/s/GPU";
  leg.max_drop = 0.02;
  leg.baseline = baseline;
  leg.candidate = candidate;
  leg.ratio = candidate / baseline;
  leg.median_ratio = *leg.ratio * 1.0002;
  leg.harmonic_ratio = *leg.ratio * 0.9999;
  leg.outcome = *leg.ratio < 1 - leg.max_drop ? LegOutcome::regression : LegOutcome::pass;
  leg.phases = {value_of(1, Side::baseline, baseline), value_of(2, Side::candidate, candidate)};
  return leg;
}

GateRecord minimal_record() {
  GateRecord record;
  record.run_id = "20261101-100000-4f2a";
  record.command = "run";
  record.tool_version = "0.1.0";
  record.step = "planned";
  return record;
}

GateRecord pass_record() {
  GateRecord record = minimal_record();
  record.step = "finished";
  record.started = minutes_in(-12);
  record.finished = minutes_in(115.5);
  record.verdict = Verdict::pass;
  record.exit_code = 0;
  record.legs = {leg_of("BF16", 8281.8, 8276.0), leg_of("FP8", 4410.2, 4376.7)};
  record.source = MetricSource::perf_csv;
  record.phases = {phase_of(1, Side::baseline, 0.1, 53.4),
                   phase_of(2, Side::candidate, 53.5, 114.7)};
  AllocationRecord allocation;
  allocation.job_id = "4242";
  allocation.nodes = node_pair();
  allocation.submitted = minutes_in(-11.9);
  allocation.granted = minutes_in(0);
  allocation.ended = minutes_in(115);
  allocation.scrubbed = {"SLURM_CONF", "SALLOC_PARTITION"};
  record.allocation = allocation;
  record.config = config_of("ab");
  return record;
}

GateRecord regression_record() {
  GateRecord record = pass_record();
  record.verdict = Verdict::regression;
  record.exit_code = 1;
  record.legs[1] = leg_of("FP8", 4410.2, 4298.9);
  Reason red = reason_of("regression", Weight::regression,
                         "FP8 is 2.52 % slower on the candidate; the limit is 2.0 %");
  red.precision = "FP8";
  red.evidence = {{"1-baseline/perf.csv", 6}, {"2-candidate/perf.csv", 6}};
  Reason drift = reason_of("drift", Weight::note, "throughput fell by 0.9 % within the phase");
  drift.side = Side::candidate;
  drift.phase = 2;
  drift.precision = "FP8";
  record.reasons = {drift, red};
  return record;
}

GateRecord missing_leg_record() {
  GateRecord record = pass_record();
  record.verdict = Verdict::no_verdict;
  record.exit_code = 3;
  record.legs[1] = missing_leg("FP8", 4410.2);
  record.phases[1].exit = ProcessEnd{"exited", 3, ""};
  Reason missing = leg_reason(
      "leg-missing", "perf.csv has no row for this leg, although the engine said it had succeeded",
      Side::candidate, 2, "FP8");
  missing.evidence = {{"2-candidate/perf.csv", 0}};
  Reason memory = leg_reason("marker",
                             "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 11.25 "
                             "GiB. GPU 3 has a total capacity of 287.98 GiB of which 1.2 GiB is "
                             "free.",
                             Side::candidate, 2, "FP8");
  memory.weight = Weight::note;
  memory.node = "mi355x-1";
  memory.evidence = {
      {"2-candidate/slurm_output/madengine-primus_pyt_megatron_lm_train_gpt_oss_120b_4242_node_1"
       ".out",
       48213}};
  record.reasons = {missing, memory};
  return record;
}

GateRecord untrusted_record() {
  GateRecord record = missing_leg_record();
  LegResult& leg = record.legs[0];
  leg.outcome = LegOutcome::untrusted;
  SeriesPoint& profiled = leg.phases[1].series[6];
  profiled.use = IterationUse::contaminated;
  profiled.throughput = 4190.5;
  Reason contaminated = leg_reason(
      "contaminated",
      "iteration 7 of BF16 in phase 2 (candidate) took up to 1.98 times the median: a profiler "
      "window or a disturbance is inside the measured iterations",
      Side::candidate, 2, "BF16");
  contaminated.evidence = {{"2-candidate/slurm_output/node_1.out", 812}};
  record.reasons.insert(record.reasons.begin(), contaminated);
  return record;
}

GateRecord running_record() {
  GateRecord record = pass_record();
  record.step = "phase 1";
  record.finished.reset();
  record.verdict = Verdict::no_verdict;
  record.exit_code = 3;
  record.legs = {};
  record.source.reset();
  record.allocation->ended.reset();
  record.phases[0].state = "running";
  record.phases[0].end.reset();
  record.phases[0].exit.reset();
  record.phases[1] = phase_not_run(2, Side::candidate);
  record.phases[1].state = "planned";
  return record;
}

GateRecord scored_record() {
  GateRecord record = pass_record();
  record.command = "score";
  record.allocation.reset();
  record.config.set("nodes", 3);
  record.config.find("workload")->set("validated_nodes", Json::array({2, 4}));
  record.config.set("max_drop", Json::object({{"BF16", 0.02}, {"FP8", 0.03}}));
  for (PhaseRecord& phase : record.phases) {
    phase.directory = "/old runs/" + phase.directory.substr(7);
    phase.proof = "no phase proof";
  }
  return record;
}

GateRecord refused_record() {
  GateRecord record = minimal_record();
  record.step = "finished";
  record.started = minutes_in(0);
  record.finished = minutes_in(0.05);
  record.verdict = Verdict::infra;
  record.exit_code = 4;
  record.config = config_of("ab");
  record.phases = {phase_not_run(1, Side::baseline), phase_not_run(2, Side::candidate)};
  AllocationRecord allocation;
  allocation.submitted = minutes_in(0);
  allocation.ended = minutes_in(0.05);
  allocation.messages = {
      "salloc: error: invalid partition specified: meta65",
      "salloc: error: Job submit/allocate failed: Invalid partition name specified"};
  record.allocation = allocation;
  record.reasons = {
      reason_of("allocation-refused", Weight::infra,
                "Slurm refused the allocation:\nsalloc: error: invalid partition specified: "
                "meta65\nsalloc: error: Job submit/allocate failed: Invalid partition name "
                "specified")};
  return record;
}

GateRecord advisory_record() {
  GateRecord record = regression_record();
  record.advisory = true;
  record.exit_code = 0;
  return record;
}

GateRecord cancelled_record() {
  GateRecord record = pass_record();
  record.step = "phase 2";
  record.finished = minutes_in(70);
  record.verdict = Verdict::no_verdict;
  record.signal = 15;
  record.exit_code = 143;
  record.legs = {};
  record.source.reset();
  record.phases[1].end = minutes_in(69.9);
  record.phases[1].exit = ProcessEnd{"interrupted", 15, "SIGTERM to abgate"};
  record.reasons = {reason_of("stopped-by-signal", Weight::distrust,
                              "the gate was stopped by signal 15 in phase 2")};
  return record;
}

GateRecord aba_record() {
  GateRecord record = pass_record();
  record.order = Order::aba;
  record.config = config_of("aba");
  record.phases.push_back(phase_of(3, Side::baseline, 114.8, 168));
  for (LegResult& leg : record.legs) {
    const double again = *leg.baseline * 1.0004;
    leg.phases.push_back(value_of(3, Side::baseline, again));
    leg.baseline = std::sqrt(*leg.baseline * again);
    leg.ratio = *leg.candidate / *leg.baseline;
  }
  record.allocation->ended = minutes_in(168.4);
  record.finished = minutes_in(168.5);
  return record;
}

GateRecord full_record() {
  GateRecord record = aba_record();
  record.verdict = Verdict::no_verdict;
  record.exit_code = 143;
  record.signal = 15;
  record.advisory = true;
  record.source = MetricSource::series;
  Reason reason = leg_reason("code", "a \"quoted\" sentence, é 😀\nand a second line",
                             Side::baseline, 3, "BF16");
  reason.node = "mi355x-1";
  reason.weight = Weight::distrust;
  reason.evidence = {{"1-baseline/perf.csv", 6}, {"2-candidate/engine.log", 0}};
  record.reasons = {reason, reason_of("other", Weight::note, "")};
  for (LegResult& leg : record.legs) {
    for (PhaseValue& value : leg.phases)
      value.series.resize(3);  // more would only make the tests slow
  }
  record.legs[0].phases[0].series[2].use = IterationUse::contaminated;
  record.phases[0].exit = ProcessEnd{"spawn_failed", 2, "exec"};
  record.phases[1].exit = ProcessEnd{"signaled", 9, ""};
  NodeFacts facts;
  facts.node = facts.host = "mi355x-0";
  facts.boot_id = "3f1c";
  facts.load = 1.5;
  facts.running = 2;
  facts.containers = {"left_over"};
  record.phases[0].nodes_before = {facts};
  record.attempts = {{"20261101-080000-4f2a", "attempts/1", "4241", "phase 1", 15}};
  record.allocation->foreign = true;
  record.allocation->messages = {"salloc: Granted job allocation 4242"};
  record.config.set("deep", *parse_json(R"({"a":[1,2.5,null,{"b":"x"}],"c":{}})", ""));
  return record;
}

}  // namespace abgate::test
