#include <fcntl.h>
#include <sys/stat.h>

#include "support.hpp"

namespace abgate::process {
namespace {

class FindProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"a", "b", "a/tool"})
      ::mkdir((scratch_ / folder).c_str(), 0755);
    make("b/tool", 0755);
    make("a/plain", 0644);
    make("b/plain", 0755);
    make("a/locked", 0644);
  }
  void make(const std::string& name, mode_t mode) const {
    std::ofstream(scratch_ / name) << "#!/bin/sh\n";
    ::chmod((scratch_ / name).c_str(), mode);
  }
  std::string both() const { return (scratch_ / "a") + ":" + (scratch_ / "b"); }

  ScratchFolder scratch_;
};

TEST_F(FindProgramTest, TakesTheFirstExecutableFileOfThePath) {
  EXPECT_EQ(find_program("tool", both()), scratch_ / "b/tool") << "a/tool is a folder";
  EXPECT_EQ(find_program("plain", both()), scratch_ / "b/plain") << "a/plain can't be executed";
  EXPECT_EQ(find_program("locked", both()), std::nullopt);
  EXPECT_EQ(find_program("absent", both()), std::nullopt);
  EXPECT_EQ(find_program("", both()), std::nullopt);
}

TEST_F(FindProgramTest, DoesNotSearchForANameWithASlash) {
  EXPECT_EQ(find_program(scratch_ / "b/tool", ""), scratch_ / "b/tool");
  EXPECT_EQ(find_program(scratch_ / "a/plain", both()), std::nullopt);
  EXPECT_EQ(find_program(scratch_ / "a/tool", both()), std::nullopt);
}

TEST_F(FindProgramTest, ReadsRelativeAndEmptyEntriesFromOurDirectory) {
  OtherProcess other([&] {
    if (::chdir((scratch_ / "b").c_str()) != 0) return std::string("no folder");
    return find_program("tool", "/nowhere:").value_or("-") + " " +
           find_program("tool", "../b").value_or("-") + " " +
           find_program("./tool", "").value_or("-");
  });
  const auto tool = scratch_ / "b/tool";
  EXPECT_EQ(other.result(), tool + " " + tool + " " + tool);
}

}  // namespace
}  // namespace abgate::process
