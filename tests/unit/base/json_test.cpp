#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <abgate/base/json.hpp>

namespace abgate {
namespace {

constexpr JsonSyntax with_comments{.comments = true};
constexpr JsonSyntax with_nan{.bare_nan = true};

Diagnostics problems_of(std::string_view text, JsonSyntax syntax = {}) {
  const auto result = parse_json(text, "f", syntax);
  return result ? Diagnostics{} : result.error();
}

/// Every value and key of a tree by its pointer; keys carry a `#`.
void collect(const Json& value, const std::string& pointer, std::map<std::string, Position>& out) {
  out[pointer] = value.position();
  for (std::size_t i = 0; i < value.items().size(); ++i)
    collect(value.items()[i], pointer_join(pointer, i), out);
  for (const Json::Member& member : value.members()) {
    out[pointer_join(pointer, member.key) + "#"] = member.position;
    collect(member.value, pointer_join(pointer, member.key), out);
  }
}

std::map<std::string, Position> places_in(std::string_view text, JsonSyntax syntax = {}) {
  std::map<std::string, Position> out;
  const auto result = parse_json(text, "f", syntax);
  EXPECT_TRUE(result) << (result ? "" : format(result.error().front()));
  if (result) collect(*result, "", out);
  return out;
}

using Places = std::map<std::string, Position>;

TEST(JsonPositions, EveryTokenOfOneLine) {
  EXPECT_EQ(places_in(R"({"a":1,"b" : [true , "x",{}], "c":null})"), (Places{{"", {1, 1}},
                                                                             {"/a#", {1, 2}},
                                                                             {"/a", {1, 6}},
                                                                             {"/b#", {1, 8}},
                                                                             {"/b", {1, 14}},
                                                                             {"/b/0", {1, 15}},
                                                                             {"/b/1", {1, 22}},
                                                                             {"/b/2", {1, 26}},
                                                                             {"/c#", {1, 31}},
                                                                             {"/c", {1, 35}}}));
}

TEST(JsonPositions, CommentsCrlfAndTabs) {
  EXPECT_EQ(places_in("// {\"no\": 1}\r\n{\r\n\t\"a\": /* , : { */ -1.5e3, // \"b\": 2\r\n"
                      "/* two\nlines */\t\"b\":[\n1/**/,2//\n]\r\n}\r\n",
                      with_comments),
            (Places{{"", {2, 1}},
                    {"/a#", {3, 2}},
                    {"/a", {3, 19}},
                    {"/b#", {5, 10}},
                    {"/b", {5, 14}},
                    {"/b/0", {6, 1}},
                    {"/b/1", {6, 7}}}));
}

TEST(JsonPositions, ACommentEndsAtALoneCarriageReturn) {
  EXPECT_EQ(places_in("// c\r[1]", with_comments), (Places{{"", {1, 6}}, {"/0", {1, 7}}}));
}

TEST(JsonPositions, EscapesAndUnicodeCountBytes) {
  EXPECT_EQ(places_in(R"({"a\"b:,{":"\\","é":"😀\u00e9","c":1})"), (Places{{"", {1, 1}},
                                                                          {"/a\"b:,{#", {1, 2}},
                                                                          {"/a\"b:,{", {1, 12}},
                                                                          {"/é#", {1, 17}},
                                                                          {"/é", {1, 22}},
                                                                          {"/c#", {1, 35}},
                                                                          {"/c", {1, 39}}}));
}

TEST(JsonPositions, AByteOrderMarkIsNoColumn) {
  EXPECT_EQ(places_in("\xEF\xBB\xBF{\"a\":\n1}"),
            (Places{{"", {1, 1}}, {"/a#", {1, 2}}, {"/a", {2, 1}}}));
  EXPECT_EQ(problems_of("\xEF\xBB\xBF[1,]").front().position, (Position{1, 4}));
}

TEST(JsonPositions, ABareScalarIsADocument) {
  EXPECT_EQ(places_in("\n  42 "), (Places{{"", {2, 3}}}));
}

struct SyntaxCase {
  std::string_view text;
  JsonSyntax syntax;
  Position position;
  std::string_view message;
  std::string_view hint = "";
};

