#include <cerrno>
#include <csignal>

#include <gtest/gtest.h>

#include <abgate/process/process.hpp>

namespace abgate::process {
namespace {

TEST(OutcomeTest, HasWordsForPeopleAndForTheRecord) {
  struct Case {
    Outcome outcome;
    std::string text;
    ProcessEnd end;
  };
  const std::vector<Case> cases{
      {Exited{0}, "exited with status 0", {"exited", 0, ""}},
      {Exited{3}, "exited with status 3", {"exited", 3, ""}},
      {Signaled{SIGKILL}, "was killed by signal 9 (SIGKILL)", {"signaled", 9, ""}},
      {Signaled{40}, "was killed by signal 40", {"signaled", 40, ""}},
      {TimedOut{"no progress for 20 min"},
       "was ended: no progress for 20 min",
       {"timed_out", 0, "no progress for 20 min"}},
      {Interrupted{SIGTERM},
       "was ended because abgate got signal 15 (SIGTERM)",
       {"interrupted", 15, ""}},
      {Interrupted{0},
       "was ended because the abgate that it worked for is gone",
       {"interrupted", 0, ""}},
      {SpawnFailed{"exec", ENOENT},
       "could not be started: exec: No such file or directory",
       {"spawn_failed", ENOENT, "exec"}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(describe(c.outcome), c.text);
    EXPECT_EQ(to_process_end(c.outcome), c.end) << c.text;
    EXPECT_EQ(to_process_end(c.outcome).succeeded(), c.text == "exited with status 0");
  }
}

}  // namespace
}  // namespace abgate::process
