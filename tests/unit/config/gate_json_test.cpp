#include <gmock/gmock.h>

#include "config_files.hpp"

namespace abgate::config {
namespace {

using testing::HasSubstr;

/// Options that fill every member of the gate.
Options full_options() {
  Options o;
  o.order = "aba";
  o.max_drop = {"BF16=0.0125"};
  o.candidate_library = "/b/lib";
  o.candidate_library_files = {"librccl.so.1", "rccl_x.kpack"};
  o.baseline_env = {"B=1"};
  o.candidate_env = {"A=", "C=x y"};
  o.candidate_rccl = "develop:e711c9e";
  o.advisory = o.allow_log_metric = o.accept_engine_exit = o.same_build = true;
  o.baseline_image_local = true;
  o.engine = "/e";
  o.scripts_dir = "/s";
  o.work_dir = "w";
  o.results_dir = "r";
  o.phase_timeout = "61s";
  return o;
}

std::string round_trip(const GateConfig& gate) {
  const std::string text = to_json(gate).dump();
  const auto json = parse_json(text, "gate.json");
  EXPECT_TRUE(json);
  const auto back = from_json(*json, "gate.json");
  EXPECT_TRUE(back) << lines_of(back ? Diagnostics() : back.error());
  if (!back) return {};
  EXPECT_EQ(gate.origins, back->origins);
  EXPECT_EQ(gate.max_drop, back->max_drop);
  EXPECT_EQ(gate.environment_of(Side::baseline), back->environment_of(Side::baseline));
  EXPECT_EQ(gate.environment_of(Side::candidate), back->environment_of(Side::candidate));
  EXPECT_EQ(gate.candidate.library_mounts, back->candidate.library_mounts);
  EXPECT_EQ(gate.workload.reference_values, back->workload.reference_values);
  EXPECT_EQ(gate.workload.time_limit, back->workload.time_limit);
  EXPECT_EQ(gate.workload.engine_timeout, back->workload.engine_timeout);
  EXPECT_EQ(gate.budgets.phase, back->budgets.phase);
  EXPECT_EQ(gate.nodes, back->nodes);
  EXPECT_EQ(gate.order, back->order);
  return to_json(*back).dump();
}

TEST(GateJson, EveryShippedPairComesBackAsItWas) {
  int pairs = 0;
  for (const auto& workload : {"gpt-oss-120b-training", "llama-3.1-70b-training", "demo"}) {
    for (const auto& cluster : {"ruby", "local"}) {
      Options plain;
      plain.candidate_image = "x:1";
      for (const Options& options : {plain, full_options()}) {
        const auto resolved =
            resolve(shipped_workload(workload), shipped_cluster(cluster), options);
        ASSERT_TRUE(resolved.value) << lines_of(resolved.diagnostics);
        EXPECT_EQ(to_json(*resolved.value).dump(), round_trip(*resolved.value));
        ++pairs;
      }
    }
  }
  EXPECT_EQ(12, pairs);
}

TEST(GateJson, HoldsEveryMemberOfAFullGate) {
  const auto gate = resolve(shipped_workload("demo"), shipped_cluster("ruby"), full_options());
  ASSERT_TRUE(gate.value) << lines_of(gate.diagnostics);
  const Json json = to_json(*gate.value);
  for (const char* key :
       {"workload", "cluster", "baseline", "candidate", "candidate_rccl", "same_build", "nodes",
        "order", "max_drop", "launcher", "engine", "scripts_dir", "use_allocation", "advisory",
        "allow_log_metric", "work_dir", "results_dir", "budgets", "origins"}) {
    EXPECT_NE(nullptr, json.find(key)) << key;
  }
  EXPECT_EQ("aba", json.find("order")->as_string());
  EXPECT_EQ("00:01:01", json.at({"budgets", "phase"})->as_string());
  EXPECT_EQ(0.0125, json.at({"max_drop", "BF16"})->as_number());
  EXPECT_EQ("--max-drop", json.at({"origins", "max_drop.BF16"})->as_string());
}

// LESSONS 33. Such values are refused on the way in; a gate made otherwise must not leak them.
TEST(GateJson, ValuesThatLookSecretNeverAppear) {
  const auto resolved = resolve(shipped_workload("demo"), shipped_cluster("ruby"), full_options());
  ASSERT_TRUE(resolved.value);
  GateConfig gate = *resolved.value;
  const std::string token = "hf_" + std::string(34, 'q');
  gate.candidate.env.emplace_back("HF_TOKEN", "qqqqqqqq");
  gate.workload.env.emplace_back("NOTE", token);
  gate.cluster.docker_options.push_back("--env=X=" + token);
  gate.workload.description = token;
  const std::string text = to_json(gate).dump();
  EXPECT_THAT(text, testing::Not(HasSubstr("qqqq")));
  EXPECT_THAT(text, HasSubstr("HF_TOKEN"));
}

TEST(GateJson, ABrokenRecordIsRefusedWithEveryPlace) {
  const auto resolved = resolve(shipped_workload("demo"), shipped_cluster("ruby"), full_options());
  ASSERT_TRUE(resolved.value);
  Json json = to_json(*resolved.value);
  json.set("nodes", "two");
  json.set("order", "aab");
  json.find("max_drop")->set("BF16", 7);
  json.find("budgets")->set("run", "x");
  json.find("cluster")->set("partitoin", "x");
  json.set("later", 1);
  const auto back = from_json(json, "gate.json");
  ASSERT_FALSE(back);
  const std::string problems = lines_of(back.error());
  for (const char* part : {"/nodes: expected a whole number", "/order: \"aab\" is not known",
                           "/max_drop/BF16: 7 is out of range", "/budgets/run: \"x\" is not",
                           "/cluster/partitoin: unknown key", "/later: unknown key"}) {
    EXPECT_THAT(problems, HasSubstr(part));
  }
  EXPECT_FALSE(from_json(Json(3), "gate.json"));
  EXPECT_FALSE(from_json(Json::object(), "gate.json"));
}

}  // namespace
}  // namespace abgate::config
