#include "support.hpp"

namespace abgate::io {
namespace {

TEST(WriteAtomicallyTest, MakesAndReplacesAFile) {
  ScratchFolder scratch;
  EXPECT_EQ(in_fork([&] {
              ::umask(0027);
              return said(write_atomically(scratch / "file", "old"));
            }),
            "ok");
  struct stat status = {};
  ASSERT_EQ(::stat((scratch / "file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
  EXPECT_EQ(said(write_atomically(scratch / "file", "new text")), "ok");
  EXPECT_EQ(slurp(scratch / "file"), "new text");
  EXPECT_EQ(names(scratch.path()), "file");
}

TEST(WriteAtomicallyTest, TakesANameWithoutAFolder) {
  ScratchFolder scratch;
  EXPECT_EQ(in_fork([&] {
              if (::chdir(scratch.path().c_str()) != 0) return std::string("no folder");
              return said(write_atomically("plain", "text"));
            }),
            "ok");
  EXPECT_EQ(slurp(scratch / "plain"), "text");
}

TEST(WriteAtomicallyTest, SaysWhereItCouldNotWrite) {
  ScratchFolder scratch;
  put(scratch / "file", "x");
  std::filesystem::create_directory(scratch / "folder");
  put(scratch / "folder/inner", "x");
  const auto absent = write_atomically(scratch / "absent/file", "x");
  ASSERT_FALSE(absent);
  EXPECT_EQ(format(absent.error()),
            scratch / "absent/file" + ": could not be created: No such file or directory");
  EXPECT_EQ(said(write_atomically(scratch / "file/below", "x")),
            "could not be created: Not a directory");
  EXPECT_EQ(said(write_atomically(scratch / "folder", "x")),
            "could not be replaced: Is a directory");
  EXPECT_EQ(names(scratch.path()), "file folder") << "no temporary file is left";
}

TEST(WriteAtomicallyTest, AFullDiskLeavesTheOldFileWhole) {
  ScratchFolder scratch;
  const auto text = in_fork([&] {
    const auto disk = FullDisk::make(scratch.path());
    std::string seen = said(write_atomically(scratch / "file", "old")) + "|";
    const auto failed =
        said(write_atomically(scratch / "file", std::string(4 * FullDisk::room, 'x')));
    seen += failed == "could not be written: " + disk.error ? "refused" : failed;
    return seen + "|" + slurp(scratch / "file") + "|" + names(scratch.path());
  });
  EXPECT_EQ(text, "ok|refused|old|file");
}

TEST(WriteAtomicallyTest, AReaderSeesTheOldOrTheNewText) {
  ScratchFolder scratch;
  const std::string old_text(100'000, 'o');
  const std::string new_text(150'000, 'n');
  put(scratch / "file", old_text);
  const pid_t writer = ::fork();
  if (writer == 0) {
    for (int i = 0; i < 100; ++i) {
      write_atomically(scratch / "file", i % 2 == 0 ? new_text : old_text);
    }
    ::_exit(0);
  }
  int seen = 0;
  while (::waitpid(writer, nullptr, WNOHANG) == 0) {
    const auto text = read_file(scratch / "file").value_or("gone");
    ASSERT_TRUE(text == old_text || text == new_text) << text.size();
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

TEST(LogFileTest, WritesThroughAndNeverOverAnOldLog) {
  ScratchFolder scratch;
  {
    auto log = LogFile::create(scratch / "log");
    ASSERT_TRUE(log);
    EXPECT_EQ(said(log->write("one\n")), "ok");
    EXPECT_EQ(slurp(scratch / "log"), "one\n");
    LogFile moved = std::move(*log);
    EXPECT_EQ(said(moved.write(std::string("t\0wo", 4))), "ok");
  }
  EXPECT_EQ(slurp(scratch / "log"), std::string("one\nt\0wo", 8));
  EXPECT_EQ(said(LogFile::create(scratch / "log")), "could not be created: File exists");
  EXPECT_EQ(said(LogFile::create(scratch / "absent/log")),
            "could not be created: No such file or directory");
}

TEST(LogFileTest, SaysThatTheDiskIsFull) {
  ScratchFolder scratch;
  const auto text = in_fork([&] {
    const auto disk = FullDisk::make(scratch.path());
    auto log = LogFile::create(scratch / "log");
    if (!log) return said(log);
    std::string seen = said(log->write("one\n")) + "|";
    const auto failed = said(log->write(std::string(2 * FullDisk::room, 'x')));
    return seen + (failed == "could not be written: " + disk.error ? "refused" : failed);
  });
  EXPECT_EQ(text, "ok|refused");
}

TEST(ProbeTest, TellsWritableFoldersFromOthers) {
  ScratchFolder scratch;
  put(scratch / "file", "");
  EXPECT_EQ(said(probe_writable(scratch.path())), "ok");
  EXPECT_EQ(said(probe_writable(scratch / "absent")),
            "could not get a new file: No such file or directory");
  EXPECT_EQ(said(probe_writable(scratch / "file")), "could not get a new file: Not a directory");
  EXPECT_NE(said(probe_writable("/proc")), "ok");
  EXPECT_EQ(names(scratch.path()), "file");
}

TEST(ProbeTest, NoticesAFullDisk) {
  ScratchFolder scratch;
  const auto text = in_fork([&] {
    const auto disk = FullDisk::make(scratch.path());
    if (disk.error != FullDisk{}.error) {
      const rlimit limit{100, 100};  // the limit on files of the other way must be below the probe
      ::setrlimit(RLIMIT_FSIZE, &limit);
    } else {
      put(scratch / "filler", std::string(2 * FullDisk::room, 'x'));
    }
    const auto failed = said(probe_writable(scratch.path()));
    std::filesystem::remove(scratch / "filler");
    return (failed.ends_with(disk.error) ? "refused|" : failed + "|") + names(scratch.path());
  });
  EXPECT_EQ(text, "refused|");
}

}  // namespace
}  // namespace abgate::io
