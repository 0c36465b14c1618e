#include "../src/plan/layout.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../src/plan/differences.hpp"

namespace abgate::plan {
namespace {

using ::testing::ElementsAre;

TEST(Wrap, BreaksBehindBlanksAndCommas) {
  EXPECT_THAT(wrap("", 5), ElementsAre(""));
  EXPECT_THAT(wrap("abcde", 5), ElementsAre("abcde"));
  EXPECT_THAT(wrap("abcdefgh", 5), ElementsAre("abcde", "fgh"));
  EXPECT_THAT(wrap("abc def", 5), ElementsAre("abc ", "def"));
  EXPECT_THAT(wrap("abc,def", 5), ElementsAre("abc,", "def"));
  EXPECT_THAT(wrap("ab/cdefg", 5), ElementsAre("ab/", "cdefg"));
  EXPECT_THAT(wrap("a b/c/ddd", 6), ElementsAre("a b/c/", "ddd"));
  EXPECT_THAT(wrap("a bcdefgh", 5), ElementsAre("a bcd", "efgh"));
  EXPECT_THAT(wrap("\xc3\xbc\xc3\xbc\xc3\xbc", 2), ElementsAre("\xc3\xbc\xc3\xbc", "\xc3\xbc"));
}

TEST(Table, AlignsAndContinues) {
  EXPECT_EQ(table({{"a", "bb"}, {"cccc", "d"}}, {3, 5}, "> "),
            "> a    bb\n"
            "> ccc  d\n"
            "> c\n");
}

TEST(Command, IsContinuedWithBackslashes) {
  EXPECT_EQ(command({"x", "a b"}, "  "), "  x 'a b'\n");
  const std::string word(40, 'w');
  EXPECT_EQ(command({word, word, word, std::string(120, 'v'), "z"}, "  "),
            "  " + word + " " + word + " \\\n      " + word + " \\\n      " +
                std::string(120, 'v') + " \\\n      z\n");
}

std::vector<std::string> pointers_of(const char* a, const char* b) {
  std::vector<std::string> out;
  for (const Difference& d : differences(*parse_json(a, "a"), *parse_json(b, "b"))) {
    out.push_back(d.pointer + (d.baseline ? " " + d.baseline->dump_line() : " -") +
                  (d.candidate ? " " + d.candidate->dump_line() : " -"));
  }
  return out;
}

TEST(Differences, GoDownToTheValue) {
  EXPECT_THAT(pointers_of("{}", "{}"), ElementsAre());
  EXPECT_THAT(pointers_of(R"({"a":{"b":1,"c":2}})", R"({"a":{"b":1,"c":3,"d":4}})"),
              ElementsAre("/a/c 2 3", "/a/d - 4"));
  EXPECT_THAT(pointers_of(R"({"a":1,"b":[1,2]})", R"({"b":[1,3,4]})"),
              ElementsAre("/a 1 -", "/b/1 2 3", "/b/2 - 4"));
  EXPECT_THAT(pointers_of(R"({"b":[1,2]})", R"({"b":[1]})"), ElementsAre("/b/1 2 -"));
  EXPECT_THAT(pointers_of(R"({"a":{}})", R"({"a":"x"})"), ElementsAre(R"(/a {} "x")"));
}

TEST(Differences, TakeAnEntryOfAnotherNameForTheSameEntry) {
  EXPECT_THAT(pointers_of(R"({"built_images":{"a/b":{"x":1,"y":2}}})",
                          R"({"built_images":{"c":{"x":1,"y":3}}})"),
              ElementsAre(R"(/built_images "a/b" "c")", "/built_images/a~1b/y 2 3"));
  EXPECT_THAT(pointers_of(R"({"mounts":{"a":1}})", R"({"mounts":{"b":1}})"),
              ElementsAre("/mounts/a 1 -", "/mounts/b - 1"));
}

}  // namespace
}  // namespace abgate::plan
