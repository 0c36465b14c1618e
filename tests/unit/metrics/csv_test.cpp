#include <string>

#include <gtest/gtest.h>

#include <abgate/metrics/csv.hpp>

namespace abgate::metrics {
namespace {

using std::string_literals::operator""s;

std::string error_of(const std::string& text) {
  const auto table = parse_csv(text, "x.csv");
  return table ? "accepted" : format(table.error().front());
}

TEST(Csv, ReadsQuotedCommasQuotesAndNewlines) {
  const auto table = parse_csv("a,b,c\n\"1,2\",\"say \"\"hi\"\"\",\"two\nlines\"\nx,,z\n", "x.csv");
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows().size(), 2U);
  EXPECT_EQ(table->rows()[0].fields, (std::vector<std::string>{"1,2", "say \"hi\"", "two\nlines"}));
  EXPECT_EQ(table->rows()[0].line, 2);
  EXPECT_EQ(table->rows()[1].line, 4) << "the newline inside quotes counts";
  EXPECT_EQ(table->rows()[1].fields, (std::vector<std::string>{"x", "", "z"}));
}

TEST(Csv, LineEndsBomAndBlankLinesDoNotMatter) {
  for (const std::string text : {"a,b\n1,2\n", "a,b\n1,2", "a,b\r\n1,2\r\n",
                                 "\xEF\xBB\xBF"
                                 "a,b\r\n\r\n1,2",
                                 "a,b\n\n  \n1,2\n\n", "a,b\r\n\"1\",\"2\"\r\n"}) {
    const auto table = parse_csv(text, "x.csv");
    ASSERT_TRUE(table) << text;
    ASSERT_EQ(table->rows().size(), 1U) << text;
    EXPECT_EQ(table->field(table->rows()[0], "a"), "1") << text;
    EXPECT_EQ(table->field(table->rows()[0], "b"), "2") << text;
  }
}

TEST(Csv, FindsColumnsByTrimmedName) {
  const auto table = parse_csv(" model , value\n m , 1 \n", "x.csv");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->column("model"), 0);
  EXPECT_EQ(table->column("value"), 1);
  EXPECT_EQ(table->column("other"), -1);
  EXPECT_EQ(table->field(table->rows()[0], "value"), "1");
  EXPECT_EQ(table->field(table->rows()[0], "other"), "");
}

TEST(Csv, RefusesWithFileAndLine) {
  EXPECT_EQ(error_of(""), "x.csv: the file is empty; a header line");
  EXPECT_EQ(error_of("\n \n"), "x.csv: the file is empty; a header line");
  EXPECT_EQ(error_of("a,b\n1,2\n3\n"), "x.csv:3: the row has 1 fields, the header has 2");
  EXPECT_EQ(error_of("a,b\n1,2,3\n"), "x.csv:2: the row has 3 fields, the header has 2");
  EXPECT_EQ(error_of("a,b\n1,\"2\n3,4\n"), "x.csv:2: a quoted field is never closed");
  EXPECT_EQ(error_of("a,b\n\"1\"x,2\n"),
            "x.csv:2: \"x\" stands behind the closing quote of a field");
  EXPECT_EQ(error_of("a,b\n1\"2\",3\n"),
            "x.csv:2: a quote stands inside a field that is not quoted");
  EXPECT_EQ(error_of("a,b\n1,\0\n"s), "x.csv:2: a NUL byte stands in a field");
}

TEST(Csv, ReportsEveryBadRow) {
  const auto table = parse_csv("a,b\n1\n1,2\n1,2,3\n", "x.csv");
  ASSERT_FALSE(table);
  ASSERT_EQ(table.error().size(), 2U);
  EXPECT_EQ(table.error()[0].position.line, 2);
  EXPECT_EQ(table.error()[1].position.line, 4);
}

}  // namespace
}  // namespace abgate::metrics
