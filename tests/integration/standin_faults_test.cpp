// Each fault of the stand-in engine does what tests/standin/README.md says.

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <abgate/base/number.hpp>

#include "standin_phase.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
namespace fs = std::filesystem;

constexpr const char* celebration = "🎉 All model executions completed successfully!";
constexpr const char* model_csv = "perf_primus-megatron-GPT-OSS-120B.csv";

/// A phase that ran to its end with these faults.
class Faulty : public StandinPhase {
 public:
  explicit Faulty(const std::string& faults, const std::string& work = "0.1")
      : StandinPhase(Variables{{"ABGATE_STANDIN_FAULT", faults}, {"ABGATE_STANDIN_WORK", work}}),
        result(run()) {}

  std::vector<std::string> lines_with(const std::string& log_end, const std::string& text) const {
    std::vector<std::string> found;
    for (const auto& line : lines_of(log_text(log_end)))
      if (line.find(text) != std::string::npos) found.push_back(line);
    return found;
  }
  /// `15/15` and the like of the last iteration line.
  std::string last_iteration(const std::string& precision_marker_gb) const {
    std::string last;
    static const std::regex form(R"(iteration +(\d+)/ +(\d+))");
    for (const auto& line : iteration_lines("node_1.out")) {
      std::smatch match;
      if (line.find(precision_marker_gb) != std::string::npos &&
          std::regex_search(line, match, form))
        last = match[1].str() + "/" + match[2].str();
    }
    return last;
  }

  ProgramResult result;
};

// The peak memory tells the legs' lines apart (fixture).
constexpr const char* bf16_line = "182.60GB";
constexpr const char* fp8_line = "191.60GB";

TEST(StandinFault, silent_success) {
  const Faulty phase("silent-success");
  EXPECT_EQ(phase.result.exit, 0);
  EXPECT_THAT(phase.result.out, HasSubstr(celebration));
  EXPECT_FALSE(fs::exists(phase.path("perf.csv")));
}

TEST(StandinFault, refused_submission) {
  const Faulty phase("refused-submission");
  EXPECT_EQ(phase.result.exit, 0);
  EXPECT_THAT(phase.result.out, AllOf(HasSubstr("✗ Deployment to slurm failed"),
                                      HasSubstr("sbatch: error: Batch job submission failed"),
                                      HasSubstr(celebration)));
  EXPECT_FALSE(fs::exists(phase.path("perf.csv")));
}

TEST(StandinFault, second_job) {
  const Faulty phase("second-job");
  const std::regex form("✓ Submitted SLURM job: ([0-9]+)\n");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(phase.result.out, match, form));
  EXPECT_THAT(phase.perf_csv().column("machine_name"), Each(match[1].str()));
}

TEST(StandinFault, stop_at) {
  const Faulty phase("stop-at:5:FP8");
  EXPECT_EQ(phase.result.exit, 0);
  EXPECT_EQ(phase.last_iteration(bf16_line), "15/15");
  EXPECT_EQ(phase.last_iteration(fp8_line), "5/15");
  EXPECT_THAT(phase.perf_csv().rows, SizeIs(8));
  EXPECT_THAT(phase.log_text("node_1.err"), HasSubstr("madengine exited with code 0"));
}

TEST(StandinFault, stop_at_without_a_precision_stops_every_leg) {
  const Faulty phase("stop-at:5");
  EXPECT_EQ(phase.last_iteration(bf16_line), "5/15");
  EXPECT_EQ(phase.last_iteration(fp8_line), "5/15");
}

TEST(StandinFault, oom_at) {
  const Faulty phase("oom-at:5:FP8");
  EXPECT_EQ(phase.result.exit, 0);
  EXPECT_THAT(phase.result.out, AllOf(HasSubstr("✗ Deployment to slurm failed"),
                                      HasSubstr("failed: FAILED"), HasSubstr(celebration)));
  EXPECT_THAT(phase.lines_with("node_1.out", "torch.OutOfMemoryError: HIP out of memory"),
              SizeIs(1));
  EXPECT_EQ(phase.last_iteration(fp8_line), "5/15");
  EXPECT_THAT(phase.log_text("node_1.err"), AllOf(HasSubstr("task script exiting with code 3"),
                                                  Not(HasSubstr("madengine exited"))));
  EXPECT_THAT(phase.log_text("node_0.err"), HasSubstr("task script exiting with code 0"));
  EXPECT_THAT(phase.perf_csv().column("status"),
              ElementsAre("SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS",
                          "SUCCESS", "SUCCESS"));
  // As in the fixture, the failed node left its stdout only.
  EXPECT_FALSE(fs::exists(phase.node_folder(1) / model_csv));
}

TEST(StandinFault, header_only_csv) {
  const Faulty phase("header-only-csv");
  EXPECT_EQ(phase.result.exit, 0);
  EXPECT_THAT(lines_of(read_text(phase.node_folder(1) / model_csv)), SizeIs(1));
  EXPECT_THAT(phase.perf_csv().header, SizeIs(29));
  EXPECT_THAT(phase.perf_csv().rows, IsEmpty());
}

