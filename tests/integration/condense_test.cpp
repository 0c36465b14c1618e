// `abgate condense` at the command line, and the logs that a gate leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_phases.hpp"
#include "support/files.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {
namespace {

using testing::HasSubstr;

std::string warnings(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "\n[2026-11-01 10:00:0" + std::to_string(i % 10) + "] node-a:1234:5678 [3] " +
            "/build/rccl/hipify/src/misc/api_trace.cc:517 NCCL WARN Please note that ncclAllToAllv "
            "is deprecated, please use ncclAlltoAllv instead\n";
  }
  return text;
}

const std::string log = "head \xff\n" + warnings(1000) + "iteration 1/15 of a run\n" + warnings(9);
const std::string condensed =
    "head \xff\n" + warnings(1) +
    "[abgate] folded 999 lines of rccl-alltoallv from 2026-11-01 10:00:01 to 2026-11-01 10:00:09, "
    "1 "
    "host, 1 rank\niteration 1/15 of a run\n[abgate] folded 9 lines of rccl-alltoallv from "
    "2026-11-01 10:00:00 to 2026-11-01 10:00:08, 1 host, 1 rank\n";

class CondenseCommand : public testing::Test {
 protected:
  std::string path(const std::string& name) { return (directory_ / name).string(); }
  TempDir directory_;
};

TEST_F(CondenseCommand, FoldsFilesAndFoldersInPlace) {
  write_file(path("a.txt"), log);
  write_file(path("logs/b.out"), log);
  write_file(path("logs/deep/c.run.live.log"), log);
  write_file(path("logs/perf.csv"), log);
  const ProgramResult run = abgate({"condense", "--stats", path("a.txt"), path("logs")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("a.txt: " + std::to_string(log.size()) + " -> " +
                                 std::to_string(condensed.size()) + " bytes"));
  EXPECT_THAT(run.out, HasSubstr("1008 lines folded into 2\n"));
  for (const char* name : {"a.txt", "logs/b.out", "logs/deep/c.run.live.log"})
    EXPECT_EQ(read_file(path(name)), condensed) << name;
  EXPECT_EQ(read_file(path("logs/perf.csv")), log);
  EXPECT_EQ(abgate({"condense", path("a.txt"), path("logs")}).exit, 0);
  EXPECT_EQ(read_file(path("a.txt")), condensed);
}

TEST_F(CondenseCommand, WritesElsewhereAndSaysWhatIsLeft) {
  write_file(path("a.log"), log);
  const ProgramResult run = abgate({"condense", "--stats", "-o", path("b.log"), path("a.log")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(read_file(path("a.log")), log);
  EXPECT_EQ(read_file(path("b.log")), condensed);
  EXPECT_THAT(run.out, HasSubstr("holds 0 legs"));
  EXPECT_EQ(abgate({"condense", "-o", "-", path("a.log")}).out, condensed);
}

TEST_F(CondenseCommand, MoreKindsAndKindsByThemselves) {
  std::string ticks;
  for (int i = 0; i < 2000; ++i)
    ticks += "a clock that says tick " + std::to_string(i) + "\n";
  write_file(path("a.log"), ticks);
  const ProgramResult kind =
      abgate({"condense", "-o", "-", "--kind", "tick=a clock that says tick #", path("a.log")});
  EXPECT_EQ(kind.out, "a clock that says tick 0\n[abgate] folded 1999 lines of tick\n");
  const ProgramResult found = abgate({"condense", "-o", "-", "--auto=500", path("a.log")});
  EXPECT_THAT(found.out, HasSubstr("tick 499\n[abgate] folded 1500 lines of \"a clock that says"));
  EXPECT_THAT(abgate({"condense", "-o", "-", "--auto", path("a.log")}).out,
              HasSubstr("[abgate] folded 1000 lines of"));
  EXPECT_EQ(abgate({"condense", "-o", "-", path("a.log")}).out, ticks);
}

TEST_F(CondenseCommand, SaysWhatItCanNotDo) {
  write_file(path("a.log"), log);
  write_file(path("b.log.gz"), "\x1f\x8b cut");
  EXPECT_EQ(abgate({"condense"}).exit, 2);
  EXPECT_EQ(abgate({"condense", "--auto=0", path("a.log")}).exit, 2);
  const ProgramResult kind = abgate({"condense", "--kind", "x=#", path("a.log")});
  EXPECT_EQ(kind.exit, 2);
  EXPECT_THAT(kind.err, HasSubstr("at least eight bytes"));
  const ProgramResult two = abgate({"condense", "-o", path("o"), path("a.log"), path("b.log.gz")});
  EXPECT_EQ(two.exit, 2);
  const ProgramResult none = abgate({"condense", path("none")});
  EXPECT_EQ(none.exit, 4);
  EXPECT_THAT(none.err, HasSubstr("none: could not be looked at: No such file or directory"));
  const ProgramResult packed = abgate({"condense", path("b.log.gz")});
  EXPECT_EQ(packed.exit, 4);
  EXPECT_THAT(packed.err, HasSubstr("is compressed and stays as it is; give -o"));
  const ProgramResult cut = abgate({"condense", "-o", path("o"), path("b.log.gz")});
  EXPECT_EQ(cut.exit, 4);
  EXPECT_THAT(cut.err, HasSubstr("damaged or cut as gzip"));
  EXPECT_FALSE(std::filesystem::exists(path("o")));
  EXPECT_EQ(abgate({"condense", "-o", "/dev/full", path("a.log")}).exit, 4);
  EXPECT_EQ(read_file(path("a.log")), log);
}

}  // namespace
}  // namespace abgate::test