TEST(JsonErrors, NameTheOffendingToken) {
  const SyntaxCase cases[] = {
      {"", {}, {1, 1}, "unexpected end of input; expected '[', '{', or a literal"},
      {" \n ", {}, {2, 2}, "unexpected end of input; expected '[', '{', or a literal"},
      {"{", {}, {1, 2}, "unexpected end of input; expected string literal"},
      {"{\"a\"", {}, {1, 5}, "unexpected end of input; expected ':'"},
      {"{\"a\" 1}", {}, {1, 6}, "unexpected number literal; expected ':'"},
      {"{\"a\"::1}", {}, {1, 6}, "unexpected ':'; expected '[', '{', or a literal"},
      {"{\"a\",1}", {}, {1, 5}, "unexpected ','; expected ':'"},
      {"{\"a\":}", {}, {1, 6}, "unexpected '}'; expected '[', '{', or a literal"},
      {"{\"a\":1\n \"b\":2}", {}, {2, 2}, "unexpected string literal; expected ',' or '}'"},
      {"{\"a\":1,}",
       {},
       {1, 8},
       "unexpected '}'; expected string literal",
       "remove the comma before it"},
      {"[1,\n]",
       {},
       {2, 1},
       "unexpected ']'; expected '[', '{', or a literal",
       "remove the comma before it"},
      {"[1,,2]", {}, {1, 4}, "unexpected ','; expected '[', '{', or a literal"},
      {"[,1]", {}, {1, 2}, "unexpected ','; expected '[', '{', or a literal"},
      {"[1 2]", {}, {1, 4}, "unexpected number literal; expected ',' or ']'"},
      {"[1}", {}, {1, 3}, "unexpected '}'; expected ',' or ']'"},
      {"[1] x", {}, {1, 5}, "invalid literal; expected end of input"},
      {"[1],", {}, {1, 4}, "unexpected ','; expected end of input"},
      {"{a:1}", {}, {1, 2}, "invalid literal; expected string literal"},
      {"{\"a\": tru}", {}, {1, 7}, "invalid literal"},
      {"{\"a\": 'x'}", {}, {1, 7}, "invalid literal"},
      {"[01]", {}, {1, 3}, "unexpected number literal; expected ',' or ']'"},
      {"[1.]", {}, {1, 2}, "invalid number; expected digit after '.'"},
      {"[+1]", {}, {1, 2}, "invalid literal"},
      {"[.5]", {}, {1, 2}, "invalid literal"},
      {"[0x10]", {}, {1, 3}, "invalid literal; expected ',' or ']'"},
      {"[\"a\n\"]",
       {},
       {1, 2},
       "invalid string: control character U+000A (LF) must be escaped to \\u000A or \\n"},
      {"[\"abc", {}, {1, 2}, "invalid string: missing closing quote"},
      {"[1, \"\\q\"]", {}, {1, 5}, "invalid string: forbidden character after backslash"},
      {"[1, \"\xFF\"]", {}, {1, 5}, "invalid string: ill-formed UTF-8 byte"},
      {"// c\n[1]", {}, {1, 1}, "invalid literal"},
      {"[1, /* open", with_comments, {1, 5}, "invalid comment; missing closing '*/'"},
      {"[1, // c\n /* d */ ]",
       with_comments,
       {2, 10},
       "unexpected ']'; expected '[', '{', or a literal",
       "remove the comma before it"},
      {"[1, 1e999]", {}, {1, 5}, "the number is too large to be represented"},
      {"{\"a\":\n -1e999}", {}, {2, 2}, "the number is too large to be represented"},
      {"[1e-400]", {}, {1, 2}, "the number is too small to be represented"},
      {"[NaN]", {}, {1, 2}, "invalid literal"},
      {"[-NaN]", with_nan, {1, 2}, "invalid number; expected digit after '-'"},
      {"[1NaN]", with_nan, {1, 3}, "invalid literal; expected ',' or ']'"},
      {"[NaN5]", with_nan, {1, 5}, "unexpected number literal; expected ',' or ']'"},
      {"[true5]", {}, {1, 6}, "unexpected number literal; expected ',' or ']'"},
      {"[\"a\"\"b\"]", {}, {1, 5}, "unexpected string literal; expected ',' or ']'"},
      {"{NaN:1}", with_nan, {1, 2}, "invalid literal; expected string literal"},
      {"[nan]", with_nan, {1, 2}, "invalid literal"},
  };
  for (const SyntaxCase& c : cases) {
    SCOPED_TRACE(std::string(c.text));
    const Diagnostics found = problems_of(c.text, c.syntax);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].file, "f");
    EXPECT_EQ(found[0].position.line, c.position.line);
    EXPECT_EQ(found[0].position.column, c.position.column);
    EXPECT_EQ(found[0].message, c.message);
    EXPECT_EQ(found[0].hint, c.hint);
  }
}