TEST(StandinFault, first_node_header_only) {
  const Faulty phase("first-node-header-only");
  EXPECT_THAT(lines_of(read_text(phase.node_folder(0) / model_csv)), SizeIs(1));
  EXPECT_THAT(lines_of(read_text(phase.node_folder(1) / model_csv)), SizeIs(9));
  EXPECT_THAT(phase.perf_csv().rows, SizeIs(8));
}

TEST(StandinFault, unsupported_config) {
  const Faulty phase("unsupported-config");
  const Table csv = Table::read(phase.node_folder(1) / model_csv);
  EXPECT_THAT(csv.header, SizeIs(10));
  EXPECT_THAT(csv.column("precision"), ElementsAre("FP8", "FP8"));
  EXPECT_THAT(csv.column("performance"), Each(""));
  EXPECT_THAT(phase.perf_csv().column("status"), Each("FAILURE"));
}

TEST(StandinFault, nan_row) {
  const Faulty phase("nan-row");
  const auto rows = phase.perf_csv().rows;
  ASSERT_THAT(rows, SizeIs(8));
  EXPECT_EQ(rows[6].at("metric"), "tok_per_s_per_gpu_avg");
  EXPECT_EQ(rows[6].at("precision"), "FP8");
  EXPECT_EQ(rows[6].at("performance"), "");
  EXPECT_THAT(read_text(phase.path("perf_entry_super.json")), HasSubstr("\"performance\": NaN,"));
  EXPECT_THAT(read_text(phase.node_folder(1) / model_csv), HasSubstr("GPT-OSS-120B,nan,tok"));
}

TEST(StandinFault, nan_loss) {
  const Faulty phase("nan-loss:BF16");
  EXPECT_THAT(phase.lines_with("node_1.out", "grad norm: nan"), SizeIs(13));
  for (const auto& line : phase.lines_with("node_1.out", "grad norm: nan"))
    EXPECT_THAT(line,
                AllOf(HasSubstr(bf16_line), Not(HasSubstr("lm loss")),
                      HasSubstr("nan iterations:   0"), HasSubstr("skipped iterations:   0")));
}

/// The printed times of one leg.
std::vector<double> times(const Faulty& phase, const std::string& leg) {
  std::vector<double> found;
  static const std::regex form(R"(iteration \(ms\): ([\d.]+))");
  for (const auto& line : phase.iteration_lines("node_1.out")) {
    std::smatch match;
    if (line.find(leg) != std::string::npos && std::regex_search(line, match, form))
      found.push_back(std::stod(match[1]));
  }
  return found;
}

/// How much longer the profiled iteration took than the leg's median one.
double profiled_factor(const Faulty& phase, const std::string& leg) {
  auto all = times(phase, leg);
  if (all.size() < 10) return 0;
  const double profiled = all[6];
  std::sort(all.begin(), all.end());
  return profiled / all[all.size() / 2];
}

// Enough work that a measured factor stays near the real one on a busy machine.
constexpr const char* measurable_work = "0.5";

TEST(StandinFault, ignored_knobs) {
  const Faulty phase("ignored-knobs", measurable_work);
  EXPECT_EQ(phase.last_iteration(bf16_line), "10/10");
  EXPECT_NEAR(profiled_factor(phase, bf16_line), 3.2, 0.9);
}

TEST(StandinFault, profiler) {
  const Faulty phase("profiler", measurable_work);
  EXPECT_EQ(phase.last_iteration(fp8_line), "15/15");
  EXPECT_NEAR(profiled_factor(phase, bf16_line), 3.2, 0.9);
  EXPECT_NEAR(profiled_factor(phase, fp8_line), 3.7, 0.9);
}

TEST(StandinFault, stock_library_on_node) {
  StandinPhase phase(Variables{{"ABGATE_STANDIN_FAULT", "stock-library-on-node:1"},
                               {"ABGATE_STANDIN_RCCL", "2.30.4-develop:e711c9e"}});
  ASSERT_EQ(phase.run().exit, 0);
  EXPECT_THAT(phase.log_text("node_0.out"), HasSubstr("RCCL version : 2.30.4-develop:e711c9e"));
  EXPECT_THAT(phase.log_text("node_1.out"), HasSubstr("RCCL version : 2.27.7-HEAD:0d2c4fd"));
}

TEST(StandinFault, banners_can_be_missing_or_say_nothing) {
  const Faulty none("no-banner");
  EXPECT_THAT(none.log_text("node_0.out"), Not(HasSubstr("RCCL version")));
  const Faulty unknown("unknown-banner");
  EXPECT_THAT(unknown.log_text("node_0.out"), HasSubstr("RCCL version 2.20.5+hip6.2 Unknown\n"));
}

