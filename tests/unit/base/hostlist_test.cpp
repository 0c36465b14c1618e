#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abgate/base/hostlist.hpp>

namespace abgate {
namespace {

using Names = std::vector<std::string>;

TEST(Hostlist, ExpandsInTheWrittenOrder) {
  const struct {
    std::string list;
    Names names;
  } cases[] = {
      {"a1", {"a1"}},
      {"b,a", {"b", "a"}},
      {"a[1-2,7],b", {"a1", "a2", "a7", "b"}},
      {"a[1-2,07-09],b", {"a1", "a2", "a07", "a08", "a09", "b"}},
      {"n[098-101]", {"n098", "n099", "n100", "n101"}},
      {"n[9-11]", {"n9", "n10", "n11"}},
      {"r[1-2]n[3-4]", {"r1n3", "r1n4", "r2n3", "r2n4"}},
      {"gpu[1]-ib.cluster", {"gpu1-ib.cluster"}},
      {"mi355x-[0-1]", {"mi355x-0", "mi355x-1"}},
      {" a1 ", {"a1"}},
  };
  for (const auto& c : cases)
    EXPECT_EQ(expand_hostlist(c.list), c.names) << c.list;
}

TEST(Hostlist, RefusesWhatIsMalformed) {
  for (const char* list :
       {"",     " ",     ",",      "a,",      ",a",    "a,,b",           "a[",     "a[1",
        "a]",   "a[1]]", "a[[1]]", "a[]",     "a[1-]", "a[-1]",          "a[2-1]", "a[1-2-3]",
        "a[x]", "a[1,]", "a b",    "a[1 -2]", "a;b",   "a[12345678901]", "a\nb"}) {
    EXPECT_EQ(expand_hostlist(list), std::nullopt) << list;
  }
}

TEST(Hostlist, IsBounded) {
  EXPECT_EQ(expand_hostlist("a[1-65536]")->size(), 65536U);
  EXPECT_EQ(expand_hostlist("a[1-65537]"), std::nullopt);
  EXPECT_EQ(expand_hostlist("a[0-999999999]"), std::nullopt);
  EXPECT_EQ(expand_hostlist("a[1-65536],b"), std::nullopt);
  EXPECT_EQ(expand_hostlist("a[1-300]b[1-300]"), std::nullopt);
  EXPECT_EQ(expand_hostlist("a[1-40000,1-40000]"), std::nullopt);
}

}  // namespace
}  // namespace abgate
