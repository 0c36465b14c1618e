// The pieces that a kernel of today never or seldom reaches.

#include <fcntl.h>

#include "descriptors.hpp"
#include "served.hpp"
#include "support.hpp"

namespace abgate::process {
namespace {

TEST(DescriptorsTest, ClosesAllButThoseWithAndWithoutCloseRange) {
  for (const bool old_kernel : {false, true}) {
    OtherProcess other([&] {
      Kept kept{};
      for (int i = 0; i < 100; ++i) {
        const int fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (i % 20 == 0) kept.at(static_cast<std::size_t>(i / 20)) = fd;
      }
      std::swap(kept[0], kept[2]);
      std::vector<int> open;
      if (old_kernel) {
        close_listed_but(kept);
      } else {
        close_all_but(kept);
      }
      for (int fd = 0; fd < 1000; ++fd) {
        if (::fcntl(fd, F_GETFD) >= 0) open.push_back(fd);
      }
      std::sort(kept.begin(), kept.end());
      const bool right = open == std::vector<int>(kept.begin(), kept.end());
      ::_exit(right ? 42 : 43);
      return std::string();
    });
    EXPECT_EQ(WEXITSTATUS(other.wait()), 42) << (old_kernel ? "list" : "close_range");
  }
}

TEST(ServedTest, KnowsWhenAProcessIsGoneWithAndWithoutAHandle) {
  for (const auto way : {Served::Way::descriptor, Served::Way::start_time}) {
    OtherProcess other([] {
      ::pause();
      return std::string();
    });
    const Served served(other.pid(), way);
    EXPECT_FALSE(served.gone());
    other.signal(SIGKILL);
    EXPECT_TRUE(eventually([&] { return served.gone(); })) << "a zombie is gone";
    other.wait();
    EXPECT_TRUE(served.gone());
  }
  EXPECT_FALSE(Served(0).gone());
}

TEST(ProcessTableTest, ReadsNamesWithBlanksAndParentheses) {
  const std::string tail = " 7 8 9 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 987654 0 0\n";
  const auto entry = parse_stat("42 (a) b (c) S 1) Z" + tail);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->pid, 42);
  EXPECT_EQ(entry->name, "a) b (c) S 1");
  EXPECT_EQ(entry->state, 'Z');
  EXPECT_EQ(entry->parent, 7);
  EXPECT_EQ(entry->group, 8);
  EXPECT_EQ(entry->start, 987654U);
  for (const auto& bad :
       std::vector<std::string>{"", "42", "42 (x", "42 (x) S", "x (x) S" + tail}) {
    EXPECT_FALSE(parse_stat(bad)) << bad;
  }
}

TEST(ProcessTableTest, LeavesOutWhatIsBelowTheChildrenNamed) {
  const auto idle = [] {
    OtherProcess below([] {
      ::pause();
      return std::string();
    });
    ::pause();
    return std::string();
  };
  OtherProcess first(idle);
  OtherProcess second(idle);
  ASSERT_TRUE(eventually([] { return descendants_of(::getpid()).size() == 4; }));
  const auto rest = descendants_of(::getpid(), {first.pid()});
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[0].process.pid, second.pid());
  EXPECT_EQ(rest[1].process.parent, second.pid());
  // The children of the two would live on.
  for (const auto& found : descendants_of(::getpid()))
    ::kill(found.process.pid, SIGKILL);
}

}  // namespace
}  // namespace abgate::process
