#include <algorithm>

#include <gmock/gmock.h>

#include <abgate/base/text.hpp>

#include "config_files.hpp"
#include "support/golden.hpp"

namespace abgate::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Diagnostics parse_as(const std::string& kind, const std::string& text, const std::string& file) {
  if (kind == "workload") return parse_workload(text, file).diagnostics;
  if (kind == "cluster") return parse_cluster(text, file).diagnostics;
  if (kind == "suite") return parse_suite(text, file).diagnostics;
  ADD_FAILURE() << "no such kind: " << kind;
  return {};
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Parse, EveryShippedFileIsSound) {
  for (const auto& [folder, kind] :
       {std::pair{"workloads", "workload"}, {"clusters", "cluster"}, {"suites", "suite"}}) {
    const auto files = files_in(source_dir / "configs" / folder);
    EXPECT_FALSE(files.empty()) << folder;
    for (const auto& path : files)
      EXPECT_EQ("", lines_of(parse_as(kind, read_text(path), path.filename()))) << path;
  }
}

TEST(Parse, NameOfAShippedFileIsItsNameInside) {
  for (const auto& path : files_in(source_dir / "configs/workloads"))
    EXPECT_EQ(path.stem(), parse_workload(read_text(path), "f").value->name);
  for (const auto& path : files_in(source_dir / "configs/clusters"))
    EXPECT_EQ(path.stem(), parse_cluster(read_text(path), "f").value->name);
  for (const auto& path : files_in(source_dir / "configs/suites"))
    EXPECT_EQ(path.stem(), parse_suite(read_text(path), "f").value->name);
}

// Each file of the folder breaks one rule. Its second line says what the parser answers; what a
// schema makes of it is checked by schema_agreement_test.py.
TEST(Parse, BadFilesAreRefusedWithTheExpectedDiagnostic) {
  const auto files = files_in(source_dir / "tests/data/config/bad");
  EXPECT_GT(files.size(), 80U);
  for (const auto& path : files) {
    const std::string text = read_text(path);
    const auto lines = text::split(text, '\n');
    constexpr std::string_view mark = "// expect: ";
    ASSERT_GT(lines.size(), 2U) << path;
    ASSERT_TRUE(lines[1].starts_with(mark)) << path;
    const std::string name = path.filename();
    const Diagnostics found = parse_as(name.substr(0, name.find('-')), text, name);
    EXPECT_TRUE(has_errors(found)) << path;
    const std::string said = lines_of(found);
    EXPECT_THAT(said, HasSubstr(lines[1].substr(mark.size()))) << path;
    EXPECT_THAT(said, testing::StartsWith(name + ":")) << path;
  }
}

// A value that may be a credential is never shown.
TEST(Parse, SecretsAreNotEchoed) {
  const std::string token = "hf_" + std::string(34, 'q');
  const std::string text = R"({"schema_version": 1, "name": ")" + token + R"(", "args": "--x )" +
                           token + R"(", "env": {"A": ")" + token + R"(", "HF_TOKEN": "qqqq"},)" +
                           R"("docker_options": [")" + token + R"("], "kind": "training"})";
  const Parsed<Workload> parsed = parse_workload(text, "w.json");
  EXPECT_FALSE(parsed.value);
  EXPECT_THAT(lines_of(parsed.diagnostics), testing::Not(HasSubstr("qqqq")));
  EXPECT_THAT(lines_of(parsed.diagnostics), HasSubstr("/env/HF_TOKEN: looks like a credential"));
}

TEST(Parse, AllErrorsOfAFileAreReportedAtOnce) {
  const std::string name = "tests/data/config/broken-workload.json";
  const std::string cluster = "tests/data/config/broken-cluster.json";
  test::expect_golden(
      "config/broken.txt",
      lines_of(parse_workload(read_text(source_dir / name), "broken-workload.json").diagnostics) +
          lines_of(
              parse_cluster(read_text(source_dir / cluster), "broken-cluster.json").diagnostics));
}

TEST(Parse, HostileTextsAreRefusedQuietly) {
  const std::string long_text(200000, 'a');
  for (const std::string& text :
       {std::string(), std::string("["), std::string("[]"), std::string("null"),
        std::string("{\"name\": \"") + long_text + "\"}", std::string(1000, '['),
        std::string("{\"name\": \"\xff\"}"), std::string("\0{}", 3),
        R"({"time_limit": ")" + std::string(100000, '9') + "\"}"}) {
    EXPECT_TRUE(has_errors(parse_workload(text, "f").diagnostics)) << text.substr(0, 40);
    EXPECT_TRUE(has_errors(parse_cluster(text, "f").diagnostics)) << text.substr(0, 40);
    EXPECT_TRUE(has_errors(parse_suite(text, "f").diagnostics)) << text.substr(0, 40);
  }
}

