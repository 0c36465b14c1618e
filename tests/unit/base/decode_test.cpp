#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abgate/base/decode.hpp>

namespace abgate {
namespace {

/// Reads `text` with `read`, finishes, and gives all diagnostics as lines.
template <class F>
std::vector<std::string> lines_of(std::string_view text, F&& read) {
  const auto tree = parse_json(text, "f");
  EXPECT_TRUE(tree);
  Diagnostics problems;
  if (tree) {
    ObjectReader reader(*tree, "f", "/top", problems);
    read(reader);
    reader.finish();
  }
  std::vector<std::string> out;
  for (const Diagnostic& problem : problems)
    out.push_back(format(problem));
  return out;
}

using Lines = std::vector<std::string>;

TEST(ObjectReader, ReadsEveryKind) {
  const Lines lines = lines_of(
      R"({"s":"x","b":true,"i":7,"n":0.5,"w":3,"l":["a","b"],"k":[1,2],"m":{"B":"2","A":"1"},
          "c":"ab","none":null})",
      [](ObjectReader& in) {
        EXPECT_EQ(in.string("s"), "x");
        EXPECT_EQ(in.boolean("b"), true);
        EXPECT_EQ(in.integer("i", {}), 7);
        EXPECT_EQ(in.number("n", {}), 0.5);
        EXPECT_EQ(in.number("w", {}), 3.0);
        EXPECT_EQ(in.strings("l"), (std::vector<std::string>{"a", "b"}));
        EXPECT_EQ(in.integers("k", {}), (std::vector<std::int64_t>{1, 2}));
        EXPECT_EQ(in.string_map("m"),
                  (std::vector<std::pair<std::string, std::string>>{{"B", "2"}, {"A", "1"}}));
        EXPECT_EQ(in.choice("c", {"ab", "ba"}), "ab");
        EXPECT_TRUE(in.has("none"));
        EXPECT_FALSE(in.has("other"));
        EXPECT_EQ(in.string("other"), std::nullopt);
        EXPECT_EQ(in.origin("i"), "f:1:23");
        EXPECT_EQ(in.pointer("a/b"), "/top/a~1b");
      });
  EXPECT_EQ(lines, Lines{});
}