TEST(JsonErrors, DoNotRepeatWhatWasRead) {
  const Diagnostics found = problems_of("{\"token\": \"not-to-be-shown\n\"}");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message.find("shown"), std::string::npos) << found[0].message;
}

TEST(JsonErrors, ANulByteDoesNotEndTheText) {
  using namespace std::string_view_literals;
  for (const std::string_view text : {"{\"a\":1}\0 junk"sv, "[1]\0"sv, "\0"sv, "[1,\0 2]"sv}) {
    const Diagnostics found = problems_of(text, with_comments);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].message, "a NUL byte cannot stand in a JSON text");
    EXPECT_EQ(found[0].position, (Position{1, static_cast<int>(text.find('\0')) + 1}));
  }
}

TEST(JsonErrors, EveryDuplicateKeyIsReported) {
  const Diagnostics found =
      problems_of("{\"a\":1,\n \"b\":{\"x\":1,\"x\":2},\n \"a\":3,\n \"a\":4,\n \"b\":5}");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(format(found[0]),
            "f:2:13: the key \"x\" stands twice in one object; the first is on line 2; keep one");
  EXPECT_EQ(found[1].position, (Position{3, 2}));
  EXPECT_EQ(found[2].position, (Position{4, 2}));
  EXPECT_EQ(found[2].hint, "the first is on line 1; keep one");
  EXPECT_EQ(found[3].position, (Position{5, 2}));
}

TEST(JsonErrors, DuplicatesAreFoundBehindEscapes) {
  EXPECT_EQ(problems_of(R"({"a":1,"\u0061":2})").size(), 1U);
}

TEST(JsonErrors, DuplicatesAreTheLastOneWhereTheyAreAllowed) {
  const auto result = parse_json(R"({"a":1,"b":2,"a":[3]})", "f", {.duplicates = true});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->members().size(), 2U);
  EXPECT_EQ(*result->find("a"), Json::array({3}));
}

TEST(JsonErrors, DepthBombsAreRefused) {
  for (const std::string_view unit : {"[", "{\"a\":"}) {
    std::string bomb;
    for (int i = 0; i < 100000; ++i)
      bomb += unit;
    const Diagnostics found = problems_of(bomb);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].message, "nested deeper than 128 levels");
    EXPECT_EQ(found[0].position, (Position{1, static_cast<int>(128 * unit.size()) + 1}));
  }
  const std::string deepest = std::string(128, '[') + std::string(128, ']');
  EXPECT_TRUE(parse_json(deepest, "f"));
  EXPECT_FALSE(parse_json("[" + deepest + "]", "f"));
}

constexpr std::string_view sample = R"(// A workload.
{
  "schema_version": 1, /* the only one */
  "name": "gpt-oss-120b \"x\" \\ é 😀 \u00e9\n",
  "precisions": ["BF16", "FP8"],
  "max_drop": 0.02, "count": -15, "big": 9223372036854775807,
  "env": {"A": "1", "B": ""}, "none": null, "on": true, "off": false,
  "nested": [[], {}, [{"k": [1.5e-3, 2E+5]}]]
}
)";

TEST(JsonRobustness, ADocumentCutAtEveryByteIsAnError) {
  ASSERT_TRUE(parse_json(sample, "f", with_comments));
  const std::size_t whole = sample.rfind('}') + 1;
  for (std::size_t size = 0; size < whole; ++size) {
    const auto result = parse_json(sample.substr(0, size), "f", with_comments);
    ASSERT_FALSE(result) << "cut at " << size;
    ASSERT_EQ(result.error().size(), 1U);
    EXPECT_GT(result.error()[0].position.line, 0);
    EXPECT_FALSE(result.error()[0].message.empty());
  }
}

