#include "support.hpp"

namespace abgate::io {
namespace {

TEST(ReadTest, TakesTheWholeFileByteForByte) {
  ScratchFolder scratch;
  std::string text(700'000, 'x');
  text[5] = '\0';
  text += "\xff\r\n end";
  put(scratch / "file", text);
  put(scratch / "empty", "");
  EXPECT_EQ(read_file(scratch / "file").value_or("-"), text);
  EXPECT_EQ(read_file(scratch / "empty").value_or("-"), "");
  EXPECT_FALSE(read_file("/proc/self/stat").value_or("").empty()) << "its size is said to be 0";
}

TEST(ReadTest, KeepsTheLimit) {
  ScratchFolder scratch;
  put(scratch / "file", "12345");
  EXPECT_EQ(read_file(scratch / "file", 5).value_or("-"), "12345");
  EXPECT_EQ(said(read_file(scratch / "file", 4)), "could not be read: File too large");
  EXPECT_EQ(said(read_file("/proc/self/status", 4)), "could not be read: File too large");
}

TEST(ReadTest, SaysWhatCouldNotBeRead) {
  ScratchFolder scratch;
  const auto absent = read_file(scratch / "absent");
  ASSERT_FALSE(absent);
  EXPECT_EQ(format(absent.error()),
            scratch / "absent" + ": could not be opened: No such file or directory");
  EXPECT_EQ(said(read_file(scratch.path())), "could not be read: Is a directory");
  EXPECT_EQ(said(read_blocks(scratch / "absent", [](std::string_view) {})),
            "could not be opened: No such file or directory");
}

TEST(ReadTest, StreamsInBoundedBlocks) {
  ScratchFolder scratch;
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += std::to_string(i) + "\n";
  put(scratch / "file", text);
  std::string read;
  std::size_t largest = 0;
  EXPECT_EQ(said(read_blocks(scratch / "file",
                             [&](std::string_view block) {
                               read += block;
                               largest = std::max(largest, block.size());
                             })),
            "ok");
  EXPECT_TRUE(read == text);
  EXPECT_LE(largest, 256U << 10U);
}

}  // namespace
}  // namespace abgate::io
