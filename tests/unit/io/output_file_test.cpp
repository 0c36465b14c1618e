#include <gtest/gtest.h>

#include "support.hpp"

namespace abgate::io {
namespace {

TEST(OutputFile, IsThereOnlyWhenItIsComplete) {
  const ScratchFolder folder;
  {
    auto file = OutputFile::create(folder / "a");
    ASSERT_TRUE(file);
    file->write("one ");
    file->write("two");
    EXPECT_FALSE(exists(folder / "a"));
    EXPECT_EQ(said(file->commit()), "ok");
    EXPECT_EQ(slurp(folder / "a"), "one two");
  }
  {
    auto file = OutputFile::create(folder / "a");
    file->write("three");
  }
  EXPECT_EQ(slurp(folder / "a"), "one two");
  EXPECT_EQ(names(folder.path()), "a");
}

TEST(OutputFile, TakesOwnerModeAndTimeOfWhatItReplaces) {
  const ScratchFolder folder;
  const std::string path = folder / "a";
  put(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(path.c_str(), 1234, 2345), 0);
  }
  const struct timespec times[] = {{1000, 0}, {1234567890, 123456789}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  const auto before = state_of(path);
  ASSERT_TRUE(before);
  auto file = OutputFile::create(path);
  file->write("a new text");
  EXPECT_EQ(said(file->commit_over(*before)), "ok");
  EXPECT_EQ(slurp(path), "a new text");
  auto after = state_of(path);
  ASSERT_TRUE(after);
  EXPECT_NE(after->inode, before->inode);
  EXPECT_EQ(after->size, 10U);
  after->inode = before->inode;
  after->size = before->size;
  EXPECT_EQ(*after, *before);
}

TEST(OutputFile, LeavesAFileThatHasChanged) {
  const ScratchFolder folder;
  const std::string path = folder / "a";
  put(path, "old");
  const auto before = state_of(path);
  auto file = OutputFile::create(path);
  file->write("condensed");
  put(path, "old and more");
  EXPECT_EQ(said(file->commit_over(*before)),
            "was changed meanwhile and stays as it is: Resource temporarily unavailable");
  EXPECT_EQ(slurp(path), "old and more");
}

TEST(OutputFile, WritesToADeviceAsItIs) {
  auto file = OutputFile::create("/dev/null");
  ASSERT_TRUE(file);
  file->write("gone");
  EXPECT_EQ(said(file->commit()), "ok");
  struct stat status = {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  auto full = OutputFile::create("/dev/full");
  full->write("does not fit");
  full->write("nor does this");
  EXPECT_EQ(said(full->commit()), "could not be written: No space left on device");
}

TEST(OutputFile, ACopyBecomesAnotherName) {
  const ScratchFolder folder;
  put(folder / "a", "text");
  put(folder / "b", "text");
  EXPECT_EQ(said(replace_by_link(folder / "a", folder / "b")), "ok");
  EXPECT_EQ(state_of(folder / "a")->inode, state_of(folder / "b")->inode);
  EXPECT_NE(said(replace_by_link(folder / "none", folder / "b")), "ok");
  EXPECT_EQ(slurp(folder / "b"), "text");
  EXPECT_EQ(names(folder.path()), "a b");
}

}  // namespace
}  // namespace abgate::io
