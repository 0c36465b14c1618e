#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <abgate/runner/selftest.hpp>

#include "sample_phase.hpp"

namespace abgate::runner {
namespace {

constexpr const char* candidate_build = "2.30.4-develop:e711c9e";
constexpr const char* baseline_build = "2.27.7-HEAD:0d2c4fd";

/// Phase directories in memory; nothing can be written.
class SampleStore : public ArtifactStore {
 public:
  void add(const std::string& directory, const SamplePhase& phase) {
    for (auto& [name, text] : phase_files(phase))
      files_[fmt::format("{}/{}", directory, name)] = std::move(text);
  }
  Result<std::string, std::string> read(const std::string& path) override {
    const auto found = files_.find(path);
    if (found == files_.end()) return Unexpected{path + ": no such file"};
    return found->second;
  }
  Status<std::string> read_blocks(const std::string& path,
                                  const std::function<void(std::string_view)>& take) override {
    const auto text = read(path);
    if (!text) return Unexpected{text.error()};
    take(*text);
    return {};
  }
  Result<std::string, std::string> read_range(const std::string& path, std::uint64_t offset,
                                              std::size_t limit) override {
    auto text = read(path);
    if (!text) return text;
    return text->substr(std::min<std::size_t>(offset, text->size()), limit);
  }
  Status<std::string> write(const std::string& path, std::string_view) override {
    return refused(path);
  }
  Status<std::string> append_line(const std::string& path, std::string_view) override {
    return refused(path);
  }
  Status<std::string> make_directories(const std::string& path) override { return refused(path); }
  bool exists(const std::string& path) override { return files_.contains(path); }
  Status<std::string> remove(const std::string& path) override { return refused(path); }
  Status<std::string> move(const std::string&, const std::string& to) override {
    return refused(to);
  }
  Result<bool, std::string> make_new_directory(const std::string& path) override {
    return Unexpected{refused(path).error()};
  }
  Status<std::string> copy_tree(const std::string&, const std::string& to) override {
    return refused(to);
  }
  Result<std::vector<std::string>, std::string> list_files(const std::string& path) override {
    std::vector<std::string> found;
    for (const auto& [name, text] : files_) {
      if (name.starts_with(path + "/")) found.push_back(name.substr(path.size() + 1));
    }
    return found;
  }

 private:
  static Status<std::string> refused(const std::string& path) {
    return Unexpected{path + ": the self-test writes nothing"};
  }
  std::map<std::string, std::string> files_;
};

struct Pair {
  SamplePhase baseline;
  SamplePhase candidate;
  std::string pin = "e711c9e";
};

Pair healthy() {
  Pair pair;
  pair.candidate.job = "102";
  pair.candidate.image = "rocm/primus:v26.4-candidate";
  pair.candidate.builds = {candidate_build, candidate_build};
  pair.candidate.wobble = 1.3;
  return pair;
}

/// As a gate of ours leaves its phases.
void in_one_allocation(Pair& pair) {
  pair.baseline.index = 1;
  pair.candidate.index = 2;
  pair.candidate.side = Side::candidate;
  pair.candidate.job = pair.baseline.job;
}

struct Case {
  int lesson;
  const char* name;
  Verdict verdict;
  const char* code;  ///< empty: no reason but notes
  void (*change)(Pair&);
};

constexpr auto none = Verdict::no_verdict;

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {0, "a healthy pair", Verdict::pass, "", [](Pair&) {}},
      {0, "a healthy pair of one gate", Verdict::pass, "", in_one_allocation},
      {0, "a candidate 5 % slower in FP8", Verdict::regression, "regression",
       [](Pair& p) { p.candidate.legs[1].base_ms *= 1.05; }},
      {0, "a candidate 2.5 % slower in BF16", Verdict::regression, "regression",
       [](Pair& p) { p.candidate.legs[0].base_ms *= 1.025; }},
      {1, "a leg that is missing on both sides", none, "leg-missing",
       [](Pair& p) {
         p.baseline.legs.pop_back();
         p.candidate.legs.pop_back();
       }},
      {2, "exit 0, success said, and no row", none, "leg-missing",
       [](Pair& p) { p.candidate.rows = false; }},
      {2, "a failed job with rows and exit 0", none, "engine-reported-failure",
       [](Pair& p) { p.candidate.engine_says = "Error: Job 102 failed: FAILED"; }},
      {3, "a leg that stopped at iteration 5 of 15", none, "series-incomplete",
       [](Pair& p) { p.candidate.legs[1].stopped_at = 5; }},
      {4, "a value that is not a number", none, "value-not-usable",
       [](Pair& p) { p.candidate.legs[0].value = "nan"; }},
      {4, "a value that is infinite", none, "value-not-usable",
       [](Pair& p) { p.baseline.legs[0].value = "inf"; }},
      {4, "a value of zero", none, "value-not-usable",
       [](Pair& p) { p.candidate.legs[1].value = "0"; }},
      {4, "an empty value", none, "value-not-usable",
       [](Pair& p) { p.candidate.legs[1].value = " "; }},
      {5, "rows of another job", none, "leg-missing", [](Pair& p) { p.candidate.row_job = "99"; }},
      {5, "rows of another job in a gate of ours", none, "stale-rows",
       [](Pair& p) {
         in_one_allocation(p);
         p.candidate.row_job = "99";
       }},
      {5, "the candidate read the baseline's times", none, "results-identical",
       [](Pair& p) { p.candidate.wobble = p.baseline.wobble; }},
      {6, "the stock library on one node of the candidate", none, "candidate-not-proved",
       [](Pair& p) { p.candidate.builds[1] = baseline_build; }},
      {6, "the candidate's library in the baseline", none, "baseline-is-candidate",
       [](Pair& p) { p.baseline.builds = p.candidate.builds; }},
      {6, "both sides on one build, none pinned", none, "sides-identical",
       [](Pair& p) {
         p.pin.clear();
         p.candidate.builds = p.baseline.builds;
       }},
      {7, "a loss that is not a number", none, "loss-missing",
       [](Pair& p) { p.candidate.legs[0].nan_loss = true; }},
      {7, "skipped iterations", none, "iterations-skipped",
       [](Pair& p) { p.candidate.legs[0].skipped = 3; }},
      {7, "another batch size", none, "work-differs",
       [](Pair& p) { p.candidate.legs[0].micro_batch = 4; }},
      {8, "10 iterations where 15 were asked for", none, "iterations-not-as-asked",
       [](Pair& p) {
         p.baseline.legs[0].iterations = 10;
         p.candidate.legs[0].iterations = 10;
       }},
      {9, "both sides on sockets", none, "fabric-not-tested",
       [](Pair& p) {
         p.baseline.sockets = true;
         p.candidate.sockets = true;
       }},
      {9, "one side on sockets", none, "transport-differs",
       [](Pair& p) { p.candidate.sockets = true; }},
      {10, "a node that the candidate lost", none, "node-count-differs",
       [](Pair& p) {
         p.candidate.hosts.pop_back();
         p.candidate.builds.pop_back();
       }},
      {11, "an engine that failed beside complete rows", none, "engine-failed",
       [](Pair& p) { p.candidate.exit = 3; }},
      {17, "a profiler window inside the measurement", none, "contaminated",
       [](Pair& p) { p.candidate.legs[0].profiled_at = 7; }},
      {23, "a job of the engine's own", none, "engine-submitted-own-job",
       [](Pair& p) {
         in_one_allocation(p);
         p.candidate.engine_says = "Submitted SLURM job: 4711";
       }},
  };
  return all;
}

