#include <string>

#include <gtest/gtest.h>

#include <abgate/metrics/traces.hpp>

#include "phase_files.hpp"

namespace abgate::metrics {
namespace {

using List = std::vector<std::string>;

TEST(EngineLog, ReadsTheTerminalOutputOfRealRuns) {
  struct Case {
    std::string file;
    List submitted;
    std::string in_place_job;
    std::string failure;
  };
  const std::vector<Case> cases = {
      {"gptoss-baseline/phase.stdout", {"21"}, "", ""},
      {"gptoss-candidate-ok/phase.stdout", {"22"}, "", ""},
      {"gptoss-candidate-slow/phase.stdout", {"23"}, "", ""},
      {"gptoss-candidate-no-fp8/phase.stdout", {"24"}, "", ""},
      {"gptoss-candidate-stock-rccl/phase.stdout", {"28"}, "", ""},
      {"gptoss-candidate-oom-at-5/phase.stdout",
       {"25"},
       "",
       "Deployment to slurm failed; Job 25 failed: FAILED; final status: FAILED; SLURM Job Failed; "
       "❌ SLURM Job Failed; ✗ Deployment to slurm failed"},
      {"llama-baseline/phase.stdout", {"36"}, "", ""},
      {"gptoss-inplace/1-baseline/engine.log", {}, "40", ""},
      {"gptoss-inplace/2-candidate/engine.log", {}, "40", ""},
  };
  for (const Case& c : cases) {
    const EngineTrace trace = read_engine_log(phase_files::read(c.file));
    EXPECT_EQ(trace.submitted_jobs, c.submitted) << c.file;
    EXPECT_EQ(trace.in_place, !c.in_place_job.empty()) << c.file;
    EXPECT_EQ(trace.in_place_job, c.in_place_job) << c.file;
    EXPECT_TRUE(trace.claimed_success) << c.file << ": also the failed one";
    EXPECT_EQ(trace.reported_failure, !c.failure.empty()) << c.file;
    EXPECT_EQ(trace.failure_text, c.failure) << c.file;
  }
}

TEST(EngineLog, ReadsThroughColoursFramesAndWraps) {
  const EngineTrace trace = read_engine_log(
      "\x1b[32m✓ Submitted SLURM\x1b[0m\n"
      "\x1b[32mjob: \x1b[1m77\x1b[0m\r\n"
      "│ Running inside existing SLURM           │\r"
      "│ allocation                              │\n"
      "│   Job ID: 42   │\n"
      "⠋ All model executions\n"
      "completed successfully!\n");
  EXPECT_EQ(trace.submitted_jobs, (List{"77"}));
  EXPECT_TRUE(trace.in_place);
  EXPECT_EQ(trace.in_place_job, "42");
  EXPECT_TRUE(trace.claimed_success);
  EXPECT_FALSE(trace.reported_failure);
}

TEST(EngineLog, KnowsEveryReportOfAFailure) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"✗ Deployment to slurm failed\n",
       "Deployment to slurm failed; ✗ Deployment to slurm failed"},
      {"  Error: Job 8 failed: FAILED\n", "Job 8 failed: FAILED"},
      {"Error: Job 8 failed\n", "Job 8 failed"},
      {"SLURM job 8 final status: TIMEOUT\n", "final status: TIMEOUT"},
      {"Cancelled SLURM job: 39\n", "Cancelled SLURM job: 39"},
      {"💥 Execution failed for 1 models\n", "Execution failed for"},
      {"✗ Something else\n", "✗ Something else"},
      {"SLURM job 8 final status: COMPLETED\n", ""},
      {"  ✗ Failed: 0\n", ""},
      {"Subprocess 'x' failed with exit code 2\n", ""},
  };
  for (const auto& [text, failure] : cases) {
    const EngineTrace trace = read_engine_log(text);
    EXPECT_EQ(trace.failure_text, failure) << text;
    EXPECT_EQ(trace.reported_failure, !failure.empty()) << text;
  }
}

