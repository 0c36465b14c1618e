#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abgate/base/hash.hpp>
#include <abgate/plan/plan.hpp>

#include "../src/plan/layout.hpp"
#include "sample_config.hpp"
#include "support/golden.hpp"

namespace abgate::plan {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using Arguments = std::vector<std::string>;

TEST(Salloc, AsksForWholeNodesByTheClustersSelectors) {
  EXPECT_THAT(salloc_argv(gpt_oss_config(), "abgate-x"),
              ElementsAre("salloc", "--job-name=abgate-x", "--nodes=2", "--partition=meta64",
                          "--time=04:00:00", "--exclusive", "--kill-command=TERM", "--no-bell"));
}

TEST(Salloc, GivesEverySelectorThatIsSet) {
  GateConfig config = gpt_oss_config();
  config.cluster.qos = "high";
  config.cluster.account = "rccl";
  config.cluster.reservation = "gate";
  config.cluster.gres = "--gres=gpu:8";
  config.cluster.exclusive = false;
  config.cluster.extra_salloc_args = {"--comment=a b", "--mem=0"};
  config.nodelist = "a[1-2]";
  config.exclude = "a9";
  config.nodes = 2;
  config.workload.time_limit = std::chrono::hours(30);
  EXPECT_THAT(salloc_argv(config, "j"),
              ElementsAre("salloc", "--job-name=j", "--nodes=2", "--partition=meta64", "--qos=high",
                          "--account=rccl", "--reservation=gate", "--nodelist=a[1-2]",
                          "--exclude=a9", "--time=1-06:00:00", "--gres=gpu:8",
                          "--kill-command=TERM", "--no-bell", "--comment=a b", "--mem=0"));
}

TEST(Salloc, GivesNoGpuOptionWithoutGres) {
  for (const std::string& argument : salloc_argv(gpt_oss_config(), "j")) {
    EXPECT_THAT(argument, Not(HasSubstr("gpu")));
    EXPECT_THAT(argument, Not(HasSubstr("gres")));
  }
}

TEST(Salloc, TakesNothingWhereNothingIsAllocated) {
  GateConfig config = gpt_oss_config();
  config.launcher = Launcher::local;
  EXPECT_THAT(salloc_argv(config, "j"), IsEmpty());
  config.launcher = Launcher::slurm;
  config.use_allocation = true;
  EXPECT_THAT(salloc_argv(config, "j"), IsEmpty());
}

TEST(Engine, IsRunOnTheManifestOfItsDirectory) {
  GateConfig config = gpt_oss_config();
  EXPECT_THAT(engine_argv(config), ElementsAre("madengine", "run", "-m", "manifest.json", "-o",
                                               "perf.csv", "--live-output", "--verbose"));
  config.engine = "/opt/x/engine";
  EXPECT_EQ(engine_argv(config).front(), "/opt/x/engine");
  config.engine.clear();
  EXPECT_EQ(engine_argv(config).front(), "madengine");
}

TEST(Plan, NumbersThePhasesInTheirOrder) {
  const struct {
    Order order;
    Arguments directories;
  } cases[] = {
      {Order::ab, {"phases/1-baseline", "phases/2-candidate"}},
      {Order::ba, {"phases/1-candidate", "phases/2-baseline"}},
      {Order::aba, {"phases/1-baseline", "phases/2-candidate", "phases/3-baseline"}},
      {Order::abba,
       {"phases/1-baseline", "phases/2-candidate", "phases/3-candidate", "phases/4-baseline"}},
  };
  for (const auto& c : cases) {
    GateConfig config = gpt_oss_config();
    config.order = c.order;
    const GatePlan plan = make_plan(config, "r1");
    ASSERT_EQ(plan.phases.size(), c.directories.size());
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
      const PhasePlan& phase = plan.phases[i];
      EXPECT_EQ(phase.index, static_cast<int>(i) + 1);
      EXPECT_EQ(phase.directory, c.directories[i]);
      EXPECT_EQ(phase.manifest, make_manifest(config, phase.side).dump());
      EXPECT_EQ(phase.manifest_sha256, hash::sha256(phase.manifest));
    }
  }
}

