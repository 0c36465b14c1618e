#include <gtest/gtest.h>

#include "support.hpp"

namespace abgate::condense {
namespace {

TEST(Condenser, FoldsARunAndKeepsEverythingElse) {
  const std::string before = "RCCL version : 2.27.7-HEAD:0d2c4fd\n\xff\xfe bytes \x1b[31m\n\n";
  const std::string middle = "iteration 1/15 | lm loss: 1.0\n";
  const std::string after = "\n\nno newline at the end";
  Totals totals;
  const std::string out = condensed(before + spam(1) + spam(2, "node-a", 1) + spam(3, "node-b", 1) +
                                        spam(4) + middle + spam(5) + spam(6) + after,
                                    {}, std::string::npos, &totals);
  EXPECT_EQ(out, before + spam(1) +
                     "[abgate] folded 3 lines of rccl-alltoallv from 2026-11-01 10:00:02 to "
                     "2026-11-01 10:00:04, 2 hosts, 3 ranks\n" +
                     middle +
                     "[abgate] folded 2 lines of rccl-alltoallv from 2026-11-01 10:00:05 to "
                     "2026-11-01 10:00:06, 1 host, 1 rank\n" +
                     after);
  EXPECT_EQ(totals.lines_folded, 5U);
  EXPECT_EQ(totals.runs, 2U);
  EXPECT_EQ(totals.bytes_out, out.size());
  EXPECT_EQ(totals.bytes_in, before.size() + 6 * spam(1).size() + middle.size() + after.size());
}

TEST(Condenser, CountsManyRanksAndHosts) {
  std::string log = spam(0);
  for (int rank = 0; rank < 300; ++rank)
    log += spam(rank % 60, fmt::format("node-{}", rank % 7), rank);
  EXPECT_EQ(condensed(log), spam(0) +
                                "[abgate] folded 300 lines of rccl-alltoallv from 2026-11-01 "
                                "10:00:00 to 2026-11-01 10:00:59, 7 hosts, 300 ranks\n");
}

TEST(Condenser, SaysWhenThereAreMoreThanItCounts) {
  std::string log = spam(0);
  for (int rank = 0; rank < 5000; ++rank)
    log += spam(1, "node-a", rank);
  EXPECT_NE(condensed(log).find(", 1 host, more than 4096 ranks\n"), std::string::npos);
}

struct Kept {
  const char* what;
  std::string line;
};

class KeptLine : public ::testing::TestWithParam<Kept> {};

TEST_P(KeptLine, StaysAsItIs) {
  const std::string log = spam(1) + GetParam().line + "end\n";
  EXPECT_EQ(condensed(log), log) << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, KeptLine,
    ::testing::Values(
        Kept{"text glued before", "iteration 3/15 " + warning(2) + "\n"},
        Kept{"text glued behind", warning(2) + "Running: M - BF16 - pretrain\n"},
        Kept{"text glued inside", warning(2).insert(22, "Hostname : ") + "\n"},
        Kept{"two warnings in a line", warning(2) + warning(3) + "\n"},
        Kept{"a control byte in it", warning(2).insert(25, "\x1b[0m") + "\n"},
        Kept{"a mark where a digit belongs", warning(2).replace(38, 1, ";") + "\n"},
        Kept{"a NUL in it", warning(2).insert(25, 1, '\0') + "\n"},
        Kept{"another message", warning(2).replace(150, 4, "ALSO") + "\n"},
        Kept{"a longer line than any kind", warning(2).insert(24, 5000, 'x') + "\n"},
        Kept{"a fold of an earlier pass",
             "[abgate] folded 9 lines of rccl-alltoallv from 1 to 2, 1 host, 8 ranks\n"},
        Kept{"a carriage return inside", warning(2) + "\r" + "progress\n"}));

TEST(Condenser, ALastLineWithoutANewlineStays) {
  EXPECT_EQ(condensed(spam(1) + "\n" + warning(2)), spam(1) + "\n" + warning(2));
}

TEST(Condenser, LineEndsOfWindowsFoldToo) {
  const std::string crlf = "\r\n" + warning(2) + "\r\n";
  EXPECT_EQ(condensed(spam(1) + crlf + crlf + "end\r\n"),
            spam(1) +
                "[abgate] folded 2 lines of rccl-alltoallv from 2026-11-01 10:00:02 to 2026-11-01 "
                "10:00:02, 1 host, 1 rank\nend\r\n");
}

TEST(Condenser, OneEmptyLineGoesWithAWarningAndNoMore) {
  const std::string fold =
      "[abgate] folded 1 line of rccl-alltoallv from 2026-11-01 10:00:02 to 2026-11-01 10:00:02, 1 "
      "host, 1 rank\n";
  EXPECT_EQ(condensed(spam(1) + "\n" + spam(2) + "\nend\n"), spam(1) + "\n" + fold + "\nend\n");
}

TEST(Condenser, TheTextNeverGrows) {
  Options options;
  options.kinds = {{"tick", "tick tock tick #"}};
  const std::string log = "tick tock tick 1\ntick tock tick 2\nother\ntick tock tick 3\n";
  EXPECT_EQ(condensed(log, options), log);
  std::string many = log;
  for (int i = 0; i < 9; ++i)
    many += fmt::format("tick tock tick {}\n", i);
  EXPECT_EQ(condensed(many, options),
            "tick tock tick 1\ntick tock tick 2\nother\n[abgate] folded 10 lines of tick\n");
}

TEST(Condenser, KindsAreData) {
  Options options;
  options.kinds = {{"gc", "{time} {host} gc: worker {pid} freed # bytes in *"}};
  std::string log;
  for (int i = 0; i < 40; ++i)
    log +=
        fmt::format("10:00:{:02} n{} gc: worker {} freed {} bytes in x{}\n", i, i % 2, i % 4, i, i);
  EXPECT_EQ(condensed(log, options),
            "10:00:00 n0 gc: worker 0 freed 0 bytes in x0\n"
            "[abgate] folded 39 lines of gc from 10:00:01 to 10:00:39, 2 hosts, 4 ranks\n");
  EXPECT_EQ(condensed(log), log);
}

TEST(Condenser, ThirtyMegabytesInOneLineStream) {
  const std::string piece(1U << 20U, 'x');
  std::size_t out = 0;
  std::size_t largest = 0;
  Condenser condenser({}, [&](std::string_view bytes) {
    out += bytes.size();
    largest = std::max(largest, bytes.size());
  });
  for (int i = 0; i < 30; ++i) {
    condenser.feed(piece);
    EXPECT_GE(out, piece.size() * static_cast<std::size_t>(i));
  }
  condenser.feed(spam(1) + spam(2) + spam(3));
  const Totals totals = condenser.finish();
  EXPECT_EQ(totals.lines_folded, 2U);
  EXPECT_LE(largest, piece.size());
}

TEST(Condenser, NothingComesFromNothing) {
  EXPECT_EQ(condensed(""), "");
  EXPECT_EQ(condensed("\n"), "\n");
  EXPECT_EQ(condensed("\n\n\n"), "\n\n\n");
}

TEST(KindPatterns, TheShippedOnesAreSound) {
  ASSERT_EQ(shipped_kinds().size(), 2U);
  for (const Kind& kind : shipped_kinds())
    EXPECT_EQ(problem_of(kind), "") << kind.pattern;
}

TEST(KindPatterns, SayWhatIsWrong) {
  const auto problem = [](const std::string& pattern) { return problem_of({"name", pattern}); };
  EXPECT_NE(problem("").find("eight bytes"), std::string::npos);
  EXPECT_NE(problem("a # b # c").find("eight bytes"), std::string::npos);
  EXPECT_NE(problem("long enough text #*").find("placeholders"), std::string::npos);
  EXPECT_NE(problem("long enough text #9").find("placeholders"), std::string::npos);
  EXPECT_NE(problem("long enough\ntext").find("control"), std::string::npos);
  EXPECT_NE(problem(std::string(2000, 'x')).find("1024"), std::string::npos);
  EXPECT_NE(problem_of({"two words", "long enough text"}).find("name"), std::string::npos);
  EXPECT_NE(problem_of({"", "long enough text"}).find("name"), std::string::npos);
  EXPECT_EQ(problem("long enough text #"), "");
}

}  // namespace
}  // namespace abgate::condense
