#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include <abgate/slurm/salloc.hpp>

namespace abgate::slurm {

bool operator==(const Event& a, const Event& b) {
  return a.kind == b.kind && a.job_id == b.job_id && a.nodes == b.nodes && a.text == b.text;
}

void PrintTo(const Event& event, std::ostream* out) {
  *out << "kind " << static_cast<int>(event.kind) << ", job \"" << event.job_id << "\", nodes \""
       << event.nodes << "\", text \"" << event.text << '"';
}

namespace {

using Kind = Event::Kind;

struct Case {
  const char* line;
  Event event;
};

void expect_events(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    const auto event = parse_line(c.line);
    ASSERT_TRUE(event) << c.line;
    EXPECT_EQ(*event, c.event) << c.line;
  }
}

TEST(ParseLine, ReadsTheLifeOfAnAllocation) {
  expect_events({
      {"salloc: Pending job allocation 42", {Kind::pending, "42", "", "Pending job allocation 42"}},
      {"salloc: job 42 queued and waiting for resources",
       {Kind::pending, "42", "", "job 42 queued and waiting for resources"}},
      {"salloc: job 42 has been allocated resources",
       {Kind::granted, "42", "", "job 42 has been allocated resources"}},
      {"salloc: Granted job allocation 42", {Kind::granted, "42", "", "Granted job allocation 42"}},
      {"salloc: Nodes a[1-2] are ready for job",
       {Kind::ready, "", "a[1-2]", "Nodes a[1-2] are ready for job"}},
      {"salloc: Nodes mi355x-[0-1],b7 are ready for job 42",
       {Kind::ready, "42", "mi355x-[0-1],b7", "Nodes mi355x-[0-1],b7 are ready for job 42"}},
      {"salloc: Relinquishing job allocation 42",
       {Kind::relinquished, "42", "", "Relinquishing job allocation 42"}},
  });
}

TEST(ParseLine, ReadsHowAnAllocationIsLost) {
  expect_events({
      {"salloc: error: Node failure on a2", {Kind::node_failure, "", "a2", "Node failure on a2"}},
      {"salloc: Prolog failure on node mi355x-1",
       {Kind::prolog_failure, "", "mi355x-1", "Prolog failure on node mi355x-1"}},
      {"srun: error: Node failure on a[2,5]",
       {Kind::node_failure, "", "a[2,5]", "Node failure on a[2,5]"}},
      {"salloc: Job allocation 42 has been revoked.",
       {Kind::revoked, "42", "", "Job allocation 42 has been revoked."}},
      {"salloc: error: Job allocation 42 has been revoked",
       {Kind::revoked, "42", "", "Job allocation 42 has been revoked"}},
      {"salloc: Job 42 has exceeded its time limit and its allocation has been revoked.",
       {Kind::time_limit, "42", "",
        "Job 42 has exceeded its time limit and its allocation has been revoked."}},
      {"srun: Job 42 step creation temporarily disabled, retrying (Requested nodes are busy)",
       {Kind::step_waiting, "42", "",
        "Job 42 step creation temporarily disabled, retrying (Requested nodes are busy)"}},
  });
}

TEST(ParseLine, ReadsKillBanners) {
  expect_events({
      {"slurmstepd: error: *** STEP 42.0 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE TO TIME LIMIT "
       "***",
       {Kind::time_limit, "42", "a1",
        "*** STEP 42.0 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE TO TIME LIMIT ***"}},
      {"slurmstepd-a1: error: *** JOB 42 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE TO NODE "
       "FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***",
       {Kind::node_failure, "42", "a1",
        "*** JOB 42 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE TO NODE FAILURE, SEE SLURMCTLD LOG "
        "FOR DETAILS ***"}},
      {"slurmstepd: error: *** STEP 42.1 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE TO PREEMPTION "
       "***",
       {Kind::preempted, "42", "a1",
        "*** STEP 42.1 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE TO PREEMPTION ***"}},
      {"slurmstepd: error: *** STEP 42.0 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE to SIGNAL "
       "Terminated ***",
       {Kind::cancelled, "42", "a1",
        "*** STEP 42.0 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE to SIGNAL Terminated ***"}},
      {"srun: error: *** STEP 42.0 ON a1 CANCELLED AT 2031-01-01T00:00:00 ***",
       {Kind::cancelled, "42", "a1", "*** STEP 42.0 ON a1 CANCELLED AT 2031-01-01T00:00:00 ***"}},
  });
}

TEST(ParseLine, ReadsRefusals) {
  for (const char* reason :
       {"Invalid partition name specified",
        "Invalid account or account/partition combination specified", "Invalid qos specification",
        "Requested reservation is invalid", "Reservation is invalid",
        "Requested node configuration is not available",
        "Requested time limit is invalid (missing or exceeds some limit)",
        "Access/permission denied", "More processors requested than permitted",
        "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
        "Invalid generic resource (gres) specification", "some reason of the future"}) {
    const std::string text = std::string("Job submit/allocate failed: ") + reason;
    expect_events({{("salloc: error: " + text).c_str(), {Kind::refused, "", "", text}}});
  }
  expect_events({
      {"salloc: error: Unable to allocate resources: Unable to contact slurm controller",
       {Kind::refused, "", "", "Unable to allocate resources: Unable to contact slurm controller"}},
      {"srun: error: Unable to allocate resources: Invalid account",
       {Kind::refused, "", "", "Unable to allocate resources: Invalid account"}},
      {"salloc: error: Job violates accounting/QOS policy",
       {Kind::refused, "", "", "Job violates accounting/QOS policy"}},
      {"sbatch: error: Batch job submission failed: Access/permission denied",
       {Kind::refused, "", "", "Batch job submission failed: Access/permission denied"}},
  });
}

TEST(ParseLine, KeepsOtherErrors) {
  expect_events({
      {"srun: error: a2: task 1: Exited with exit code 1",
       {Kind::error, "", "", "a2: task 1: Exited with exit code 1"}},
      {"srun: error: Unable to create step for job 42: Job/step already completing or completed",
       {Kind::error, "42", "",
        "Unable to create step for job 42: Job/step already completing or completed"}},
      {"salloc: fatal: Could not establish a configuration source",
       {Kind::error, "", "", "Could not establish a configuration source"}},
      {"salloc: error: AssocMaxSubmitJobLimit", {Kind::error, "", "", "AssocMaxSubmitJobLimit"}},
      {"slurmstepd: error: Detected 1 oom-kill event(s) in StepId=42.0",
       {Kind::error, "42", "", "Detected 1 oom-kill event(s) in StepId=42.0"}},
  });
}

TEST(ParseLine, SeesThroughColoursReturnsAndLabels) {
  const Event granted{Kind::granted, "42", "", "Granted job allocation 42"};
  expect_events({
      {"salloc: Granted job allocation 42\r", granted},
      {"salloc: Granted job allocation 42\r\n", granted},
      {"\x1b[1;32msalloc: Granted job allocation 42\x1b[0m", granted},
      {"salloc: Pending job allocation 42\rsalloc: Granted job allocation 42", granted},
      {"  salloc: Granted job allocation 42", granted},
      {"1: slurmstepd: error: something", {Kind::error, "", "", "something"}},
  });
}

TEST(ParseLine, LeavesOtherTextAlone) {
  for (const char* line :
       {"", "\r", "\x1b[0m", "Granted job allocation 42", "training: error: NaN",
        "salloc:", "salloc: ", "salloc: Waiting for resource configuration",
        "my salloc: Granted job allocation 42",
        "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.", "slurmstepd-a1",
        "1: iteration 3/15", "Submitted SLURM job: 42"}) {
    EXPECT_FALSE(parse_line(line)) << line;
  }
}

TEST(ParseLine, DoesNotTakeNamesForJobIds) {
  const auto event = parse_line("srun: error: job step abc of job x");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->job_id, "");
}

TEST(InheritedVariables, AreThoseThatChangeWhatSlurmDoes) {
  for (const char* name :
       {"SLURM_JOB_ID", "SLURM_EXIT_ERROR", "SLURM_NTASKS_PER_NODE", "SLURM_CONF_SERVER",
        "SALLOC_PARTITION", "SBATCH_QOS", "SRUN_CPUS_PER_TASK", "SLURM_TMPDIR"}) {
    EXPECT_TRUE(is_inherited_slurm_variable(name)) << name;
  }
  for (const char* name : {"SLURM_CONF", "SLURM_JWT", "PATH", "SLURM", "SLURMD_NODENAME",
                           "MY_SLURM_JOB_ID", "slurm_job_id", "SQUEUE_FORMAT", ""}) {
    EXPECT_FALSE(is_inherited_slurm_variable(name)) << name;
  }
}

}  // namespace
}  // namespace abgate::slurm