TEST(Plan, NamesTheAllocationLikeTheRun) {
  EXPECT_THAT(make_plan(gpt_oss_config(), "20261101-x").salloc_argv,
              Contains("--job-name=abgate-20261101-x"));
}

GatePlan full_plan(GateConfig config) {
  add_mounts(config);
  config.candidate.env = {{"NCCL_DEBUG", "INFO"}};
  return make_plan(config, "r1");
}

TEST(Text, MatchesTheGoldenFiles) {
  test::expect_golden("plan/gpt-oss-120b-training.txt", render_text(full_plan(gpt_oss_config())));
  GateConfig llama = llama_config();
  llama.order = Order::aba;
  llama.candidate = llama.baseline;
  test::expect_golden("plan/llama-3.1-70b-training-equal.txt", render_text(make_plan(llama, "r1")));
  GateConfig local = llama_config();
  local.launcher = Launcher::local;
  test::expect_golden("plan/llama-3.1-70b-training-local.txt", render_text(make_plan(local, "r1")));
}

TEST(Text, FitsATerminalAndCannotDriveIt) {
  GateConfig config = gpt_oss_config();
  config.workload.name = "evil\x1b[2Jname";
  config.origins["workload.name"] = "x\x07y";
  config.candidate.image = std::string(300, 'i');
  config.workload.env.emplace_back("LONG", std::string(500, 'x'));
  config.workload.env.emplace_back("UMLAUT", "gr\xc3\xbc\xc3\x9f" + std::string(90, 'e'));
  config.workload.results_csv = "a\nb";
  std::istringstream lines(render_text(make_plan(config, "r1")));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(columns_of(line), page_width) << line;
    EXPECT_TRUE(std::none_of(line.begin(), line.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20;
    })) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
  EXPECT_GT(count, 60);
}

TEST(Text, HidesWhatLooksSecret) {
  GateConfig config = gpt_oss_config();
  config.workload.env.emplace_back("HF_TOKEN", "do-not-show-me");
  const std::string text = render_text(make_plan(config, "r1"));
  EXPECT_THAT(text, HasSubstr("env.HF_TOKEN"));
  EXPECT_THAT(text, Not(HasSubstr("do-not-show-me")));
}

TEST(Text, ShowsTheOriginOfWhatAFileSaysAsAWhole) {
  const std::string text = render_text(make_plan(gpt_oss_config(), "r1"));
  EXPECT_THAT(text, HasSubstr("workload.metric"));
  EXPECT_THAT(text, HasSubstr("gpt-oss-120b-training.json:1:1"));
  EXPECT_THAT(text, HasSubstr("\n  /usr/share/abgate/configs/clusters/ruby.json\n"));
}

TEST(Text, KeepsWholeNamesOfFilesThatShareTheLast) {
  GateConfig config = gpt_oss_config();
  config.origins["cluster"] = "a/same.json:1:1";
  config.origins["workload"] = "b/same.json:2:2";
  const std::string text = render_text(make_plan(config, "r1"));
  EXPECT_THAT(text, HasSubstr("a/same.json:1:1"));
  EXPECT_THAT(text, HasSubstr("b/same.json:2:2"));
}

TEST(PlanJson, MatchesTheGoldenFile) {
  Json effective = Json::object();
  effective.set("workload", "as the configuration says");
  test::expect_golden("plan/llama-3.1-70b-training.plan.json",
                      render_json(full_plan(llama_config()), effective).dump());
}

TEST(PlanJson, HoldsTheManifestsThatWereHashed) {
  const GatePlan plan = make_plan(gpt_oss_config(), "r1");
  const Json json = render_json(plan, Json::object());
  const Json* const phases = json.find("phases");
  ASSERT_NE(phases, nullptr);
  ASSERT_EQ(phases->items().size(), 2U);
  for (const Json& phase : phases->items()) {
    EXPECT_EQ(hash::sha256(phase.find("manifest")->dump()),
              phase.find("manifest_sha256")->as_string());
    EXPECT_THAT(phase.find("manifest_path")->as_string(), StartsWith("phases/"));
  }
}

}  // namespace
}  // namespace abgate::plan
