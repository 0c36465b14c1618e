#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abgate/base/text.hpp>

namespace abgate::text {
namespace {

using namespace std::string_view_literals;

TEST(Trim, RemovesBlanksOnBothSidesOnly) {
  EXPECT_EQ(trim(" \t\r\n\f\va b\t "), "a b");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim("\xC2\xA0x"), "\xC2\xA0x");  // a no-break space is text
}

TEST(ToLower, ChangesAsciiOnly) {
  EXPECT_EQ(to_lower("BF16-Ünï"), "bf16-Ünï");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(split(",a,,b,", ','), (std::vector<std::string_view>{"", "a", "", "b", ""}));
}

TEST(Join, IsTheInverse) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"a", "", "b"}, ", "), "a, , b");
}

TEST(ReplaceAll, DoesNotReadItsOwnOutput) {
  EXPECT_EQ(replace_all("aXbX", "X", "XX"), "aXXbXX");
  EXPECT_EQ(replace_all("aaa", "aa", "b"), "ba");
  EXPECT_EQ(replace_all("abc", "", "x"), "abc");
  EXPECT_EQ(replace_all("abc", "b", ""), "ac");
}

TEST(StripAnsi, RemovesSequencesAndNothingElse) {
  struct Case {
    std::string_view in;
    std::string_view out;
  };
  const Case cases[] = {
      {"", ""},
      {"plain\ttext\r\n\x01", "plain\ttext\r\n\x01"},
      {"\x1b[1;31mred\x1b[0m!", "red!"},
      {"\x1b[mX", "X"},
      {"\x1b[38:2::1:2:3mX", "X"},
      {"\x1b[?25lX\x1b[2K", "X"},
      {"\x1b[1 qX", "X"},
      {"\x1b]0;title\aX", "X"},
      {"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\.", "link."},
      {"\x1b(BX", "X"},
      {"\x1b=X\x1b"
       "cY",
       "XY"},
      // Cut or broken sequences lose no text.
      {"X\x1b", "X"},
      {"X\x1b[", "X"},
      {"X\x1b[12;", "X"},
      {"\x1b[31\nX", "\nX"},
      {"\x1b[31\xC3\xA9", "\xC3\xA9"},
      {"\x1b\xC3\xA9", "\xC3\xA9"},
      {"\x1b\nX", "\nX"},
      {"\x1b\x1b[31mX", "X"},
      {"\x1b]0;open\nnext line", "\nnext line"},
      {"\x1b]0;title\x1b[31mred", "red"},
      {"a\xFF\x80z", "a\xFF\x80z"},
      {"iteration \x1b[32m 9\x1b[0m/ 15"sv, "iteration  9/ 15"},
      {"a\0\x1b[1mb"sv, "a\0b"sv},
  };
  for (const Case& c : cases)
    EXPECT_EQ(strip_ansi(c.in), c.out) << printable(c.in);
}

TEST(MarkupEscaped, LeavesNoMarkup) {
  EXPECT_EQ(markup_escaped("<a href='x'>&\"\x1b"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\x1b");
  EXPECT_EQ(markup_escaped("plain \xC3\xA4"), "plain \xC3\xA4");
}

TEST(Printable, ShowsWhatDrivesATerminal) {
  struct Case {
    std::string_view in;
    std::string_view out;
  };
  const Case cases[] = {
      {"", ""},
      {"tok/s \\x é 漢 😀", "tok/s \\x é 漢 😀"},
      {"\x1b[31m", "\\x1b[31m"},
      {"a\tb\r\n\a\x7f", "a\\x09b\\x0d\\x0a\\x07\\x7f"},
      {"\0"sv, "\\x00"},
      {"\xC2\x80\xC2\x9B\xC2\x9F", "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f"},  // C1, CSI among them
      {"\xC2\xA0", "\xC2\xA0"},
      {"\x9B", "\\x9b"},
      {"\xE2\x80\xAE", "\\xe2\\x80\\xae"},                          // right-to-left override
      {"\xE2\x81\xA6x", "\\xe2\\x81\\xa6x"},                        // isolate
      {"\xE2\x80\xA8\xE2\x80\x93", "\\xe2\\x80\\xa8\xE2\x80\x93"},  // line separator; a dash stays
      // Bad UTF-8: lone continuation, cut, overlong, surrogate, beyond U+10FFFF, never valid.
      {"\x80", "\\x80"},
      {"\xC3", "\\xc3"},
      {"\xE2\x82", "\\xe2\\x82"},
      {"\xE2\x82z", "\\xe2\\x82z"},
      {"\xC0\xAF", "\\xc0\\xaf"},
      {"\xE0\x80\xAF", "\\xe0\\x80\\xaf"},
      {"\xED\xA0\x80", "\\xed\\xa0\\x80"},
      {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
      {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"\xFE\xFF", "\\xfe\\xff"},
      {"\xC3\xC3\xA9", "\\xc3é"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(printable(c.in), c.out);
    EXPECT_EQ(printable(printable(c.in)), c.out);
  }
}

TEST(Nearest, FindsTypingErrors) {
  const std::vector<std::string> keys{"precisions", "max_drop", "nodes", "name", "env"};
  struct Case {
    std::string_view word;
    std::optional<std::string> found;
  };
  const Case cases[] = {
      {"presicions", "precisions"},
      {"precision", "precisions"},
      {"maxdrop", "max_drop"},
      {"MAX_DROP", "max_drop"},
      {"ndoes", "nodes"},
      {"node", "nodes"},
      {"enf", "env"},
      {"zzzzzz", std::nullopt},
      {"env_vars_of_side", std::nullopt},
      {"eee", std::nullopt},
  };
  for (const Case& c : cases)
    EXPECT_EQ(nearest(c.word, keys), c.found) << c.word;
  EXPECT_EQ(nearest("x", {}), std::nullopt);
}

TEST(Nearest, TheFirstOfTwoEquallyNearWins) {
  EXPECT_EQ(nearest("aba", {"abb", "abc"}), "abb");
}

TEST(DidYouMean, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(did_you_mean("rubi", {"ruby"}), " (did you mean \"ruby\"?)");
  EXPECT_EQ(did_you_mean("qqqq", {"ruby"}), "");
}

/// What /bin/sh makes of a command line.
std::string shell_output(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string out;
  for (int c = fgetc(pipe.get()); c != EOF; c = fgetc(pipe.get()))
    out += static_cast<char>(c);
  return out;
}

TEST(ShellQuote, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(shell_quote("--time=04:00:00"), "--time=04:00:00");
  EXPECT_EQ(shell_quote("a@b%c+d:e,f./-_"), "a@b%c+d:e,f./-_");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_quote("~"), "'~'");
  EXPECT_EQ(shell_join({"srun", "-n", "2", "a b"}), "srun -n 2 'a b'");
}

TEST(ShellQuote, TheShellReadsBackWhatWasQuoted) {
  const std::vector<std::string> hard{
      "",    "plain", "a b",   "it's",   "'",          "''", "\"x\"", "$HOME", "`id`",
      "a\\", "\\'",   "a\nb",  "*",      "~",          "#x", "a;b",   "a&&b",  "$(id)",
      "!x",  "{a,b}", "[a-z]", "\t tab", "é \xFF raw", "-n", "a=b c"};
  for (const std::string& argument : hard) {
    EXPECT_EQ(shell_output("printf %s " + shell_quote(argument)), argument);
  }
  std::string lines;
  for (const std::string& argument : hard)
    lines += "<" + argument + ">";
  EXPECT_EQ(shell_output("printf '<%s>' " + shell_join(hard)), lines);
}

}  // namespace
}  // namespace abgate::text
