#include <gmock/gmock.h>

#include <abgate/config/parse.hpp>
#include <abgate/config/resolve.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/runner/gate.hpp>
#include <abgate/runner/resume.hpp>

#include "fakes.hpp"
#include "support/files.hpp"

namespace abgate::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ResumeTest : public testing::Test {
 protected:
  ResumeTest() {
    record.run_id = "20261201-100000-abcdef";
    record.command = "run";
    record.tool_version = "0.1.0";
    record.step = "phase 2";
    record.verdict = Verdict::infra;
    record.exit_code = 128 + 15;
    record.signal = 15;
    record.reasons = {Reason{}};
    record.reasons[0].code = "stopped-by-signal";
    record.reasons[0].weight = Weight::infra;
    record.reasons[0].message = "stopped";
    record.allocation = AllocationRecord{};
    record.allocation->job_id = "42";
    record.allocation->nodes = {"a1", "a2"};
    for (int index = 1; index <= 2; ++index) {
      PhaseRecord& phase = record.phases.emplace_back();
      phase.index = index;
      phase.side = index == 1 ? Side::baseline : Side::candidate;
      phase.state = index == 1 ? "done" : "running";
      phase.directory = "phases/" + std::to_string(index);
    }
    record.config = shipped_config();
  }
  static std::string shipped(const std::string& file) {
    return test::read_file(ABGATE_SOURCE_DIR "/configs/" + file);
  }
  static Json shipped_config() {
    config::Options options;
    options.candidate_env = {"A=B"};
    options.nodes = 2;
    const auto resolved =
        config::resolve(config::parse_workload(shipped("workloads/demo.json"), "demo.json"),
                        config::parse_cluster(shipped("clusters/ruby.json"), "ruby.json"), options);
    EXPECT_TRUE(resolved.value) << format(resolved.diagnostics.front());
    return config::to_json(*resolved.value);
  }
  Result<ResumePoint, std::string> point() {
    store.files["/w/gate.json"] = report::render_json(record);
    return read_resume_point(store, "/w");
  }
  std::string refusal() {
    const auto read = point();
    return read ? "none" : read.error();
  }
  MemoryStore store;
  GateRecord record;
};

TEST_F(ResumeTest, AnInterruptedGateStartsAsItsNextAttempt) {
  const auto read = point();
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->run_id, "20261201-100000-abcdef.2");
  EXPECT_EQ(read->config.work_dir, "/w");
  EXPECT_THAT(read->nodes, ElementsAre("a1", "a2"));
  EXPECT_FALSE(read->phases_done);
  ASSERT_EQ(read->attempts.size(), 1U);
  EXPECT_EQ(read->attempts[0].run_id, "20261201-100000-abcdef");
  EXPECT_EQ(read->attempts[0].directory, "attempts/1");
  EXPECT_EQ(read->attempts[0].job_id, "42");
  EXPECT_EQ(read->attempts[0].step, "phase 2");
  EXPECT_EQ(read->attempts[0].signal, 15);
}

TEST_F(ResumeTest, TheThirdAttemptKnowsBothEarlierOnes) {
  record.attempts = point()->attempts;
  record.run_id = "20261201-100000-abcdef.2";
  const auto read = point();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->run_id, "20261201-100000-abcdef.3");
  ASSERT_EQ(read->attempts.size(), 2U);
  EXPECT_EQ(read->attempts[1].directory, "attempts/2");
  EXPECT_EQ(read->attempts[1].run_id, "20261201-100000-abcdef.2");
}

TEST_F(ResumeTest, OnlyPhasesThatAllEndedInOneAllocationAreNotRepeated) {
  record.step = "phases done";
  EXPECT_FALSE(point()->phases_done) << "the second one still runs by its state";
  record.phases[1].state = "done";
  EXPECT_TRUE(point()->phases_done);
}

TEST_F(ResumeTest, WhatCannotBeResumedSaysWhy) {
  record.step = "finished";
  EXPECT_THAT(refusal(), HasSubstr("has finished; start a new one"));
  record.step = "phase 2";
  record.command = "score";
  EXPECT_THAT(refusal(), HasSubstr("record of `abgate score`"));
  store.files["/w/gate.json"] = "{\"schema_version\": 1";
  EXPECT_FALSE(read_resume_point(store, "/w"));
  store.files.clear();
  EXPECT_FALSE(read_resume_point(store, "/w"));
}

TEST_F(ResumeTest, EverythingIsSetAsideAndTheRecordLast) {
  const auto read = point();
  store.files["/w/phases/1-baseline/perf.csv"] = "old";
  store.files["/w/allocation.json"] = "{}";
  store.files["/w/summary.txt"] = "old";
  store.files["/w/gate.lock"] = "";
  ASSERT_TRUE(set_aside(*read, store, "/w"));
  std::vector<std::string> names;
  for (const auto& [name, text] : store.files)
    names.push_back(name);
  EXPECT_THAT(names, ElementsAre("/w/attempts/1/allocation.json", "/w/attempts/1/gate.json",
                                 "/w/attempts/1/phases/1-baseline/perf.csv",
                                 "/w/attempts/1/summary.txt", "/w/gate.lock"));
}

TEST_F(ResumeTest, AMoveThatFailsLeavesTheRecordInItsPlace) {
  const auto read = point();
  store.files["/w/summary.txt"] = "old";
  store.refused.insert("/w/attempts/1/summary.txt");
  EXPECT_FALSE(set_aside(*read, store, "/w"));
  EXPECT_TRUE(store.exists("/w/gate.json"));
}

}  // namespace
}  // namespace abgate::runner
