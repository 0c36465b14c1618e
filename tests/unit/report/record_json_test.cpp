#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abgate/report/record_json.hpp>

#include "sample_records.hpp"
#include "support/golden.hpp"

namespace abgate::report {
namespace {

using namespace abgate::test;

void expect_same(const LegResult& a, const LegResult& b) {
  EXPECT_EQ(a.precision, b.precision);
  EXPECT_EQ(a.metric, b.metric);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.max_drop, b.max_drop);
  EXPECT_EQ(a.baseline, b.baseline);
  EXPECT_EQ(a.candidate, b.candidate);
  EXPECT_EQ(a.ratio, b.ratio);
  EXPECT_EQ(a.median_ratio, b.median_ratio);
  EXPECT_EQ(a.harmonic_ratio, b.harmonic_ratio);
  EXPECT_EQ(a.outcome, b.outcome);
  ASSERT_EQ(a.phases.size(), b.phases.size());
  for (std::size_t i = 0; i < a.phases.size(); ++i) {
    EXPECT_EQ(a.phases[i].phase, b.phases[i].phase);
    EXPECT_EQ(a.phases[i].side, b.phases[i].side);
    EXPECT_EQ(a.phases[i].value, b.phases[i].value);
    EXPECT_EQ(a.phases[i].harmonic_mean, b.phases[i].harmonic_mean);
    EXPECT_EQ(a.phases[i].median, b.phases[i].median);
    EXPECT_EQ(a.phases[i].spread, b.phases[i].spread);
    EXPECT_EQ(a.phases[i].drift, b.phases[i].drift);
    EXPECT_EQ(a.phases[i].peak_hbm_gb, b.phases[i].peak_hbm_gb);
    EXPECT_EQ(a.phases[i].last_loss, b.phases[i].last_loss);
    EXPECT_EQ(a.phases[i].measured_iterations, b.phases[i].measured_iterations);
  }
}

void expect_same(const PhaseRecord& a, const PhaseRecord& b) {
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.side, b.side);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.exit, b.exit);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.directory, b.directory);
  EXPECT_EQ(a.manifest_sha256, b.manifest_sha256);
  EXPECT_EQ(a.proof, b.proof);
}

void expect_same(const AllocationRecord& a, const AllocationRecord& b) {
  EXPECT_EQ(a.job_id, b.job_id);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.submitted, b.submitted);
  EXPECT_EQ(a.granted, b.granted);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.foreign, b.foreign);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_EQ(a.scrubbed, b.scrubbed);
}

void expect_same(const GateRecord& a, const GateRecord& b) {
  EXPECT_EQ(a.run_id, b.run_id);
  EXPECT_EQ(a.command, b.command);
  EXPECT_EQ(a.tool_version, b.tool_version);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.started, b.started);
  EXPECT_EQ(a.finished, b.finished);
  EXPECT_EQ(a.signal, b.signal);
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.exit_code, b.exit_code);
  EXPECT_EQ(a.advisory, b.advisory);
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.reasons, b.reasons);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.config, b.config);
  ASSERT_EQ(a.legs.size(), b.legs.size());
  for (std::size_t i = 0; i < a.legs.size(); ++i)
    expect_same(a.legs[i], b.legs[i]);
  ASSERT_EQ(a.phases.size(), b.phases.size());
  for (std::size_t i = 0; i < a.phases.size(); ++i)
    expect_same(a.phases[i], b.phases[i]);
  ASSERT_EQ(a.allocation.has_value(), b.allocation.has_value());
  if (a.allocation) expect_same(*a.allocation, *b.allocation);
}

std::vector<GateRecord> records_of_each_verdict() {
  return {minimal_record(),     pass_record(),    regression_record(),
          missing_leg_record(), refused_record(), advisory_record(),
          cancelled_record(),   aba_record(),     full_record()};
}

std::string problems_of(const std::string& text) {
  const auto result = parse_record(text, "gate.json");
  if (result) return "";
  std::string out;
  for (const Diagnostic& problem : result.error())
    out += format(problem) + "\n";
  return out;
}

