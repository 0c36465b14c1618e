#include <chrono>
#include <map>
#include <random>
#include <thread>

#include <sys/file.h>

#include "support.hpp"

namespace abgate::io {
namespace {

TEST(AppendTest, AddsLines) {
  ScratchFolder scratch;
  EXPECT_EQ(said(append_line(scratch / "history", "one")), "ok");
  EXPECT_EQ(said(append_line(scratch / "history", "")), "ok");
  EXPECT_EQ(said(append_line(scratch / "history", "two")), "ok");
  EXPECT_EQ(slurp(scratch / "history"), "one\n\ntwo\n");
}

TEST(AppendTest, ClosesALineThatWasTorn) {
  ScratchFolder scratch;
  put(scratch / "history", "one\n{\"torn\": ");
  EXPECT_EQ(said(append_line(scratch / "history", "two")), "ok");
  EXPECT_EQ(slurp(scratch / "history"), "one\n{\"torn\": \ntwo\n");
}

TEST(AppendTest, RefusesALineThatIsTwo) {
  ScratchFolder scratch;
  EXPECT_EQ(said(append_line(scratch / "history", "one\ntwo")),
            "can't take a line with a newline in it: Invalid argument");
  EXPECT_EQ(names(scratch.path()), "");
}

TEST(AppendTest, SaysWhatWentWrong) {
  ScratchFolder scratch;
  EXPECT_EQ(said(append_line(scratch / "absent/history", "x")),
            "could not be created: No such file or directory");
  EXPECT_EQ(said(append_line(scratch.path(), "x")), "could not be created: Is a directory");
  // The file that is always full can't be cut either.
  EXPECT_EQ(said(append_line("/dev/full", "x")),
            "could be neither written nor put back: No space left on device");
}

TEST(AppendTest, AFullDiskLeavesNoHalfLine) {
  ScratchFolder scratch;
  const auto text = in_fork([&] {
    const auto disk = FullDisk::make(scratch.path());
    std::string seen = said(append_line(scratch / "history", "one")) + "|";
    const auto failed =
        said(append_line(scratch / "history", std::string(2 * FullDisk::room, 'x')));
    seen += failed == "could not be written: " + disk.error ? "refused|" : failed + "|";
    seen += said(append_line(scratch / "history", "two"));
    return seen + "|" + slurp(scratch / "history");
  });
  EXPECT_EQ(text, "ok|refused|ok|one\ntwo\n");
}

TEST(AppendTest, WaitsForTheLock) {
  ScratchFolder scratch;
  put(scratch / "history", "one\n");
  const int fd = ::open((scratch / "history").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  std::string result;
  std::thread other([&] { result = said(append_line(scratch / "history", "two")); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(slurp(scratch / "history"), "one\n");
  ::close(fd);
  other.join();
  EXPECT_EQ(result, "ok");
  EXPECT_EQ(slurp(scratch / "history"), "one\ntwo\n");
}

TEST(AppendTest, FollowsAFileThatIsReplacedWhileItWaits) {
  ScratchFolder scratch;
  put(scratch / "history", "one\n");
  const int fd = ::open((scratch / "history").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  std::thread other([&] { append_line(scratch / "history", "two"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(said(write_atomically(scratch / "history", "new\n")), "ok");
  ::close(fd);
  other.join();
  EXPECT_EQ(slurp(scratch / "history"), "new\ntwo\n");
}

/// One writer: appends numbered lines and says on the pipe which ones it was told are safe.
[[noreturn]] void write_lines(const std::string& path, int writer, int count, int acknowledged) {
  for (int i = 0; i < count; ++i) {
    // Long enough to cover several pages, so that a torn line would show.
    const auto line = std::to_string(writer) + " " + std::to_string(i) + " " +
                      std::string(static_cast<std::size_t>(9000 + writer), 'x') + " end";
    if (!append_line(path, line)) ::_exit(1);
    const std::array<int, 2> safe{writer, i};
    if (::write(acknowledged, safe.data(), sizeof safe) < 0) ::_exit(1);
  }
  ::_exit(0);
}

TEST(AppendTest, ManyWritersThatAreKilledLoseAndMergeNothing) {
  constexpr int writers = 8;
  constexpr int lines = 200;
  ScratchFolder scratch;
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  std::vector<pid_t> running;
  for (int writer = 0; writer < writers; ++writer) {
    const pid_t child = ::fork();
    if (child == 0) write_lines(scratch / "history", writer, lines, ends[1]);
    running.push_back(child);
  }
  // The first half is killed at random moments.
  std::mt19937 random(7);
  std::uniform_int_distribution<int> pause(1, 120);
  for (std::size_t i = 0; i < writers / 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(pause(random)));
    ::kill(running[i], SIGKILL);
  }
  for (std::size_t i = 0; i < running.size(); ++i) {
    int status = 0;
    ::waitpid(running[i], &status, 0);
    if (i >= writers / 2) {
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
  }
  ::close(ends[1]);

  std::map<std::pair<int, int>, int> found;
  int damaged = 0;
  std::istringstream text(slurp(scratch / "history"));
  for (std::string line; std::getline(text, line);) {
    int writer = -1;
    int number = -1;
    std::istringstream fields(line);
    fields >> writer >> number;
    const bool whole = line == std::to_string(writer) + " " + std::to_string(number) + " " +
                                   std::string(static_cast<std::size_t>(9000 + writer), 'x') +
                                   " end";
    if (whole) {
      ++found[{writer, number}];
    } else {
      ++damaged;
    }
  }
  EXPECT_LE(damaged, writers / 2) << "only what a killed writer was writing";
  std::array<int, 2> safe{};
  int acknowledged = 0;
  while (::read(ends[0], safe.data(), sizeof safe) == static_cast<ssize_t>(sizeof safe)) {
    EXPECT_EQ((found[{safe[0], safe[1]}]), 1) << safe[0] << " " << safe[1];
    ++acknowledged;
  }
  ::close(ends[0]);
  EXPECT_GE(acknowledged, writers / 2 * lines);
}

TEST(RewriteTest, ChangesTheTextAndKeepsTheMode) {
  ScratchFolder scratch;
  put(scratch / "history", "one\ntwo\n");
  ASSERT_EQ(::chmod((scratch / "history").c_str(), 0664), 0);
  EXPECT_EQ(said(rewrite_locked(scratch / "history",
                                [](std::string_view text) {
                                  EXPECT_EQ(text, "one\ntwo\n");
                                  return "two\n";
                                })),
            "ok");
  EXPECT_EQ(slurp(scratch / "history"), "two\n");
  EXPECT_EQ(names(scratch.path()), "history");
  struct stat status = {};
  ASSERT_EQ(::stat((scratch / "history").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0664U);
}

TEST(RewriteTest, CreatesNothing) {
  ScratchFolder scratch;
  EXPECT_EQ(said(rewrite_locked(scratch / "history", [](std::string_view) { return "x"; })),
            "could not be opened: No such file or directory");
  EXPECT_EQ(names(scratch.path()), "");
}

TEST(RewriteTest, AFullDiskLeavesTheOldTextWhole) {
  ScratchFolder scratch;
  const auto text = in_fork([&] {
    const auto disk = FullDisk::make(scratch.path());
    put(scratch / "history", "one\n");
    const auto failed = said(rewrite_locked(scratch / "history", [](std::string_view) {
      return std::string(2 * FullDisk::room, 'x');
    }));
    return (failed == "could not be written: " + disk.error ? "refused" : failed) + "|" +
           slurp(scratch / "history") + "|" + names(scratch.path());
  });
  EXPECT_EQ(text, "refused|one\n|history");
}

TEST(RewriteTest, LosesNoLineThatIsAppendedMeanwhile) {
  constexpr int lines = 200;
  ScratchFolder scratch;
  put(scratch / "history", "old\n");
  const pid_t child = ::fork();
  if (child == 0) {
    for (int i = 0; i < lines; ++i)
      append_line(scratch / "history", std::to_string(i));
    ::_exit(0);
  }
  int status = 0;
  int rewritten = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    rewrite_locked(scratch / "history", [](std::string_view text) { return std::string(text); });
    ++rewritten;
  }
  EXPECT_GT(rewritten, 0);
  std::string expected = "old\n";
  for (int i = 0; i < lines; ++i)
    expected += std::to_string(i) + "\n";
  EXPECT_EQ(slurp(scratch / "history"), expected);
}

}  // namespace
}  // namespace abgate::io