TEST(Parse, OriginsGiveThePlaceOfEachValue) {
  const auto parsed = parse_workload(shipped("workloads/demo.json"), "demo.json");
  const std::string text = shipped("workloads/demo.json");
  const auto line_of = [&](std::string_view what) {
    const std::size_t at = text.find(what);
    EXPECT_NE(std::string::npos, at) << what;
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  };
  EXPECT_EQ("demo.json:" + std::to_string(line_of("\"max_drop\"")) + ":15",
            parsed.origins.at("max_drop"));
  EXPECT_EQ("demo.json:" + std::to_string(line_of("\"NCCL_NET_PLUGIN\"")) + ":24",
            parsed.origins.at("env.NCCL_NET_PLUGIN"));
  EXPECT_FALSE(parsed.origins.contains("accept_engine_exit"));  // the file leaves it out
}

TEST(Parse, LeftOutKeysHaveTheirDefaults) {
  const auto cluster = shipped_cluster("local");
  ASSERT_TRUE(cluster.value);
  EXPECT_TRUE(cluster.value->exclusive);
  EXPECT_EQ("", cluster.value->gres);
  EXPECT_TRUE(shipped_workload("demo").value->evidence_required());
  EXPECT_FALSE(shipped_workload("demo").value->accept_engine_exit);
}

TEST(KindOf, IsToldFromTheKeys) {
  const auto kind = [](std::string_view text) {
    const auto json = parse_json(text, "f", {.comments = true});
    EXPECT_TRUE(json) << text;
    return kind_of(*json);
  };
  EXPECT_EQ(FileKind::workload, kind(shipped("workloads/demo.json")));
  EXPECT_EQ(FileKind::cluster, kind(shipped("clusters/ruby.json")));
  EXPECT_EQ(FileKind::suite, kind(shipped("suites/weekly.json")));
  EXPECT_EQ(FileKind::manifest, kind(R"({"built_images": {}, "deployment_config": {}})"));
  EXPECT_EQ(FileKind::workload, kind(R"({"name": "x", "precisions": 3})"));
  EXPECT_EQ(FileKind::unknown, kind(R"({"name": "x", "schema_version": 1, "env": {}})"));
  EXPECT_EQ(FileKind::unknown, kind(R"({"gates": [], "partition": "x"})"));
  EXPECT_EQ(FileKind::unknown, kind("[]"));
}

// The shipped schemas are the texts that the tables of the parser give; ABGATE_UPDATE_GOLDEN=1
// writes them.
TEST(Schema, ShippedFilesAreTheTextsOfTheTables) {
  test::expect_golden("../../configs/schema/workload.schema.json", workload_schema());
  test::expect_golden("../../configs/schema/cluster.schema.json", cluster_schema());
  test::expect_golden("../../configs/schema/suite.schema.json", suite_schema());
}

TEST(LooksSecret, NamesAndValues) {
  const std::string tail(40, 'x');
  for (const auto& [key, value] : {std::pair<std::string, std::string>{"HF_TOKEN", ""},
                                   {"MAD_SECRETS_HFTOKEN", "a"},
                                   {"DB_PASSWORD", "a"},
                                   {"AWS_SECRET_ACCESS_KEY", "a"},
                                   {"A", "hf_" + tail},
                                   {"A", "github_pat_" + tail},
                                   {"A", "AKIA" + std::string(16, 'A')},
                                   {"A", "sk-" + tail},
                                   {"A", "Authorization: Bearer a8F3kd92LmQ0zXv71bTyUe5R"},
                                   {"A", "-----BEGIN RSA PRIVATE KEY-----"}}) {
    EXPECT_TRUE(looks_secret(key, value)) << key << "=" << value;
  }
  for (const auto& [key, value] : {std::pair<std::string, std::string>{"MAX_TOKENS", "4096"},
                                   {"TOKENIZER", "hf_transfer"},
                                   {"NCCL_IB_HCA", "bnxt_re0:1,bnxt_re1:1"},
                                   {"KEY", "rocm/primus:v26.4@sha256:" + std::string(64, 'a')}}) {
    EXPECT_FALSE(looks_secret(key, value)) << key << "=" << value;
  }
}

}  // namespace
}  // namespace abgate::config