TEST(RecordJson, ReadsBackWhatItWrote) {
  for (const GateRecord& record : records_of_each_verdict()) {
    const std::string text = render_json(record);
    const auto again = parse_record(text, "gate.json");
    ASSERT_TRUE(again) << problems_of(text);
    expect_same(record, *again);
    EXPECT_EQ(render_json(*again), text);
  }
}

TEST(RecordJson, WholeText) {
  expect_golden("report/regression.json", render_json(regression_record()));
  expect_golden("report/minimal.json", render_json(minimal_record()));
  expect_golden("report/full.json", render_json(full_record()));
}

/// The keys of every object in a tree by the kind of its place (`/legs/*`).
void keys_by_place(const Json& value, const std::string& place,
                   std::map<std::string, std::vector<std::string>>& out) {
  std::vector<std::string> keys;
  for (const Json::Member& member : value.members()) {
    keys.push_back(member.key);
    keys_by_place(member.value, place + "/" + member.key, out);
  }
  for (const Json& item : value.items())
    keys_by_place(item, place + "/*", out);
  if (!value.is_object()) return;
  const auto [known, added] = out.emplace(place, keys);
  EXPECT_TRUE(added || known->second == keys) << place;
}

TEST(RecordJson, KeysAreAlwaysThereInOneOrder) {
  std::map<std::string, std::vector<std::string>> keys;
  for (GateRecord record : records_of_each_verdict()) {
    record.config = nullptr;
    keys_by_place(to_json(record), "", keys);
  }
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys[""],
            (Keys{"schema_version", "tool", "run_id", "command", "step", "verdict", "exit_code",
                  "advisory", "signal", "started", "finished", "order", "source", "reasons", "legs",
                  "phases", "allocation", "attempts", "config"}));
  EXPECT_EQ(keys["/tool"], (Keys{"name", "version"}));
  EXPECT_EQ(keys["/reasons/*"],
            (Keys{"code", "message", "side", "phase", "precision", "node", "weight", "evidence"}));
  EXPECT_EQ(keys["/reasons/*/evidence/*"], (Keys{"file", "line"}));
  EXPECT_EQ(keys["/legs/*"],
            (Keys{"precision", "metric", "unit", "baseline", "candidate", "ratio", "median_ratio",
                  "harmonic_ratio", "max_drop", "outcome", "phases"}));
  EXPECT_EQ(keys["/phases/*"],
            (Keys{"index", "side", "state", "start", "end", "exit", "nodes", "directory",
                  "manifest_sha256", "proof", "nodes_before", "nodes_after", "logs"}));
  EXPECT_EQ(keys["/phases/*/logs"],
            (Keys{"bytes_before", "bytes_after", "lines_folded", "copies", "removed", "problems"}));
  EXPECT_EQ(keys["/phases/*/exit"], (Keys{"kind", "number", "detail"}));
  EXPECT_EQ(keys["/allocation"], (Keys{"job_id", "nodes", "submitted", "granted", "ended",
                                       "foreign", "messages", "scrubbed"}));
}

TEST(RecordJson, UnknownKeysAreIgnored) {
  Json tree = to_json(pass_record());
  tree.set("later", Json::object({{"a", 1}}));
  tree.find("legs")->items()[0].set("later", 2);
  tree.find("tool")->set("later", 2);
  const auto result = parse_record(tree.dump(), "gate.json");
  ASSERT_TRUE(result) << problems_of(tree.dump());
  expect_same(pass_record(), *result);
}

TEST(RecordJson, ARecordCutAnywhereIsAnError) {
  const std::string text = render_json(full_record());
  for (std::size_t size = 0; size + 2 < text.size(); size += 17) {
    const auto result = parse_record(text.substr(0, size), "gate.json");
    ASSERT_FALSE(result) << size;
    ASSERT_FALSE(result.error().empty());
    EXPECT_GT(result.error()[0].position.line, 0);
  }
}

