#include <sys/socket.h>

#include "support.hpp"

namespace abgate::io {
namespace {

namespace fs = std::filesystem;

class TreeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(scratch_ / "tree/b/deep");
    fs::create_directories(scratch_ / "tree/empty");
    put(scratch_ / "tree/b/deep/file", "deep");
    put(scratch_ / "tree/a.txt", "12345");
    put(scratch_ / "tree/.hidden", "");
    fs::create_symlink("b/deep/file", scratch_ / "tree/link");
    fs::create_symlink("b", scratch_ / "tree/folder-link");
    fs::create_symlink("nowhere", scratch_ / "tree/dangling");
  }
  static std::string listed(const std::string& directory) {
    const auto entries = list_tree(directory);
    if (!entries) return said(entries);
    std::string text;
    for (const auto& entry : *entries) {
      text += entry.path + (entry.directory ? "/" : " " + std::to_string(entry.size)) +
              (entry.link ? " link" : "") + "\n";
    }
    return text;
  }

  ScratchFolder scratch_;
};

TEST_F(TreeTest, ListsFilesAndFoldersSorted) {
  ::mkfifo((scratch_ / "tree/pipe").c_str(), 0644);
  EXPECT_EQ(listed(scratch_ / "tree"),
            ".hidden 0\na.txt 5\nb/\nb/deep/\nb/deep/file 4\nempty/\nlink 4 link\n");
  EXPECT_EQ(listed(scratch_ / "tree/empty"), "");
  EXPECT_EQ(listed(scratch_ / "absent"), "could not be listed: No such file or directory");
  EXPECT_EQ(listed(scratch_ / "tree/a.txt"), "could not be listed: Not a directory");
}

TEST_F(TreeTest, CopiesFilesModesAndLinks) {
  fs::permissions(scratch_ / "tree/a.txt", fs::perms(0751));
  fs::permissions(scratch_ / "tree/b", fs::perms(0555));
  EXPECT_EQ(said(copy_tree(scratch_ / "tree", scratch_ / "new/copy")), "ok");
  EXPECT_EQ(listed(scratch_ / "new/copy"), listed(scratch_ / "tree"));
  EXPECT_EQ(slurp(scratch_ / "new/copy/b/deep/file"), "deep");
  EXPECT_EQ(fs::status(scratch_ / "new/copy/a.txt").permissions(), fs::perms(0751));
  EXPECT_EQ(fs::status(scratch_ / "new/copy/b").permissions(), fs::perms(0555));
  EXPECT_EQ(fs::read_symlink(scratch_ / "new/copy/link"), "b/deep/file");
  EXPECT_EQ(fs::read_symlink(scratch_ / "new/copy/folder-link"), "b");
  EXPECT_EQ(fs::read_symlink(scratch_ / "new/copy/dangling"), "nowhere");
  fs::permissions(scratch_ / "tree/b", fs::perms(0755));
  fs::permissions(scratch_ / "new/copy/b", fs::perms(0755));
}

TEST_F(TreeTest, CopiesALargeFileWhole) {
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += std::to_string(i);
  put(scratch_ / "tree/large", text);
  EXPECT_EQ(said(copy_tree(scratch_ / "tree", scratch_ / "copy")), "ok");
  EXPECT_TRUE(slurp(scratch_ / "copy/large") == text);
}

TEST_F(TreeTest, DoesNotWriteThroughALinkOrOverAFile) {
  put(scratch_ / "outside", "precious");
  fs::create_directory(scratch_ / "copy");
  fs::create_symlink(scratch_ / "outside", scratch_ / "copy/a.txt");
  EXPECT_EQ(said(copy_tree(scratch_ / "tree", scratch_ / "copy")),
            "could not be created: File exists");
  EXPECT_EQ(slurp(scratch_ / "outside"), "precious");
}

TEST_F(TreeTest, RefusesWhatIsNoFile) {
  ::mkfifo((scratch_ / "tree/b/pipe").c_str(), 0644);
  const auto copied = copy_tree(scratch_ / "tree", scratch_ / "copy");
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().path, absolute(scratch_ / "tree") + "/b/pipe");
  EXPECT_EQ(said(copied), "is not a file, directory or link: Invalid argument");
  EXPECT_FALSE(exists(scratch_ / "copy")) << "nothing is begun";
}

TEST_F(TreeTest, RefusesToCopyATreeIntoItself) {
  for (const std::string to : {"tree", "tree/b/new", "tree/./b/../empty"}) {
    EXPECT_EQ(said(copy_tree(scratch_ / "tree", scratch_ / to)),
              "is inside of what is copied to it: Invalid argument");
  }
  EXPECT_EQ(said(copy_tree(scratch_ / "tree", scratch_ / "tree2")), "ok");
}

TEST_F(TreeTest, SaysThatTheSourceIsMissing) {
  EXPECT_EQ(said(copy_tree(scratch_ / "absent", scratch_ / "copy")),
            "could not be listed: No such file or directory");
  EXPECT_FALSE(exists(scratch_ / "copy"));
}