/// A place lies inside its text, or just behind it.
void expect_inside(Position place, std::string_view text) {
  std::size_t start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (int line = 1; line < place.line; ++line) {
    const std::size_t end = text.find('\n', start);
    ASSERT_NE(end, std::string_view::npos);
    start = end + 1;
  }
  ASSERT_GE(place.line, 1);
  ASSERT_GE(place.column, 1);
  ASSERT_LE(start + static_cast<std::size_t>(place.column) - 1, text.size());
}

/// What stands at a value's place is the beginning of such a value.
void expect_starts_there(const Json& value, std::string_view text) {
  std::size_t start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (int line = 1; line < value.position().line; ++line)
    start = text.find('\n', start) + 1;
  const char c = text.at(start + static_cast<std::size_t>(value.position().column) - 1);
  const std::map<Json::Kind, std::string_view> starts{{Json::Kind::null, "nNI-"},
                                                      {Json::Kind::boolean, "tf"},
                                                      {Json::Kind::integer, "-0123456789"},
                                                      {Json::Kind::number, "-0123456789"},
                                                      {Json::Kind::string, "\""},
                                                      {Json::Kind::array, "["},
                                                      {Json::Kind::object, "{"}};
  ASSERT_NE(starts.at(value.kind()).find(c), std::string_view::npos) << value.kind_name();
  for (const Json& item : value.items())
    expect_starts_there(item, text);
  for (const Json::Member& member : value.members())
    expect_starts_there(member.value, text);
}

TEST(JsonRobustness, MutatedTextsNeverCrashAndPlacesStayTrue) {
  std::mt19937 random(20261101);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  constexpr std::string_view pieces[] = {
      "\"",           "\\", "{",  "}",  "[",    "]",     ",",  ":",    "//",
      "/*",           "*/", "\n", "\r", "NaN",  "1e999", "-0", "\xFF", "\xC3",
      "\xEF\xBB\xBF", "\t", "e",  ".",  "null", " "};
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text(sample);
    for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        case 2:
          text.erase(at, 1 + below(8));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(20)));
      }
    }
    const JsonSyntax syntax{
        .comments = below(4) != 0, .bare_nan = below(2) == 0, .duplicates = below(2) == 0};
    const auto result = parse_json(text, "f", syntax);
    SCOPED_TRACE(text);
    if (!result) {
      ASSERT_FALSE(result.error().empty());
      for (const Diagnostic& problem : result.error())
        ASSERT_NO_FATAL_FAILURE(expect_inside(problem.position, text));
      continue;
    }
    ++accepted;
    ASSERT_NO_FATAL_FAILURE(expect_starts_there(*result, text));
    const auto again = parse_json(result->dump(), "f");
    ASSERT_TRUE(again);
    ASSERT_EQ(*again, *result);
  }
  EXPECT_GT(accepted, 500);  // else the loop only tries rubbish
  EXPECT_LT(accepted, 19500);
}

TEST(JsonNan, BareNanReadsAsNullAndKeepsPlaces) {
  constexpr std::string_view text =
      R"([NaN, -Infinity,Infinity, {"a":NaN, "NaN": "NaN \" NaN"}, 0, -0])";
  EXPECT_FALSE(parse_json(text, "f"));
  const auto result = parse_json(text, "f", with_nan);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->dump_line(), R"([null,null,null,{"a":null,"NaN":"NaN \" NaN"},0,0])");
  EXPECT_EQ(result->items()[1].position(), (Position{1, 7}));
  EXPECT_EQ(result->items()[2].position(), (Position{1, 17}));
  EXPECT_EQ(result->items()[4].position(), (Position{1, 59}));
}

TEST(JsonNumbers, BigIntegersBecomeDoubles) {
  struct Case {
    std::string_view text;
    Json::Kind kind;
    double value;
  };
  const Case cases[] = {
      {"9223372036854775807", Json::Kind::integer, 9223372036854775807.0},
      {"-9223372036854775808", Json::Kind::integer, -9223372036854775808.0},
      {"9223372036854775808", Json::Kind::number, 9223372036854775808.0},
      {"-9223372036854775809", Json::Kind::number, -9223372036854775809.0},
      {"18446744073709551616", Json::Kind::number, 18446744073709551616.0},
      {"1e3", Json::Kind::number, 1000},
      {"0.0e-999", Json::Kind::number, 0},
      {"-0", Json::Kind::integer, 0},
      {"1e308", Json::Kind::number, 1e308},
      {"5e-324", Json::Kind::number, 5e-324},
  };
  for (const Case& c : cases) {
    const auto result = parse_json(c.text, "f");
    ASSERT_TRUE(result) << c.text;
    EXPECT_EQ(result->kind(), c.kind) << c.text;
    EXPECT_EQ(result->as_number(), c.value) << c.text;
  }
  EXPECT_EQ(parse_json("18446744073709551616", "f")->kind_name(), "a number beyond 64 bits");
  EXPECT_EQ(parse_json("2.0", "f")->kind_name(), "a number with a fraction");
  EXPECT_EQ(parse_json("9223372036854775807", "f")->as_integer(), INT64_MAX);
}