TEST(RecordJson, ANewerVersionIsRefusedAtOnce) {
  Json tree = to_json(pass_record());
  tree.set("schema_version", 2);
  tree.set("legs", "another shape");
  EXPECT_EQ(problems_of(tree.dump()),
            "gate.json:2:21: /schema_version: schema_version 2: written by a newer abgate; this "
            "one reads up to 1; read it with the abgate that wrote it\n");
  tree.set("schema_version", 0);
  EXPECT_EQ(problems_of(tree.dump()),
            "gate.json:2:21: /schema_version: 0 is out of range; give at least 1\n");
  EXPECT_EQ(problems_of("{}"),
            "gate.json:1:1: /schema_version: the key \"schema_version\" is missing\n");
  EXPECT_EQ(problems_of("[]"), "gate.json:1:1: expected an object, found an array\n");
}

/// The member at a path of keys and indexes.
Json& part(Json& root, const std::vector<std::string>& path) {
  Json* value = &root;
  for (const std::string& key : path)
    value = value->is_array() ? &value->items().at(std::stoul(key)) : value->find(key);
  return *value;
}

TEST(RecordJson, TypesAreStrict) {
  struct Case {
    std::vector<std::string> path;
    Json value;
    std::string_view problem;
  };
  const Case cases[] = {
      {{"verdict"},
       "GREEN",
       "/verdict: \"GREEN\" is not known; give one of PASS, REGRESSION, NO_VERDICT, INFRA"},
      {{"verdict"}, nullptr, "/verdict: expected a string, found null"},
      {{"exit_code"}, "0", "/exit_code: expected a whole number, found a string"},
      {{"exit_code"}, 0.5, "/exit_code: expected a whole number, found a number with a fraction"},
      {{"exit_code"}, 256, "/exit_code: 256 is out of range; give at least 0 and at most 255"},
      {{"advisory"}, nullptr, "/advisory: expected true or false, found null"},
      {{"signal"}, true, "/signal: expected a whole number, found true"},
      {{"signal"}, 0, "/signal: 0 is out of range; give at least 1 and at most 64"},
      {{"started"},
       "yesterday",
       "/started: \"yesterday\" is not a time; write it as 2026-11-01T10:00:00.000Z"},
      {{"finished"}, 5, "/finished: expected a string, found a whole number"},
      {{"order"},
       "abb",
       "/order: \"abb\" is not known (did you mean \"ab\"?); give one of ab, "
       "ba, aba, abba"},
      {{"source"},
       "memory",
       "/source: \"memory\" is not known; give one of perf.csv, per-model CSV, series"},
      {{"tool"}, "abgate", "/tool: expected an object, found a string"},
      {{"tool", "version"}, 1, "/tool/version: expected a string, found a whole number"},
      {{"legs"}, Json::object(), "/legs: expected an array, found an object"},
      {{"legs", "1"}, 7, "/legs/1: expected an object, found a whole number"},
      {{"legs", "1", "ratio"}, "0.9", "/legs/1/ratio: expected a number, found a string"},
      {{"legs", "1", "ratio"}, -1, "/legs/1/ratio: -1 is out of range; give more than 0"},
      {{"legs", "0", "baseline"}, 0, "/legs/0/baseline: 0 is out of range; give more than 0"},
      {{"legs", "0", "max_drop"}, nullptr, "/legs/0/max_drop: expected a number, found null"},
      {{"legs", "0", "outcome"},
       "fine",
       "/legs/0/outcome: \"fine\" is not known; give one of pass, regression, untrusted, missing"},
      {{"legs", "0", "phases", "1", "side"},
       "left",
       "/legs/0/phases/1/side: \"left\" is not known; give one of baseline, candidate"},
      {{"legs", "0", "phases", "0", "measured_iterations"},
       -1,
       "/legs/0/phases/0/measured_iterations: -1 is out of range; give at least 0"},
      {{"phases", "0", "index"}, 0, "/phases/0/index: 0 is out of range; give at least 1"},
      {{"phases", "0", "nodes"},
       Json::array({1}),
       "/phases/0/nodes/0: expected a string, found a whole number"},
      {{"phases", "0", "exit"}, 0, "/phases/0/exit: expected an object, found a whole number"},
      {{"phases", "0", "exit", "number"},
       1e10,
       "/phases/0/exit/number: expected a whole number, found a number with a fraction"},
      {{"allocation"}, Json::array(), "/allocation: expected an object, found an array"},
      {{"allocation", "foreign"},
       "no",
       "/allocation/foreign: expected true or false, found a "
       "string"},
      {{"reasons", "0", "weight"},
       "heavy",
       "/reasons/0/weight: \"heavy\" is not known; give one of distrust, regression, infra, leg, "
       "note"},
      {{"reasons", "1", "evidence", "0", "line"},
       -3,
       "/reasons/1/evidence/0/line: -3 is out of range; give at least 0"},
  };
  for (const Case& c : cases) {
    Json tree = to_json(regression_record());
    part(tree, c.path) = c.value;
    const std::string problems = problems_of(tree.dump());
    EXPECT_NE(problems.find(c.problem), std::string::npos) << c.problem << "\n" << problems;
    EXPECT_TRUE(problems.starts_with("gate.json:")) << problems;
  }
}