TEST_F(TreeTest, SaysThatTheDiskIsFull) {
  put(scratch_ / "tree/large", std::string(2 * FullDisk::room, 'x'));
  fs::create_directory(scratch_ / "small");
  const auto text = in_fork([&] {
    const auto disk = FullDisk::make(scratch_ / "small");
    const auto failed = copy_tree(scratch_ / "tree", scratch_ / "small/copy");
    if (failed) return std::string("copied");
    return failed.error().path + (said(failed).ends_with(disk.error) ? ": refused" : said(failed));
  });
  EXPECT_EQ(text, scratch_ / "small/copy/large" + ": refused");
}

TEST_F(TreeTest, MakesDirectories) {
  EXPECT_EQ(said(make_directories(scratch_ / "x/y//z/")), "ok");
  EXPECT_TRUE(is_directory(scratch_ / "x/y/z"));
  EXPECT_EQ(said(make_directories(scratch_ / "x/y")), "ok");
  EXPECT_EQ(said(make_directories("/")), "ok");
  const auto blocked = make_directories(scratch_ / "tree/a.txt/below");
  ASSERT_FALSE(blocked);
  EXPECT_EQ(format(blocked.error()),
            scratch_ / "tree/a.txt" + ": could not be created: Not a directory");
  EXPECT_EQ(said(make_directories("")), "is not a path: No such file or directory");
  EXPECT_FALSE(make_directories("/proc/abgate/new"));
}

TEST_F(TreeTest, KnowsFilesFromFolders) {
  EXPECT_TRUE(exists(scratch_ / "tree/a.txt"));
  EXPECT_FALSE(exists(scratch_ / "tree/dangling"));
  EXPECT_FALSE(exists(scratch_ / "tree/a.txt/below"));
  EXPECT_TRUE(is_directory(scratch_ / "tree/folder-link"));
  EXPECT_FALSE(is_directory(scratch_ / "tree/a.txt"));
  EXPECT_FALSE(is_directory(scratch_ / "absent"));
}

TEST_F(TreeTest, KnowsNewAndEmptyFolders) {
  EXPECT_TRUE(is_new_or_empty(scratch_ / "absent"));
  EXPECT_TRUE(is_new_or_empty(scratch_ / "tree/empty"));
  EXPECT_FALSE(is_new_or_empty(scratch_ / "tree"));
  EXPECT_FALSE(is_new_or_empty(scratch_ / "tree/a.txt"));
  EXPECT_FALSE(is_new_or_empty(scratch_ / "tree/dangling"));
}

TEST_F(TreeTest, MakesPathsAbsolute) {
  const auto root = fs::canonical(scratch_.path()).string();
  EXPECT_EQ(absolute(scratch_ / "tree/folder-link/deep/../file"), root + "/tree/b/file");
  EXPECT_EQ(absolute(scratch_ / "tree/b/"), root + "/tree/b");
  EXPECT_EQ(absolute(scratch_ / "absent/./x/"), root + "/absent/x");
  EXPECT_EQ(absolute("/"), "/");
  EXPECT_EQ(absolute(""), "");
  EXPECT_EQ(in_fork([&] {
              if (::chdir(scratch_.path().c_str()) != 0) return std::string("no folder");
              return absolute("tree/../absent") + " " + absolute(".");
            }),
            root + "/absent " + root);
  EXPECT_EQ(fs::path(self_path()).filename(), "test_io");
}

TEST(DirectoryTest, ANewOneIsMadeOnce) {
  ScratchFolder scratch;
  const auto first = make_new_directory(scratch / "run");
  const auto second = make_new_directory(scratch / "run");
  EXPECT_TRUE(first && *first);
  EXPECT_TRUE(second && !*second);
  EXPECT_EQ(said(make_new_directory(scratch / "absent/run")),
            "could not be created: No such file or directory");
}

TEST(DirectoryTest, IsRemovedWithItsOwnFilesOnly) {
  ScratchFolder scratch;
  const std::vector<std::string> own{"gate.json", "summary.txt"};
  make_directories(scratch / "run");
  put(scratch / "run/gate.json", "x");
  EXPECT_EQ(said(remove_directory(scratch / "run", own)), "ok");
  EXPECT_EQ(names(scratch.path()), "");

  make_directories(scratch / "kept");
  put(scratch / "kept/gate.json", "x");
  put(scratch / "kept/notes", "x");
  EXPECT_EQ(said(remove_directory(scratch / "kept", own)),
            "could not be removed: Directory not empty");
  EXPECT_EQ(names(scratch / "kept"), "gate.json notes");

  ASSERT_EQ(::symlink("kept", (scratch / "link").c_str()), 0);
  EXPECT_EQ(said(remove_directory(scratch / "link", own)), "could not be removed: Not a directory");
  EXPECT_EQ(names(scratch.path()), "kept link");
}

}  // namespace
}  // namespace abgate::io
