#include <gtest/gtest.h>

#include "support.hpp"

namespace abgate::condense {
namespace {

Options above(std::int64_t count) {
  Options options;
  options.auto_above = count;
  options.keep = {"iteration", "NET/", "oom"};
  return options;
}

/// `count` lines, each from `make(i)`.
template <class Make>
std::string lines(int count, Make make) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += make(i) + "\n";
  return out;
}

TEST(AutoKinds, FoldsLinesThatDifferInWhatVaries) {
  const auto make = [](int i) {
    return fmt::format(
        "[2026-11-01 10:00:{:02}] node-{}:{}:{} expert {} at 0x7f{:x} of 10.0.0.{} cache "
        "is {}.{} % full",
        i, i % 3, 100 + i % 4, 200 + i, i, 4096 + i, i, i, i);
  };
  EXPECT_EQ(condensed(lines(30, make), above(10)),
            lines(10, make) +
                "[abgate] folded 20 lines of \"[#-#-# #:#:#] #:#:# expert # at # of #.#.#.# cac\" "
                "from 2026-11-01 10:00:10 to 2026-11-01 10:00:29, 3 hosts, 12 ranks\n");
}

TEST(AutoKinds, OtherWordsAreOtherLines) {
  const auto make = [](int i) {
    return fmt::format("word{} {}", std::string(static_cast<std::size_t>(1 + i % 20), 'a'), i);
  };
  const std::string log = lines(40, make);
  EXPECT_EQ(condensed(log, above(5)), log);
}

TEST(AutoKinds, NeverFoldsWhatIsToBeKept) {
  for (const char* text : {"iteration", "iter\x1b[1mation", "NET/IB", "an oom"}) {
    const std::string log =
        lines(50, [&](int i) { return fmt::format("{} {} of a run", text, i); });
    EXPECT_EQ(condensed(log, above(5)), log) << text;
  }
}

TEST(AutoKinds, NamesAreShortAndPrintable) {
  const std::string log = lines(50, [](int i) {
    return fmt::format("\x1b[31m{} \x01\xff \x1b[0m{}", i, std::string(200, 'y'));
  });
  const std::string out = condensed(log, above(5));
  const std::size_t fold = out.find("[abgate] folded 45 lines of \"");
  ASSERT_NE(fold, std::string::npos);
  EXPECT_LT(out.size() - fold, 200U);
  EXPECT_EQ(out.substr(fold).find_first_of("\x1b\x01\xff"), std::string::npos);
}

TEST(AutoKinds, AreOffUnlessAskedFor) {
  const std::string log = lines(5000, [](int i) { return fmt::format("the same line but {}", i); });
  EXPECT_EQ(condensed(log), log);
}

}  // namespace
}  // namespace abgate::condense