TEST(EngineLog, EachJobOnce) {
  EXPECT_EQ(
      read_engine_log("Submitted SLURM job: 5\nSubmitted SLURM job: 6\n│ Submitted SLURM job: "
                      "5 │\n")
          .submitted_jobs,
      (List{"5", "6"}));
  EXPECT_EQ(read_engine_log("").submitted_jobs, List{});
}

TEST(LogNames, ReadsEveryForm) {
  struct Case {
    std::string file;
    std::string model, job, run_tag, node;
    bool err;
  };
  const std::vector<Case> cases = {
      {"madengine-primus_pyt_megatron_lm_train_gpt-oss-120b_21_node_0.out",
       "primus_pyt_megatron_lm_train_gpt-oss-120b", "21", "", "0", false},
      {"madengine-primus_pyt_megatron_lm_train_llama-3.1-70b_36_node_11.err",
       "primus_pyt_megatron_lm_train_llama-3.1-70b", "36", "", "11", true},
      {"madengine-m_40_20261101100000_a1b2c3_node_1.out", "m", "40", "20261101100000_a1b2c3", "1",
       false},
      {"madengine-llama_2_70_node_9_8_40_20261101100000_A1B2C3_node_1.err", "llama_2_70_node_9_8",
       "40", "20261101100000_A1B2C3", "1", true},
      {"madengine-m_7_40_node_0.out", "m_7", "40", "", "0", false},
  };
  for (const Case& c : cases) {
    const auto name = parse_log_name(c.file);
    ASSERT_TRUE(name) << c.file;
    EXPECT_EQ(name->model, c.model) << c.file;
    EXPECT_EQ(name->job, c.job) << c.file;
    EXPECT_EQ(name->run_tag, c.run_tag) << c.file;
    EXPECT_EQ(name->node_index, c.node) << c.file;
    EXPECT_EQ(name->error_stream, c.err) << c.file;
  }
}

TEST(LogNames, OtherNamesAreNoNodeLogs) {
  for (const std::string file :
       {"madengine-primus_pyt_megatron_lm_train_gpt-oss-120b_25_0.out", "madengine-m_25_node_0.log",
        "madengine-m_25_node_x.out", "madengine-m_25_node_.out", "madengine-m_x_node_0.out",
        "madengine-_25_node_0.out", "madengine-25_node_0.out", "stdout.out", "",
        "madengine_m_25_node_0.out", ".out", "madengine-.out"}) {
    EXPECT_FALSE(parse_log_name(file)) << file;
  }
}

TEST(ErrLog, ReadsRealFiles) {
  const std::string folder = "gptoss-candidate-oom-at-5/slurm_output/";
  const std::string stem = "madengine-primus_pyt_megatron_lm_train_gpt-oss-120b_25_";
  const ErrTrace node0 = read_err(phase_files::read(folder + stem + "node_0.err"), "0.err");
  EXPECT_EQ(node0.node_index, "0");
  EXPECT_EQ(node0.host, "mi355x-0");
  EXPECT_EQ(node0.engine_exit, 0);
  EXPECT_EQ(node0.task_exit, 0);
  EXPECT_TRUE(node0.markers.empty());
  const ErrTrace node1 = read_err(phase_files::read(folder + stem + "node_1.err"), "1.err");
  EXPECT_EQ(node1.host, "mi355x-1");
  EXPECT_EQ(node1.engine_exit, std::nullopt) << "the line is missing, that is not 0";
  EXPECT_EQ(node1.task_exit, 3);
  const ErrTrace job = read_err(phase_files::read(folder + stem + "0.err"), "job.err");
  ASSERT_EQ(job.markers.size(), 1U);
  EXPECT_EQ(job.markers[0].kind, "srun_error");
  EXPECT_EQ(job.markers[0].where, (Location{"job.err", 1}));
  EXPECT_EQ(job.markers[0].text, "srun: error: mi355x-1: task 1: Exited with exit code 3");
}

