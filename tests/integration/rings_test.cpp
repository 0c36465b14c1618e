// The arrows of DESIGN 6 hold in the tree, and the checker finds each kind of breach.
#include <gtest/gtest.h>

#include "integration/source_rules.hpp"
#include "support/files.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines)
    text += line + '\n';
  return text;
}

TEST(Rings, TheTreeKeepsTheArrows) {
  EXPECT_EQ(joined(source_violations(ABGATE_SOURCE_DIR)), "");
}

TEST(Rings, TheTreeIsThere) {
  EXPECT_TRUE(std::filesystem::exists(ABGATE_SOURCE_DIR "/src/main.cpp"));
  EXPECT_TRUE(std::filesystem::exists(ABGATE_SOURCE_DIR "/include/abgate/base/result.hpp"));
}

struct Breach {
  const char* path;
  const char* content;
  const char* expected;  ///< what is said behind the place; empty: nothing is wrong
};

class RingBreach : public ::testing::TestWithParam<Breach> {};

TEST_P(RingBreach, IsFound) {
  const auto& breach = GetParam();
  const TempDir root;
  write_file(root / "src/metrics/private.hpp", "#pragma once\n");
  write_file(root / "src/cli/version.hpp.in", "#pragma once\n");
  write_file(root / breach.path, std::string("// first line\n") + breach.content);
  const std::string expected = breach.expected;
  EXPECT_EQ(joined(source_violations(root.path())),
            expected.empty() ? "" : std::string(breach.path) + ":2: " + expected + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Includes, RingBreach,
    ::testing::Values(
        Breach{"include/abgate/base/a.hpp", "#include <abgate/model/terms.hpp>", "base -> model"},
        Breach{"src/model/a.cpp", "#include <abgate/io/files.hpp>", "model -> io"},
        Breach{"src/metrics/a.cpp", "#include <abgate/compare/compare.hpp>", "metrics -> compare"},
        Breach{"src/metrics/a.cpp", "#include \"abgate/slurm/x.hpp\"", "metrics -> slurm"},
        Breach{"src/plan/a.cpp", "#  include <abgate/process/process.hpp>", "plan -> process"},
        Breach{"src/io/a.cpp", "#include <abgate/process/process.hpp>", "io -> process"},
        Breach{"src/process/a.cpp", "#include <abgate/slurm/salloc.hpp>", "process -> slurm"},
        Breach{"src/runner/a.cpp", "#include <abgate/cli/cli.hpp>", "runner -> cli"},
        Breach{"src/main.cpp", "#include <abgate/runner/gate.hpp>", "main -> runner"},
        Breach{"src/report/a.cpp", "#include <abgate/nowhere/x.hpp>",
               "unknown module in <abgate/nowhere/x.hpp>"},
        Breach{"src/metrics/a.cpp", "#include \"../plan/x.hpp\"",
               "\"../plan/x.hpp\" is no private header of metrics"},
        Breach{"src/metrics/a.cpp", "#include \"absent.hpp\"",
               "\"absent.hpp\" is no private header of metrics"},
        Breach{"src/metrics/a.cpp", "#include \"private.hpp\"", ""},
        Breach{"src/cli/a.cpp", "#include \"version.hpp\"", ""},
        Breach{"src/metrics/a.cpp", "// #include <abgate/plan/x.hpp>", ""},
        Breach{"src/metrics/a.cpp", "#include <abgate/base/text.hpp>", ""},
        Breach{"src/runner/a.cpp", "#include <abgate/io/files.hpp>", ""},
        Breach{"src/cli/a.cpp", "#include <abgate/runner/gate.hpp>", ""}));

INSTANTIATE_TEST_SUITE_P(
    Libraries, RingBreach,
    ::testing::Values(
        Breach{"src/runner/a.cpp", "#include <CLI/CLI.hpp>", "runner may not use <CLI/CLI.hpp>"},
        Breach{"src/io/a.cpp", "#include <spdlog/spdlog.h>", "io may not use <spdlog/spdlog.h>"},
        Breach{"include/abgate/base/j.hpp", "#include <nlohmann/json.hpp>",
               "<nlohmann/json.hpp> in a header"},
        Breach{"src/plan/a.cpp", "#include <nlohmann/json.hpp>",
               "plan may not use <nlohmann/json.hpp>"},
        Breach{"src/cli/a.cpp", "#include <gtest/gtest.h>", "cli may not use <gtest/gtest.h>"},
        Breach{"src/plan/a.cpp", "#include <fstream>", "plan does no I/O, but includes <fstream>"},
        Breach{"src/io/a.cpp", "#include <fstream>", ""},
        Breach{"src/base/json.cpp", "#include <nlohmann/json.hpp>", ""},
        Breach{"src/runner/a.cpp", "#include <spdlog/spdlog.h>", ""}));

INSTANTIATE_TEST_SUITE_P(
    Calls, RingBreach,
    ::testing::Values(Breach{"src/cli/a.cpp", "  std::exit(1);", "calls exit"},
                      Breach{"src/cli/a.cpp", "  ::exit (1);", "calls exit"},
                      Breach{"src/io/a.cpp", "  if (x) return system(\"ls\");", "calls system"},
                      Breach{"src/io/a.cpp", "  auto* f = popen(\"ls\", \"r\");", "calls popen"},
                      Breach{"src/config/a.cpp", "  std::getenv(\"HOME\");", "config calls getenv"},
                      Breach{"src/compare/a.cpp", "auto t = std::chrono::system_clock::now();",
                             "compare calls system_clock::now"},
                      Breach{"src/process/a.cpp", "  ::_exit(127);", ""},
                      Breach{"src/process/a.cpp", "  outcome.exit(3); p->exit(3);", ""},
                      Breach{"src/process/a.cpp", "int exit(int code);", ""},
                      Breach{"src/process/a.cpp", "// exit(1)", ""},
                      Breach{"src/process/a.cpp", "auto s = \"system(1)\"; /* popen( */", ""},
                      Breach{"src/process/a.cpp", "auto s = R\"x(\" exit(1) )x\";", ""},
                      Breach{"src/process/a.cpp", "auto n = 1'000; auto c = '\"'; exit(1);",
                             "calls exit"},
                      Breach{"src/process/a.cpp", "auto t = steady_clock::now();", ""}));

TEST(Rings, AModuleWithoutARingIsFound) {
  const TempDir root;
  write_file(root / "src/helpers/a.cpp", "\n");
  EXPECT_EQ(joined(source_violations(root.path())),
            "src/helpers/a.cpp:1: module helpers has no ring\n");
}

}  // namespace
}  // namespace abgate::test