TEST(ObjectReader, SaysWhatIsWrongAndWhatWouldBeRight) {
  struct Case {
    std::string_view text;
    void (*read)(ObjectReader&);
    Lines lines;
  };
  const Case cases[] = {
      {R"({"a":1})",
       [](ObjectReader& in) { in.string("a"); },
       {"f:1:6: /top/a: expected a string, found a whole number"}},
      {R"({"a":null})",
       [](ObjectReader& in) { in.boolean("a"); },
       {"f:1:6: /top/a: expected true or false, found null"}},
      {R"({"a":2.0})",
       [](ObjectReader& in) { in.integer("a", {}); },
       {"f:1:6: /top/a: expected a whole number, found a number with a fraction"}},
      {R"({"a":1e30})",
       [](ObjectReader& in) { in.integer("a", {}); },
       {"f:1:6: /top/a: expected a whole number, found a number beyond 64 bits"}},
      {R"({"a":"2"})",
       [](ObjectReader& in) { in.integer("a", {}); },
       {"f:1:6: /top/a: expected a whole number, found a string"}},
      {R"({"a":0})",
       [](ObjectReader& in) { in.integer("a", {.minimum = 1, .maximum = {}}); },
       {"f:1:6: /top/a: 0 is out of range; give at least 1"}},
      {R"({"a":9})",
       [](ObjectReader& in) { in.integer("a", {.minimum = 1, .maximum = 8}); },
       {"f:1:6: /top/a: 9 is out of range; give at least 1 and at most 8"}},
      {R"({"a":9})",
       [](ObjectReader& in) { in.integer("a", {.minimum = {}, .maximum = 8}); },
       {"f:1:6: /top/a: 9 is out of range; give at most 8"}},
      {R"({"a":0})",
       [](ObjectReader& in) {
         in.number("a", {.minimum = 0, .maximum = {}, .above_minimum = true});
       },
       {"f:1:6: /top/a: 0 is out of range; give more than 0"}},
      {R"({"a":1.5})",
       [](ObjectReader& in) {
         in.number("a", {.minimum = 0, .maximum = 1, .above_minimum = true});
       },
       {"f:1:6: /top/a: 1.5 is out of range; give more than 0 and at most 1"}},
      {R"({"a":[]})",
       [](ObjectReader& in) { in.number("a", {}); },
       {"f:1:6: /top/a: expected a number, found an array"}},
      {R"({"a":"x"})",
       [](ObjectReader& in) { in.strings("a"); },
       {"f:1:6: /top/a: expected an array of strings, found a string"}},
      {R"({"a":["x",1,true]})",
       [](ObjectReader& in) { EXPECT_FALSE(in.strings("a")); },
       {"f:1:11: /top/a/1: expected a string, found a whole number",
        "f:1:13: /top/a/2: expected a string, found true"}},
      {R"({"a":{}})",
       [](ObjectReader& in) { in.integers("a", {}); },
       {"f:1:6: /top/a: expected an array of whole numbers, found an object"}},
      {R"({"a":[1,2.5,0]})",
       [](ObjectReader& in) { EXPECT_FALSE(in.integers("a", {.minimum = 1, .maximum = {}})); },
       {"f:1:9: /top/a/1: expected a whole number, found a number with a fraction",
        "f:1:13: /top/a/2: 0 is out of range; give at least 1"}},
      {R"({"a":false})",
       [](ObjectReader& in) { in.string_map("a"); },
       {"f:1:6: /top/a: expected an object of strings, found false"}},
      {R"({"a":{"X/Y":1}})",
       [](ObjectReader& in) { EXPECT_FALSE(in.string_map("a")); },
       {"f:1:13: /top/a/X~1Y: expected a string, found a whole number; write the value in "
        "quotes"}},
      {R"({"a":"abb"})",
       [](ObjectReader& in) {
         EXPECT_FALSE(in.choice("a", {"ab", "abba"}));
       },
       {"f:1:6: /top/a: \"abb\" is not known (did you mean \"ab\"?); give one of ab, abba"}},
      {R"({"a":"zz"})",
       [](ObjectReader& in) {
         in.choice("a", {"slurm", "local"});
       },
       {"f:1:6: /top/a: \"zz\" is not known; give one of slurm, local"}},
      {R"({})",
       [](ObjectReader& in) { in.string("a", true); },
       {"f:1:1: /top/a: the key \"a\" is missing"}},
      {R"({})", [](ObjectReader& in) { in.error("a", "what", "do"); }, {"f:1:1: /top/a: what; do"}},
      {R"({"presicions":[],"x":1})",
       [](ObjectReader& in) { in.strings("precisions"); },
       {"f:1:2: /top/presicions: unknown key \"presicions\"; did you mean \"precisions\"?",
        "f:1:18: /top/x: unknown key \"x\"; known keys: precisions"}},
      {R"([1])",
       [](ObjectReader& in) { EXPECT_FALSE(in.string("a", true)); },
       {"f:1:1: /top: expected an object, found an array"}},
      {R"({"a":1,"b":2})",
       [](ObjectReader& in) {
         in.string("a", true);
         in.boolean("b");
         in.string("c", true);
       },
       {"f:1:6: /top/a: expected a string, found a whole number",
        "f:1:12: /top/b: expected true or false, found a whole number",
        "f:1:1: /top/c: the key \"c\" is missing"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.text));
    EXPECT_EQ(lines_of(c.text, c.read), c.lines);
  }
}

TEST(ObjectReader, ANumberThatIsNotFiniteIsRefusedWithoutBounds) {
  Json object;
  object.set("a", std::numeric_limits<double>::infinity());
  Diagnostics problems;
  ObjectReader reader(object, "f", "", problems);
  EXPECT_FALSE(reader.number("a", {}));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(format(problems[0]), "f: /a: inf is out of range; give a finite number");
}

}  // namespace
}  // namespace abgate
