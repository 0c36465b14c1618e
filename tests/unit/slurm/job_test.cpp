#include <gtest/gtest.h>

#include <abgate/slurm/job.hpp>

namespace abgate::slurm {
namespace {

TEST(Job, ReadsWhatSqueueSays) {
  const auto job = parse_job("42 1000 PENDING Resources /home/me/a folder\n");
  ASSERT_TRUE(job);
  EXPECT_EQ(job->id, "42");
  EXPECT_EQ(job->user_id, 1000U);
  EXPECT_EQ(job->state, "PENDING");
  EXPECT_EQ(job->reason, "Resources");
  EXPECT_EQ(job->work_dir, "/home/me/a folder");
  EXPECT_FALSE(job->over());
}

TEST(Job, KnowsWhatIsOver) {
  for (const char* state :
       {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "COMPLETING"}) {
    EXPECT_TRUE(parse_job(std::string("42 0 ") + state + " None /")->over()) << state;
  }
  for (const char* state : {"PENDING", "RUNNING", "SUSPENDED", "CONFIGURING"}) {
    EXPECT_FALSE(parse_job(std::string("42 0 ") + state + " None /")->over()) << state;
  }
}

TEST(Job, NoAnswerIsNoJob) {
  for (const char* text : {"", "\n", "42", "42 root RUNNING None /", "42 -1 RUNNING None /",
                           "slurm_load_jobs error: Invalid job id specified"}) {
    EXPECT_FALSE(parse_job(text)) << text;
  }
}

}  // namespace
}  // namespace abgate::slurm
