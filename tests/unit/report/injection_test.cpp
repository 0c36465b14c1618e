// Text from logs, configs and file names reaches every report, and drives none (LESSONS 34).
#include <regex>
#include <sstream>

#include <gmock/gmock.h>

#include <abgate/base/text.hpp>
#include <abgate/report/github.hpp>
#include <abgate/report/markdown.hpp>
#include <abgate/report/render.hpp>

#include "sample_records.hpp"

namespace abgate::report {
namespace {

using namespace abgate::test;
using namespace std::string_literals;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Hostile {
  std::string name;
  std::string text;
};

void PrintTo(const Hostile& hostile, std::ostream* out) {
  *out << hostile.name;
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i)
    out += text;
  return out;
}

const std::vector<Hostile>& hostile_texts() {
  static const std::vector<Hostile> all{
      {"Markup",
       R"x(</td></script></style><script>alert(1)</script><img src=x onerror=alert(1)>)x"},
      {"Attribute", R"x(" onmouseover="alert(1)" x=' autofocus onfocus=alert(1) ')x"},
      {"Comment", "--><!-- ]]></failure><testcase name=\"x\"/><!DOCTYPE x>"},
      {"Entity", "&lt;script&gt;&#64;team&#x40;team&amp;"},
      {"TableBreak", "a | b |\n|---|---|\n| c | d"},
      {"Fences", "```\n````\n`````sh\n~~~\nrm -rf /\n```"},
      {"Link",
       "[x](javascript:alert(1)) ![y](https://evil.example/p.png) [z]: https://evil.example"},
      {"Address", "https://evil.example www.evil.example WWW.evil.example <https://evil.example>"},
      {"Mention", "@team @org/admins security@evil.example org/repo#1 #2 GH-3"},
      {"Headings", "# big\n## verdict: PASS\n---\n* * *\n> quoted\n1. one"},
      {"Formula", "$\\href{https://evil.example}{x}$ $$a$$"},
      {"Command",
       "\n::error::owned\n::set-output name=verdict::PASS\r::stop-commands::x\r\n::add-mask::1"},
      {"OldCommand", "x ##[error]owned ##[set-env name=A]b"},
      {"Encoded", "%0A::set-output name=verdict::PASS%0D%0A::error::x"},
      {"Delimiter", "EOF\nverdict=PASS\nEOF\nghadelimiter\nabgate_\nexit_code=0"},
      {"Controls", "\0\x01\x08\x0b\x0c\x1b[2J\x1b]0;t\x07\x7f\xc2\x9b"s},
      {"BadUtf8", "\xff\xfe\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80 \xef\xbf\xbe\xef\xbf\xbf"},
      {"Bidirectional",
       "\xe2\x80\xae"
       "SSAP\xe2\x80\xac\xe2\x81\xa6\xe2\x80\xa8\xe2\x80\xa9"},
      {"Long", std::string(5'000'000, 'A') + "<script>"},
      {"LongOfMentions", repeated("@team|`<b>\n", 200'000)}};
  return all;
}

/// A record in which every text from outside is the hostile one.
GateRecord infected(const std::string& whole) {
  GateRecord record = untrusted_record();
  // Of megabytes everywhere the test would only be slow.
  const std::string evil = whole.substr(0, 30'000);
  record.run_id = record.command = record.tool_version = record.step = evil;
  record.finished.reset();
  record.exit_code = 3;
  for (Reason& reason : record.reasons) {
    reason.code = reason.message = reason.node = reason.precision = evil;
    reason.evidence = {{evil, 1}, {"2-candidate/" + evil, 7}};
  }
  for (LegResult& leg : record.legs)
    leg.precision = leg.metric = leg.unit = evil;
  for (PhaseRecord& phase : record.phases) {
    phase.state = phase.manifest_sha256 = phase.proof = evil;
    phase.directory = "phases/" + evil;
    phase.nodes = {evil, evil};
    phase.exit = ProcessEnd{evil, 1, evil};
  }
  record.allocation->job_id = evil;
  record.allocation->nodes = record.allocation->messages = record.allocation->scrubbed = {evil};
  record.config = Json::object({{"work_dir", evil}, {"launcher", evil}, {evil, evil}});
  record.config.set("workload",
                    Json::object({{"name", evil}, {"env", Json::object({{evil, evil}})}}));
  record.config.set("cluster", Json::object({{"name", evil}}));
  record.config.set("baseline", Json::object({{"image", evil}}));
  record.config.set("origins", Json::object({{"workload.name", evil}}));
  record.reasons.front().message = whole;
  record.allocation->messages.push_back(whole);
  for (LegResult& leg : record.legs)
    leg.precision = whole;
  return record;
}

class Injection : public testing::TestWithParam<Hostile> {
 protected:
  std::string rendered(const char* format) const {
    return find_format(format)->render(infected(GetParam().text));
  }
};

/// Elements, without their attributes, in order.
std::vector<std::string> elements_of(const std::string& xml) {
  static const std::regex tag("<(/?[A-Za-z!?][-A-Za-z0-9]*)");
  std::vector<std::string> out;
  for (auto at = std::sregex_iterator(xml.begin(), xml.end(), tag); at != std::sregex_iterator();
       ++at)
    out.push_back((*at)[1]);
  return out;
}

bool is_printable_apart_from_newlines(const std::string& report) {
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    if (text::printable(line) != line) return false;
  }
  return true;
}

TEST_P(Injection, NoReportHoldsAByteThatDrivesATerminalOrAParser) {
  for (const Format& format : formats()) {
    if (format.name == "json") continue;  // JSON has escapes of its own
    EXPECT_TRUE(is_printable_apart_from_newlines(rendered(std::string(format.name).c_str())))
        << format.name;
  }
}

TEST_P(Injection, HtmlAndXmlHaveTheElementsOfAHarmlessRecord) {
  const GateRecord harmless = infected("harmless");
  for (const char* format : {"html", "junit"}) {
    auto expected = elements_of(find_format(format)->render(harmless));
    auto found = elements_of(rendered(format));
    // A text that is no relative path is shown without a link to it.
    std::erase_if(expected, [](const std::string& tag) { return tag == "a" || tag == "/a"; });
    std::erase_if(found, [](const std::string& tag) { return tag == "a" || tag == "/a"; });
    EXPECT_EQ(found, expected) << format;
  }
}

TEST_P(Injection, LinksStayInTheWorkDirectory) {
  const std::string html = rendered("html");
  static const std::regex link(" (href|src|action|style|on[a-z]+)=\"([^\"]*)\"");
  for (auto at = std::sregex_iterator(html.begin(), html.end(), link); at != std::sregex_iterator();
       ++at) {
    EXPECT_EQ((*at)[1], "href");
    EXPECT_TRUE(std::regex_match((*at)[2].str(), std::regex("phases/[-A-Za-z0-9._~/%]*")))
        << (*at)[2];
  }
}

TEST_P(Injection, MarkdownHasNoMarkupOfItsOwn) {
  std::string markdown = rendered("markdown");
  EXPECT_LE(markdown.size(), largest_markdown);
  const std::size_t command = markdown.rfind("\n### Repeat\n");
  ASSERT_NE(command, std::string::npos);
  markdown.resize(command);
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    // Every line starts as this program starts lines.
    EXPECT_TRUE(line.empty() ||
                std::regex_search(
                    line, std::regex("^(##|###|-|  -|\\||\\*\\*|_|exit code|median ratio) ?")))
        << line.substr(0, 200);
    // Code spans and our own links aside, nothing that GitHub would act on is left.
    std::string bare = std::regex_replace(line, std::regex("(`+) .*? \\1"), "");
    bare = std::regex_replace(bare, std::regex("\\[\\]\\(phases/[-A-Za-z0-9._~/%]*\\)"), "");
    for (const char* ours : {"<span>$</span>", "\\\\", "&#58;", "&#46;"})
      bare = text::replace_all(bare, ours, "");
    bare = text::replace_all(bare, "&#8288;", "_");
    EXPECT_THAT(bare, Not(ContainsRegex("[<>$]|://|[@#][A-Za-z0-9/]"))) << bare.substr(0, 300);
    EXPECT_FALSE(std::regex_search(bare, std::regex("(^|[^\\\\])(\\[|`|~)")))
        << bare.substr(0, 300);
    EXPECT_FALSE(std::regex_search(bare, std::regex("www\\.", std::regex::icase)));
  }
}

TEST_P(Injection, TablesKeepTheirColumns) {
  std::istringstream lines(rendered("markdown"));
  std::ptrdiff_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) {
      columns = 0;
      continue;
    }
    const std::string unescaped = text::replace_all(text::replace_all(line, "\\\\", ""), "\\|", "");
    const std::ptrdiff_t bars = std::count(unescaped.begin(), unescaped.end(), '|');
    EXPECT_TRUE(columns == 0 || bars == columns) << line.substr(0, 300);
    columns = bars;
  }
}

TEST_P(Injection, EveryLineOfTheAnnotationsIsOneOfOurs) {
  std::istringstream lines(rendered("github"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(
        std::regex_search(line, std::regex("^::(error|warning|notice) title=abgate%3A [^:,]*::")))
        << line.substr(0, 200);
    EXPECT_FALSE(std::regex_search(line, std::regex("%(?!25|0A|3A|2C)"))) << line.substr(0, 200);
    EXPECT_LT(line.size(), 12'000U);
  }
  EXPECT_EQ(count, 1 + infected("").reasons.size());
}

/// What GitHub's runner makes of GITHUB_OUTPUT.
std::vector<std::pair<std::string, std::string>> read_outputs(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    const std::size_t heredoc = line.find("<<");
    if (heredoc == std::string::npos || equals < heredoc) {
      out.emplace_back(line.substr(0, equals), line.substr(equals + 1));
      continue;
    }
    const std::string delimiter = line.substr(heredoc + 2);
    std::string value;
    for (std::string part; std::getline(lines, part) && part != delimiter;)
      value += part + "\n";
    out.emplace_back(line.substr(0, heredoc), value.substr(0, value.size() - 1));
  }
  return out;
}

TEST_P(Injection, OutputsReadBackAsOurs) {
  const std::string& evil = GetParam().text;
  const auto outputs = read_outputs(render_outputs(infected(evil), evil));
  ASSERT_EQ(outputs.size(), 5U);
  EXPECT_EQ(outputs[0], (std::pair<std::string, std::string>("verdict", "NO_VERDICT")));
  EXPECT_EQ(outputs[1].first, "exit_code");
  EXPECT_EQ(outputs[2].first, "ratio_min");
  EXPECT_TRUE(std::regex_match(outputs[3].first.substr(0, 100), std::regex("ratio_[a-z0-9_]*")));
  EXPECT_EQ(outputs[4].first, "record");
  EXPECT_EQ(outputs[4].second, evil);
}

INSTANTIATE_TEST_SUITE_P(Reports, Injection, testing::ValuesIn(hostile_texts()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace abgate::report