TEST(StandinFault, sockets) {
  const Faulty phase("sockets");
  for (const std::string log : {"node_0.out", "node_1.out"})
    EXPECT_THAT(phase.lines_with(log, "NET/Socket : Using [0]fenic0:"), SizeIs(16));
}

TEST(StandinFault, hang) {
  const Faulty phase("hang:1");
  EXPECT_GE(phase.result.elapsed, std::chrono::seconds(1));
  EXPECT_THAT(phase.perf_csv().rows, SizeIs(8));
}

TEST(StandinFault, spam) {
  const Faulty phase("spam:300");
  for (const std::string log : {"node_0.out", "node_1.out"})
    EXPECT_THAT(phase.lines_with(log, "ncclAllToAllv is deprecated"), SizeIs(600));
  const auto lines = lines_of(phase.log_text("node_1.out"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].find("ncclAllToAllv") == std::string::npos) continue;
    EXPECT_EQ(lines[i - 1], "");
  }
}

TEST(StandinFault, stray_child) {
  const Faulty phase("stray-child");
  EXPECT_EQ(phase.result.exit, 0);
  // It left its session and its parent; only its name and its folder tell it from others.
  pid_t stray = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const auto pid = number::parse_integer(entry.path().filename().string());
    std::error_code gone;
    if (!pid || fs::read_symlink(entry.path() / "cwd", gone) != phase.path(".").parent_path())
      continue;
    std::ifstream in(entry.path() / "cmdline");
    const std::string command(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>{});
    if (command.find("stray") != std::string::npos) stray = static_cast<pid_t>(*pid);
  }
  ASSERT_GT(stray, 0);
  EXPECT_NE(getsid(stray), getsid(0));
  kill(stray, SIGKILL);
}

TEST(StandinFault, missing_leg) {
  const Faulty phase("missing-leg:BF16");
  EXPECT_THAT(phase.log_text("node_0.out"), Not(HasSubstr("- BF16 - pretrain")));
  EXPECT_THAT(phase.perf_csv().column("precision"), ElementsAre("FP8", "FP8", "FP8", "FP8"));
}

TEST(StandinFault, exit_with_complete_rows) {
  const Faulty phase("exit:3");
  EXPECT_EQ(phase.result.exit, 3);
  EXPECT_THAT(phase.perf_csv().rows, SizeIs(8));
}

TEST(StandinFault, crash) {
  const Faulty engine("crash");
  EXPECT_EQ(engine.result.signal, SIGSEGV);
  EXPECT_FALSE(fs::exists(engine.path("perf.csv")));
  const Faulty node("crash:node");
  EXPECT_EQ(node.result.exit, 0);
  EXPECT_THAT(node.result.out, HasSubstr("✗ Deployment to slurm failed"));
  EXPECT_FALSE(fs::exists(node.path("perf.csv")));
}

TEST(StandinFault, rows_beside_the_right_ones) {
  const Faulty twice("duplicate-rows");
  EXPECT_THAT(twice.perf_csv().rows, SizeIs(16));
  const Faulty stale("stale-rows");
  const auto rows = stale.perf_csv().rows;
  ASSERT_THAT(rows, SizeIs(16));
  EXPECT_EQ(rows[0].at("machine_name"), "7");
  EXPECT_NE(rows[8].at("machine_name"), "7");
  const Faulty failed("failure-row");
  const auto last = failed.perf_csv().rows.back();
  EXPECT_EQ(last.at("status"), "FAILURE");
  EXPECT_EQ(last.at("precision"), "");
  // The gap makes pandas write floats.
  EXPECT_EQ(failed.perf_csv().rows.front().at("batch_size"), "2.0");
}

TEST(StandinFault, skipped_iterations) {
  const Faulty phase("skipped-iterations:2");
  EXPECT_THAT(phase.lines_with("node_1.out", "skipped iterations:   2 |"), SizeIs(22));
}

TEST(StandinFault, other_batch) {
  const Faulty phase("other-batch");
  EXPECT_THAT(phase.perf_csv().column("global_batch_size"), Each("4096"));
  EXPECT_THAT(phase.lines_with("node_1.out", "MBS=2, GBS=4096"), SizeIs(1));
}

TEST(StandinFault, lost_node) {
  const Faulty phase("lost-node");
  EXPECT_FALSE(fs::exists(phase.log("node_0.out")));
  EXPECT_FALSE(fs::exists(phase.node_folder(0)));
  EXPECT_TRUE(fs::exists(phase.log("node_1.out")));
  EXPECT_THAT(phase.perf_csv().rows, SizeIs(8));
}

TEST(StandinFault, several_at_once) {
  const Faulty phase("missing-leg:FP8,exit:1");
  EXPECT_EQ(phase.result.exit, 1);
  EXPECT_THAT(phase.perf_csv().rows, SizeIs(4));
}

}  // namespace
}  // namespace abgate::test