TEST(RecordJson, EveryRequiredKeyIsMissed) {
  const Json whole = to_json(regression_record());
  for (const char* key : {"tool", "run_id", "command", "step", "verdict", "exit_code", "advisory",
                          "order", "reasons", "legs", "phases"}) {
    Json tree = Json::object();
    for (const Json::Member& member : whole.members()) {
      if (member.key != key) tree.set(member.key, member.value);
    }
    EXPECT_NE(problems_of(tree.dump()).find("missing"), std::string::npos) << key;
  }
}

TEST(RecordJson, AllProblemsAreReportedAtOnce) {
  Json tree = to_json(regression_record());
  tree.set("run_id", 1);
  part(tree, {"legs", "1", "unit"}) = 2;
  part(tree, {"phases", "1", "state"}) = nullptr;
  const auto result = parse_record(tree.dump(), "gate.json");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().size(), 3U);
}

struct Lie {
  std::string_view what;
  void (*tell)(GateRecord&);
  std::string_view problem;
};

Reason reason_with(Weight weight) {
  Reason reason;
  reason.code = "x";
  reason.weight = weight;
  return reason;
}

TEST(Contradictions, ARecordThatLiesIsRefused) {
  const Lie lies[] = {
      {"PASS with exit code 1", [](GateRecord& r) { r.exit_code = 1; },
       "/exit_code: exit code 1 contradicts the verdict PASS: it should be 0"},
      {"PASS that a signal ended", [](GateRecord& r) { r.signal = 2; },
       "/exit_code: exit code 0 contradicts the verdict PASS after signal 2: it should be 130"},
      {"PASS without legs", [](GateRecord& r) { r.legs.clear(); },
       "/verdict: the verdict PASS is not what the legs and reasons of the record amount to: "
       "NO_VERDICT"},
      {"PASS with a leg that is missing",
       [](GateRecord& r) { r.legs[0].outcome = LegOutcome::missing; }, "/verdict: "},
      {"PASS with a leg that is not trusted",
       [](GateRecord& r) { r.legs[1].outcome = LegOutcome::untrusted; }, "/verdict: "},
      {"PASS with distrust", [](GateRecord& r) { r.reasons = {reason_with(Weight::distrust)}; },
       "/verdict: "},
      {"PASS with a leg's reason", [](GateRecord& r) { r.reasons = {reason_with(Weight::leg)}; },
       "/verdict: "},
      {"PASS with lost nodes", [](GateRecord& r) { r.reasons = {reason_with(Weight::infra)}; },
       "amount to: INFRA"},
      {"PASS over a red leg", [](GateRecord& r) { r.legs[1] = leg_of("FP8", 4410.2, 4000); },
       "amount to: REGRESSION"},
      {"a red ratio called pass",
       [](GateRecord& r) {
         r.legs[1] = leg_of("FP8", 1000, 979.9);
         r.legs[1].outcome = LegOutcome::pass;
       },
       "/legs/1: the outcome pass contradicts the ratio 0.9799 at a max_drop of 0.02"},
      {"a leg that passes without a number", [](GateRecord& r) { r.legs[0].candidate.reset(); },
       "/legs/0: the outcome pass needs a baseline, a candidate and a ratio"},
      {"a leg that passes without a ratio", [](GateRecord& r) { r.legs[0].ratio.reset(); },
       "/legs/0: the outcome pass needs"},
      {"a ratio of other numbers", [](GateRecord& r) { r.legs[0].ratio = 1.0; },
       "/legs/0: the ratio 1 is not candidate / baseline = 0.99929966915"},
      {"REGRESSION without a red leg",
       [](GateRecord& r) {
         r.verdict = Verdict::regression;
         r.exit_code = 1;
       },
       "amount to: PASS"},
      {"a green ratio called regression",
       [](GateRecord& r) {
         r.verdict = Verdict::regression;
         r.exit_code = 1;
         r.legs[0].outcome = LegOutcome::regression;
       },
       "/legs/0: the outcome regression contradicts the ratio"},
      {"a finished NO_VERDICT that hides a red leg",
       [](GateRecord& r) {
         r.legs[0] = leg_of("BF16", 8281.8, 8000);
         r.verdict = Verdict::no_verdict;
         r.exit_code = 3;
       },
       "amount to: REGRESSION"},
      {"INFRA that advice forgave",
       [](GateRecord& r) {
         r.reasons = {reason_with(Weight::infra)};
         r.verdict = Verdict::infra;
         r.advisory = true;
       },
       "exit code 0 contradicts the verdict INFRA of an advisory gate: it should be 4"},
      {"a finished advisory gate that still fails",
       [](GateRecord& r) {
         r.legs[0] = leg_of("BF16", 8281.8, 8000);
         r.verdict = Verdict::regression;
         r.advisory = true;
         r.exit_code = 1;
       },
       "exit code 1 contradicts the verdict REGRESSION of an advisory gate: it should be 0"},
  };
  for (const Lie& lie : lies) {
    GateRecord record = pass_record();
    ASSERT_TRUE(contradictions(record).empty());
    lie.tell(record);
    EXPECT_FALSE(contradictions(record).empty()) << lie.what;
    const std::string problems = problems_of(render_json(record));
    EXPECT_NE(problems.find(lie.problem), std::string::npos) << lie.what << "\n" << problems;
    EXPECT_TRUE(problems.starts_with("gate.json:")) << problems;
  }
}

TEST(Contradictions, TheLieIsPointedAt) {
  GateRecord record = pass_record();
  record.legs[1].ratio = 1.0;
  EXPECT_TRUE(problems_of(render_json(record)).starts_with("gate.json:214:5: /legs/1: "))
      << problems_of(render_json(record));
}

TEST(Contradictions, UnfinishedAndCancelledRecordsMayKnowLess) {
  GateRecord unfinished = minimal_record();
  unfinished.advisory = true;
  EXPECT_TRUE(contradictions(unfinished).empty());
  unfinished.exit_code = 0;
  EXPECT_TRUE(contradictions(unfinished).empty());
  GateRecord cancelled = cancelled_record();
  cancelled.reasons = {reason_with(Weight::infra)};
  EXPECT_TRUE(contradictions(cancelled).empty());
  GateRecord refused = refused_record();
  refused.finished.reset();
  refused.reasons.clear();
  EXPECT_TRUE(contradictions(refused).empty());
}

TEST(RecordJson, NumbersThatAreNotFiniteCannotPass) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    GateRecord record = pass_record();
    record.legs[0].ratio = bad;
    EXPECT_NE(problems_of(render_json(record)), "");
  }
}

}  // namespace
}  // namespace abgate::report
