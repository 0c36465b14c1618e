// What a person sees of a running gate: one line that is redrawn on a terminal, plain lines else.
#include <regex>
#include <sstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/gate.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr unsigned short columns = 120;
/// What is measured does not matter here.
const std::string little_work = "ABGATE_STANDIN_WORK=0.05";

/// Runs a program whose output is a terminal of its own, and returns all that it wrote there.
std::string on_terminal(std::vector<std::string> argv, std::vector<std::string> environment) {
  winsize size{};
  size.ws_col = columns;
  size.ws_row = 24;
  std::vector<char*> arguments;
  for (std::string& argument : argv)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    for (std::string& variable : environment)
      ::putenv(variable.data());  // NOLINT(concurrency-mt-unsafe): alone in a fork
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  std::string out;
  std::array<char, 4096> block{};
  // The end of a terminal is an error of read.
  for (ssize_t got = 0; (got = ::read(terminal, block.data(), block.size())) > 0;)
    out.append(block.data(), static_cast<std::size_t>(got));
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << out;
  return out;
}

/// Every version of the line that was drawn in place.
std::vector<std::string> drawn(const std::string& out) {
  const std::string erase = "\r\x1b[2K";
  std::vector<std::string> texts;
  for (auto at = out.find(erase); at != std::string::npos; at = out.find(erase, at + 1)) {
    const auto begin = at + erase.size();
    texts.push_back(out.substr(begin, out.find_first_of("\r\n\x1b", begin) - begin));
  }
  return texts;
}

bool any_matches(const std::vector<std::string>& texts, const std::string& pattern) {
  const std::regex wanted(pattern);
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return std::regex_search(text, wanted); });
}

TEST(Terminal, OneLineIsDrawnInPlace) {
  const TempDir folder;
  const std::string out = on_terminal(standin_arguments(folder / "work", {"--cluster", "local"}),
                                      {"TERM=xterm", little_work});
  const auto texts = drawn(out);
  EXPECT_TRUE(any_matches(texts, R"(^phase 1/2 baseline  elapsed \d+ s$)")) << out;
  EXPECT_TRUE(any_matches(
      texts, R"(^phase 1/2 baseline  BF16  iteration \d+/\d+  [\d.]+ tok/s/GPU  elapsed)"))
      << out;
  EXPECT_TRUE(any_matches(
      texts,
      R"(phase 2/2 candidate  FP8 .*tok/s/GPU \([-+]?[\d.]+ % against the baseline so far\))"))
      << out;
  for (const std::string& text : texts)
    EXPECT_LT(text.size(), columns) << text;
  // What stays on the screen: no line that was left half drawn, and the report at the end.
  EXPECT_THAT(out, Not(HasSubstr("tok/s/GPU\r\n")));
  EXPECT_THAT(out, HasSubstr("order ab\r\n"));
}

TEST(Terminal, ADumbOneGetsPlainLinesAndQuietNone) {
  const TempDir folder;
  const std::vector<std::string> local{"--cluster", "local"};
  const std::string dumb =
      on_terminal(standin_arguments(folder / "dumb", local), {"TERM=dumb", little_work});
  EXPECT_THAT(dumb, Not(HasSubstr("\x1b")));
  EXPECT_TRUE(std::regex_search(
      dumb, std::regex(R"(\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  phase 1/2 baseline  BF16  iteration)")))
      << dumb;
  auto quiet = standin_arguments(folder / "quiet", local);
  quiet.push_back("--quiet");
  const std::string out = on_terminal(quiet, {"TERM=xterm", little_work});
  EXPECT_THAT(out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(out, Not(HasSubstr("iteration ")));
  EXPECT_THAT(out, HasSubstr("exit code"));
}

TEST(Terminal, APipeGetsTheReportAndPlainLinesBeside) {
  const TempDir folder;
  const auto run = run_program(standin_arguments(folder / "work", {"--cluster", "local"}),
                               {"TERM=xterm", little_work});
  EXPECT_THAT(run.out + run.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run.out, Not(HasSubstr("iteration ")));
  EXPECT_THAT(run.err, HasSubstr("  phase 2/2 candidate  FP8  iteration "));
  EXPECT_THAT(run.err, HasSubstr("against the baseline so far"));
}

}  // namespace
}  // namespace abgate::test
