#include <string>

#include <gtest/gtest.h>

#include <abgate/metrics/layout.hpp>

#include "phase_files.hpp"

namespace abgate::metrics {
namespace {

using List = std::vector<std::string>;

const std::string model = "primus_pyt_megatron_lm_train_gpt-oss-120b";

std::string flat(const std::string& job, const std::string& node, const std::string& ending) {
  return "slurm_output/madengine-" + model + "_" + job + "_node_" + node + ending;
}

std::string folder(const std::string& tag, const std::string& node, const std::string& name) {
  return "slurm_output/" + model + "/" + tag + "/node_" + node + "/" + name;
}

const std::string csv_name = "perf_primus-megatron-GPT-OSS-120B.csv";

TEST(Layout, OfARunWithItsOwnJob) {
  const PhaseLayout layout = classify(phase_files::list("gptoss-baseline"), csv_name);
  EXPECT_EQ(layout.phase_json, "");
  EXPECT_EQ(layout.exit_code, "exit_code");
  EXPECT_EQ(layout.engine_log, "phase.stdout");
  EXPECT_EQ(layout.perf_csv, "perf.csv");
  EXPECT_EQ(layout.entry_super, "perf_entry_super.json");
  EXPECT_EQ(layout.jobs, (List{"21"}));
  ASSERT_EQ(layout.nodes.size(), 2U);
  for (const std::string index : {"0", "1"}) {
    const NodeFiles& node = layout.nodes[index == "0" ? 0 : 1];
    EXPECT_EQ(node.model, model);
    EXPECT_EQ(node.job, "21");
    EXPECT_EQ(node.run_tag, "");
    EXPECT_EQ(node.node_index, index);
    EXPECT_EQ(node.log, flat("21", index, ".out"));
    EXPECT_EQ(node.log_source, LogSource::flat);
    EXPECT_EQ(node.error_log, flat("21", index, ".err"));
    EXPECT_EQ(node.model_csvs, (List{folder("21", index, csv_name)}));
  }
  EXPECT_EQ(layout.ignored.size(), 6U) << "stdout.out, stderr.err and the live log of two nodes";
}

TEST(Layout, OfAnInPlacePhaseThatHoldsLiveLogsOfThePhaseBefore) {
  const PhaseLayout layout = classify(phase_files::list("gptoss-inplace/2-candidate"), csv_name);
  EXPECT_EQ(layout.engine_log, "engine.log") << "not the copies in the node folders";
  EXPECT_EQ(layout.jobs, (List{"40"}));
  ASSERT_EQ(layout.nodes.size(), 2U);
  for (const NodeFiles& node : layout.nodes)
    EXPECT_EQ(node.log_source, LogSource::flat);
  int live = 0;
  for (const std::string& path : layout.ignored)
    live += path.ends_with(".run.live.log") ? 1 : 0;
  EXPECT_EQ(live, 4);
}

TEST(Layout, OfARunThatLeftANodeFolderHalfFilled) {
  const PhaseLayout layout = classify(phase_files::list("gptoss-candidate-oom-at-5"), csv_name);
  ASSERT_EQ(layout.nodes.size(), 2U);
  EXPECT_EQ(layout.nodes[1].log, flat("25", "1", ".out"));
  EXPECT_EQ(layout.nodes[1].error_log, flat("25", "1", ".err"));
  EXPECT_TRUE(layout.nodes[1].model_csvs.empty());
}

TEST(Layout, TakesTheNextCopyWhenOneIsMissing) {
  const std::string out = flat("25", "0", ".out");
  const std::string err = flat("25", "0", ".err");
  const std::string stdout_copy = folder("25", "0", "stdout.out");
  const std::string stderr_copy = folder("25", "0", "stderr.err");
  const std::string live = folder("25", "0", "m_rocm_primus_v26.4.run.live.log");
  const std::string other = folder("25", "0", "m_other.run.live.log");
  struct Case {
    const char* what;
    List paths;
    std::string log;
    LogSource source;
    std::string error_log;
    List ignored;
  };
  const std::vector<Case> cases = {
      {"all",
       {live, stdout_copy, stderr_copy, out, err},
       out,
       LogSource::flat,
       err,
       {live, stderr_copy, stdout_copy}},
      {"no flat log",
       {live, stdout_copy, stderr_copy, err},
       stdout_copy,
       LogSource::folder,
       err,
       {live, stderr_copy}},
      {"no flat error log", {out, stderr_copy}, out, LogSource::flat, stderr_copy, {}},
      {"the live log alone", {live, err}, live, LogSource::live_copy, err, {}},
      {"two live logs: one is stale", {live, other, err}, "", LogSource::none, err, {other, live}},
      {"an error log alone", {err}, "", LogSource::none, err, {}},
  };
  for (const Case& c : cases) {
    const PhaseLayout layout = classify(c.paths);
    ASSERT_EQ(layout.nodes.size(), 1U) << c.what;
    EXPECT_EQ(layout.nodes[0].log, c.log) << c.what;
    EXPECT_EQ(layout.nodes[0].log_source, c.source) << c.what;
    EXPECT_EQ(layout.nodes[0].error_log, c.error_log) << c.what;
    List ignored = c.ignored;
    std::sort(ignored.begin(), ignored.end());
    EXPECT_EQ(layout.ignored, ignored) << c.what;
  }
}

TEST(Layout, ListsEveryJobAndSortsByNumber) {
  const PhaseLayout layout = classify({flat("100", "0", ".out"), flat("21", "10", ".out"),
                                       flat("21", "2", ".out"), folder("9", "0", "stdout.out")});
  EXPECT_EQ(layout.jobs, (List{"9", "21", "100"}));
  ASSERT_EQ(layout.nodes.size(), 4U);
  EXPECT_EQ(layout.nodes[0].job, "9");
  EXPECT_EQ(layout.nodes[0].log_source, LogSource::folder);
  EXPECT_EQ(layout.nodes[1].node_index, "2");
  EXPECT_EQ(layout.nodes[2].node_index, "10");
  EXPECT_EQ(layout.nodes[3].job, "100");
}

TEST(Layout, AFolderMayLackTheRunTagOrTheJob) {
  const std::string tag = "20261101100000_a1b2c3";
  for (const std::string& name : {"40_" + tag, std::string("40"), tag}) {
    const PhaseLayout layout =
        classify({folder(name, "0", "stdout.out"), folder(name, "0", csv_name),
                  flat("40_" + tag, "0", ".out")});
    ASSERT_EQ(layout.nodes.size(), 1U) << name;
    EXPECT_EQ(layout.nodes[0].job, "40") << name;
    EXPECT_EQ(layout.nodes[0].run_tag, tag) << name;
    EXPECT_EQ(layout.nodes[0].log, flat("40_" + tag, "0", ".out")) << name;
    EXPECT_EQ(layout.nodes[0].model_csvs, (List{folder(name, "0", csv_name)})) << name;
    EXPECT_EQ(layout.ignored, (List{folder(name, "0", "stdout.out")})) << name;
  }
}

TEST(Layout, ACopyOfOneOfTwoRunsIsNotReadAgain) {
  const PhaseLayout layout =
      classify({flat("40_20261101100000_a1b2c3", "0", ".out"),
                flat("40_20261101110000_d4e5f6", "0", ".out"), folder("40", "0", "stdout.out")});
  EXPECT_EQ(layout.jobs, (List{"40"}));
  EXPECT_EQ(layout.ignored, (List{folder("40", "0", "stdout.out")}));
  int logs = 0;
  for (const NodeFiles& node : layout.nodes)
    logs += node.log.empty() ? 0 : 1;
  EXPECT_EQ(logs, 2);
}

TEST(Layout, KnowsThePerModelCsvByNameOrByPattern) {
  const List paths = {folder("1", "0", csv_name),        folder("1", "0", "perf_other.csv"),
                      folder("1", "0", "m_env.csv"),     folder("1", "0", "perf_m_env.csv"),
                      folder("1", "0", "perf.csv"),      folder("1", "0", "perf_entry.csv"),
                      folder("1", "0", "perf_super.csv")};
  EXPECT_EQ(classify(paths, csv_name).nodes.at(0).model_csvs, (List{folder("1", "0", csv_name)}));
  EXPECT_EQ(classify(paths).nodes.at(0).model_csvs,
            (List{folder("1", "0", "perf_other.csv"), folder("1", "0", csv_name)}));
}

TEST(Layout, FindsTheFilesOfAPhaseOfOurs) {
  const PhaseLayout layout =
      classify({"./phase.json", "engine.log", "phase.stdout", "./" + flat("1", "0", ".out")});
  EXPECT_EQ(layout.phase_json, "phase.json");
  EXPECT_EQ(layout.engine_log, "engine.log");
  ASSERT_EQ(layout.nodes.size(), 1U);
  EXPECT_EQ(layout.nodes[0].log, flat("1", "0", ".out"));
}

TEST(Layout, LeavesOtherFilesAlone) {
  const PhaseLayout layout = classify(
      {"slurm_output/madengine-" + model + "_25_0.out", "scripts/perf.csv", "sub/engine.log",
       "scripts/" + flat("1", "0", ".out"), folder("1", "x", "stdout.out"),
       "a/b/c/node_0/stdout.out", folder("1", "0", "deep/stdout.out"), "", "/"});
  EXPECT_TRUE(layout.nodes.empty());
  EXPECT_TRUE(layout.jobs.empty());
  EXPECT_TRUE(layout.ignored.empty());
  EXPECT_EQ(layout.perf_csv, "");
  EXPECT_EQ(layout.engine_log, "");
}

}  // namespace
}  // namespace abgate::metrics