TEST(ErrLog, ReadsKillBannersAndTheWorstCode) {
  const ErrTrace trace = read_err(
      "[DEBUG] 2026-11-01T10:00:00+00:00 Node 3 (n-3.x): task script started\r\n"
      "slurmstepd: error: *** STEP 42.0 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE TO TIME LIMIT "
      "***\n"
      "[DEBUG] t Node 3 (n-3.x): madengine exited with code  137.\n"
      "[DEBUG] t Node 3 (n-3.x): madengine exited with code 0\n"
      "[DEBUG] t Node 3 (n-3.x): task script exiting with code x\n",
      "f.err");
  EXPECT_EQ(trace.node_index, "3");
  EXPECT_EQ(trace.host, "n-3.x");
  EXPECT_EQ(trace.engine_exit, 137);
  EXPECT_EQ(trace.task_exit, 255) << "unreadable is no success";
  ASSERT_EQ(trace.markers.size(), 1U);
  EXPECT_EQ(trace.markers[0].kind, "slurm_kill");
  EXPECT_EQ(trace.markers[0].where.line, 2);
  EXPECT_EQ(trace.markers[0].node_index, "3");
}

PhaseProof proof() {
  PhaseProof out;
  out.run_id = "20261101-100000-ab12";
  out.index = 2;
  out.side = Side::candidate;
  out.started = time::parse_rfc3339("2026-11-01T10:00:00.250Z");
  out.ended = time::parse_rfc3339("2026-11-01T10:53:10.000Z");
  out.end = {"timed_out", 15, "phase budget"};
  out.job_id = "42";
  out.nodes = {"node-a", "node-b"};
  out.manifest_sha256 = std::string(64, 'a');
  return out;
}

TEST(PhaseProofs, SurviveARoundTrip) {
  const PhaseProof before = proof();
  const auto after = parse_phase_proof(render_phase_proof(before), "phase.json");
  ASSERT_TRUE(after);
  EXPECT_EQ(after->run_id, before.run_id);
  EXPECT_EQ(after->index, before.index);
  EXPECT_EQ(after->side, before.side);
  EXPECT_EQ(after->started, before.started);
  EXPECT_EQ(after->ended, before.ended);
  EXPECT_EQ(after->end, before.end);
  EXPECT_EQ(after->job_id, before.job_id);
  EXPECT_EQ(after->nodes, before.nodes);
  EXPECT_EQ(after->manifest_sha256, before.manifest_sha256);
  EXPECT_EQ(render_phase_proof(*after), render_phase_proof(before));
}

TEST(PhaseProofs, UnknownTimesAreNull) {
  PhaseProof before = proof();
  before.ended.reset();
  before.job_id.clear();
  const auto after = parse_phase_proof(render_phase_proof(before), "phase.json");
  ASSERT_TRUE(after);
  EXPECT_EQ(after->ended, std::nullopt);
  EXPECT_EQ(after->job_id, "");
}

TEST(PhaseProofs, RefusesWhatIsNotExactlyOne) {
  const std::string good = render_phase_proof(proof());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::vector<std::string> bad = {"",
                                        "{}",
                                        "[]",
                                        good.substr(0, good.size() / 2),
                                        with("\"schema_version\": 1", "\"schema_version\": 2"),
                                        with("\"index\": 2", "\"index\": 0"),
                                        with("\"index\": 2", "\"index\": \"2\""),
                                        with("candidate", "both"),
                                        with("T10:00:00.250Z", ""),
                                        with("\"2026-11-01T10:00:00.250Z\"", "5"),
                                        with("timed_out", "vanished"),
                                        with("node-b", "node-a"),
                                        with("node-b", ""),
                                        with("aaaa", "zzzz"),
                                        with("\"job_id\"", "\"jobid\""),
                                        with("\"detail\"", "\"details\""),
                                        with("\"run_id\"", "\"x\": 1, \"run_id\""),
                                        with("\"kind\"", "\"x\": 1, \"kind\"")};
  for (const std::string& text : bad)
    EXPECT_FALSE(parse_phase_proof(text, "phase.json")) << text;
}

}  // namespace
}  // namespace abgate::metrics