GateConfig configuration(const Pair& pair) {
  GateConfig config;
  Workload& workload = config.workload;
  workload.name = "selftest";
  workload.kind = "training";
  workload.model = sample_model;
  workload.model_card = sample_card;
  workload.results_csv = sample_results;
  workload.metric = "tok_per_s_per_gpu_avg";
  workload.unit = "tok/s/GPU";
  workload.precisions = {"BF16", "FP8"};
  workload.requested_iterations = 15;
  workload.warmup_iterations = 2;
  workload.max_drop = 0.02;
  workload.validated_nodes = {2};
  workload.gpus_per_node = 8;
  config.nodes = 2;
  config.max_drop = {{"BF16", workload.max_drop}, {"FP8", workload.max_drop}};
  config.baseline.image = pair.baseline.image;
  config.candidate.image = pair.candidate.image;
  config.candidate_rccl = pair.pin;
  return config;
}

std::string outcome_text(Verdict verdict, const std::string& code) {
  return code.empty() ? std::string(title(verdict)) : fmt::format("{}: {}", title(verdict), code);
}

std::string codes_of(const GateRecord& record) {
  std::string codes;
  for (const Reason& reason : record.reasons) {
    if (reason.weight != Weight::note) codes += (codes.empty() ? "" : ", ") + reason.code;
  }
  return codes;
}

bool has_code(const GateRecord& record, std::string_view code) {
  return std::any_of(record.reasons.begin(), record.reasons.end(), [&](const Reason& reason) {
    return reason.weight != Weight::note && reason.code == code;
  });
}

SelftestResult run_case(const Case& tested, WallClock& clock, const ScoreDirectories& score) {
  Pair pair = healthy();
  tested.change(pair);
  SampleStore store;
  store.add("/baseline", pair.baseline);
  store.add("/candidate", pair.candidate);
  ForeignGate gate;
  gate.baseline = {"/baseline"};
  gate.candidate = {"/candidate"};
  gate.config = configuration(pair);
  gate.run_id = "selftest";
  const GateRecord record = score(gate, store, clock);

  SelftestResult result;
  result.name = tested.name;
  result.lesson = tested.lesson;
  result.expected = outcome_text(tested.verdict, tested.code);
  result.found = outcome_text(record.verdict, codes_of(record));
  // Other reasons may stand beside the case's own one, but a good pair has none.
  const bool reason_right = std::string_view(tested.code).empty() ? codes_of(record).empty()
                                                                  : has_code(record, tested.code);
  result.passed = record.verdict == tested.verdict && record.exit_code == code_of(tested.verdict) &&
                  reason_right;
  return result;
}

}  // namespace

std::vector<SelftestResult> selftest(WallClock& clock, const ScoreDirectories& score) {
  std::vector<SelftestResult> results;
  for (const Case& tested : cases())
    results.push_back(run_case(tested, clock, score));
  return results;
}

bool all_passed(const std::vector<SelftestResult>& results) {
  return !results.empty() && std::all_of(results.begin(), results.end(),
                                         [](const SelftestResult& r) { return r.passed; });
}

std::string render_selftest(const std::vector<SelftestResult>& results) {
  std::string text;
  for (const SelftestResult& result : results) {
    text += fmt::format("{:<6}  {:<48}  {}\n", result.passed ? "ok" : "FAILED", result.name,
                        result.passed ? result.expected : "expected " + result.expected);
    if (!result.passed) text += fmt::format("{:<6}  {:<48}  found    {}\n", "", "", result.found);
  }
  const auto good = std::count_if(results.begin(), results.end(),
                                  [](const SelftestResult& r) { return r.passed; });
  text +=
      fmt::format("selftest: {} of {} built-in pairs were judged rightly\n", good, results.size());
  return text;
}

}  // namespace abgate::runner