TEST(JsonDump, IsStableAndReadsBack) {
  Json value;
  value.set("z", 1).set_position({7, 7});
  value.set("a", Json::array({1.5, "x", nullptr, true, Json::object(), Json::array()}));
  value.set("z", std::int64_t{2});
  value.set("é\"\n", 0.1);
  EXPECT_EQ(value.dump(), R"({
  "z": 2,
  "a": [
    1.5,
    "x",
    null,
    true,
    {},
    []
  ],
  "é\"\n": 0.1
}
)");
  EXPECT_EQ(value.dump_line(), R"({"z":2,"a":[1.5,"x",null,true,{},[]],"é\"\n":0.1})");
  EXPECT_EQ(*parse_json(value.dump(), "f"), value);
  EXPECT_EQ(*parse_json(sample, "f", with_comments),
            *parse_json(parse_json(sample, "f", with_comments)->dump_line(), "f"));
}

TEST(JsonDump, DoublesReadBackExactly) {
  for (const double value : {0.9993, 1.0 / 3, 8281.8, 1e-300, 5e-324, 1.7976931348623157e308, 1e22,
                             123456789012345680.0, -0.0}) {
    EXPECT_EQ(parse_json(Json(value).dump_line(), "f")->as_number(), value);
  }
}

TEST(JsonDump, ReplacesWhatJsonCannotHold) {
  EXPECT_EQ(Json(std::nan("")).dump_line(), "null");
  EXPECT_EQ(Json(INFINITY).dump_line(), "null");
  EXPECT_EQ(Json("a\xFF\xC3z").dump_line(), "\"a\xEF\xBF\xBD\xEF\xBF\xBDz\"");
  EXPECT_EQ(Json::object({{"\x80", 1}}).dump_line(), "{\"\xEF\xBF\xBD\":1}");
  EXPECT_EQ(Json(std::string("\0\x1b\x7f", 3)).dump_line(), "\"\\u0000\\u001b\x7f\"");
}

TEST(JsonAccess, AnswersForItsOwnKindOnly) {
  const Json text("x");
  EXPECT_EQ(text.as_integer(), 0);
  EXPECT_FALSE(text.as_boolean());
  EXPECT_EQ(text.find("a"), nullptr);
  EXPECT_TRUE(text.items().empty());
  const auto tree = parse_json(R"({"a":{"b":{"c":7}},"d":[1]})", "f");
  ASSERT_TRUE(tree);
  ASSERT_NE(tree->at({"a", "b", "c"}), nullptr);
  EXPECT_EQ(tree->at({"a", "b", "c"})->as_integer(), 7);
  EXPECT_EQ(tree->at({"a", "x", "c"}), nullptr);
  EXPECT_EQ(tree->at({"d", "0"}), nullptr);
}

TEST(JsonEquality, ComparesValuesNotPlaces) {
  EXPECT_EQ(Json(2), Json(2.0));
  EXPECT_FALSE(Json(2) == Json(2.5));
  EXPECT_FALSE(Json("2") == Json(2));
  EXPECT_FALSE(Json(false) == Json(nullptr));
  EXPECT_FALSE(*parse_json(R"({"a":1,"b":2})", "f") == *parse_json(R"({"b":2,"a":1})", "f"));
  EXPECT_EQ(*parse_json("[ 1]", "f"), *parse_json("[1]", "f"));
}

TEST(JsonPointer, EscapesKeys) {
  EXPECT_EQ(pointer_join("", "a/b~c"), "/a~1b~0c");
  EXPECT_EQ(pointer_join("/x", ""), "/x/");
  EXPECT_EQ(pointer_join("/x", std::size_t{3}), "/x/3");
}

}  // namespace
}  // namespace abgate
