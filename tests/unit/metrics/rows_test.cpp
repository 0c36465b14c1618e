#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <abgate/metrics/rows.hpp>

#include "phase_files.hpp"

namespace abgate::metrics {
namespace {

const std::string model_header =
    "model,performance,metric,mode,precision,batch_size,global_batch_size,posttrain_type,seq_len,"
    "device,num_gpus,run\n";

TEST(PerfCsv, ReadsTheRowsOfARealRun) {
  const Rows rows = read_perf_csv(phase_files::read("gptoss-baseline/perf.csv"), "perf.csv");
  EXPECT_TRUE(rows.diagnostics.empty());
  ASSERT_EQ(rows.rows.size(), 8U);
  const MetricRow& row = rows.rows[2];
  EXPECT_EQ(row.where, (Location{"perf.csv", 4}));
  EXPECT_EQ(row.model, "primus_pyt_megatron_lm_train_gpt-oss-120b_GPT-OSS-120B");
  EXPECT_EQ(row.precision, "BF16");
  EXPECT_EQ(row.metric, "tok_per_s_per_gpu_avg");
  EXPECT_EQ(row.performance, "8080.5");
  EXPECT_EQ(row.value, 8080.5);
  EXPECT_EQ(row.status, "SUCCESS");
  EXPECT_EQ(row.job, "21");
  EXPECT_EQ(row.image, "rocm/primus:v26.4");
  EXPECT_EQ(row.nodes, 2);
  EXPECT_EQ(row.gpus, 16);
  EXPECT_EQ(row.gpus_per_node, 8);
  EXPECT_EQ(row.batch_size, 2);
  EXPECT_EQ(row.global_batch_size, 2048);
  EXPECT_EQ(row.seq_len, 4096);
  EXPECT_EQ(rows.rows[6].precision, "FP8");
  EXPECT_EQ(rows.rows[6].value, 4511.6);
}

TEST(PerfCsv, KeepsOnlyFinitePositiveValues) {
  struct Case {
    std::string written;
    std::optional<double> value;
  };
  const std::vector<Case> cases = {
      {"8080.5", 8080.5}, {" 8080.5 ", 8080.5}, {"1e3", 1000}, {"1e999", {}},
      {"nan", {}},        {"NaN", {}},          {"inf", {}},   {"-inf", {}},
      {"0", {}},          {"0.0", {}},          {"-1", {}},    {"80 80.5", {}},
      {"0x10", {}},       {"8080.5x", {}},      {"", {}},      {"+5", {}}};
  for (const Case& c : cases) {
    const Rows rows = read_perf_csv(
        fmt::format("performance,metric,precision,status\n{},m,BF16,SUCCESS\n", c.written), "p");
    ASSERT_EQ(rows.rows.size(), 1U) << c.written;
    EXPECT_EQ(rows.rows[0].value, c.value) << c.written;
  }
}

TEST(PerfCsv, ReadsCountsThatPandasMadeFractions) {
  struct Case {
    std::string written;
    std::optional<std::int64_t> count;
  };
  const std::vector<Case> cases = {{"2", 2}, {"2.0", 2}, {"2.5", {}},
                                   {"", {}}, {"-1", {}}, {"0", {}}};
  for (const Case& c : cases) {
    const Rows rows = read_perf_csv(
        "performance,metric,precision,status,batch_size\n1,m,BF16,SUCCESS," + c.written + "\n",
        "p");
    ASSERT_EQ(rows.rows.size(), 1U) << c.written;
    EXPECT_EQ(rows.rows[0].batch_size, c.count) << c.written;
  }
}

TEST(PerfCsv, TakesTheJobFromTheMachineName) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"25", "25"},     {"25_20261101100000_a1b2c3", "25"},
      {"mi355x-0", ""}, {"25abc", ""},
      {"25.0", ""},     {"", ""}};
  for (const auto& [machine, job] : cases) {
    const Rows rows = read_perf_csv(
        "performance,metric,precision,status,machine_name\n1,m,bf16,S," + machine + "\n", "p");
    ASSERT_EQ(rows.rows.size(), 1U);
    EXPECT_EQ(rows.rows[0].job, job) << machine;
    EXPECT_EQ(rows.rows[0].precision, "BF16") << "precisions are made upper case";
  }
}

TEST(PerfCsv, NamesTheColumnThatIsMissing) {
  for (const std::string missing : {"performance", "metric", "precision", "status"}) {
    std::string header;
    std::string row;
    for (const std::string column : {"model", "performance", "metric", "precision", "status"}) {
      if (column == missing) continue;
      header += (header.empty() ? "" : ",") + column;
      row += row.empty() ? "1" : ",1";
    }
    const Rows rows = read_perf_csv(header + "\n" + row + "\n", "a/perf.csv");
    EXPECT_TRUE(rows.rows.empty());
    ASSERT_EQ(rows.diagnostics.size(), 1U);
    EXPECT_EQ(format(rows.diagnostics[0]),
              fmt::format("a/perf.csv:1: the column \"{}\" is missing; the header has 4 columns",
                          missing));
  }
}

TEST(PerfCsv, RefusesAFileOfAnOldEngineWithoutPrecision) {
  std::string text = phase_files::read("gptoss-baseline/perf.csv");
  const std::string header = text.substr(0, text.find(",mode,precision"));
  const Rows rows = read_perf_csv(header + "\n", "perf.csv");
  ASSERT_EQ(rows.diagnostics.size(), 1U);
  EXPECT_EQ(format(rows.diagnostics[0]),
            "perf.csv:1: the column \"precision\" is missing; the header has 29 columns");
}

TEST(PerfCsv, RefusesAColumnThatIsReadTwice) {
  const Rows rows =
      read_perf_csv("performance,metric,precision,status, performance ,x,x\n1,m,B,S,2,3,4\n", "p");
  EXPECT_TRUE(rows.rows.empty());
  ASSERT_EQ(rows.diagnostics.size(), 1U) << "x is not read";
  EXPECT_EQ(format(rows.diagnostics[0]),
            "p:1: the column \"performance\" stands in the header 2 times; each column once");
}

TEST(PerfCsv, HalfAFileGivesNoRows) {
  const Rows rows = read_perf_csv("performance,metric,precision,status\n1,m,BF16,S\n1,m\n", "p");
  EXPECT_TRUE(rows.rows.empty());
  EXPECT_TRUE(has_errors(rows.diagnostics));
}

TEST(ModelCsv, ReadsTheRowsOfARealRun) {
  const std::string path =
      "slurm_output/primus_pyt_megatron_lm_train_gpt-oss-120b/21/node_1/"
      "perf_primus-megatron-GPT-OSS-120B.csv";
  const Rows rows = read_model_csv(phase_files::read("gptoss-baseline/" + path), path, "21");
  EXPECT_TRUE(rows.diagnostics.empty());
  ASSERT_EQ(rows.rows.size(), 8U);
  EXPECT_EQ(rows.rows[6].model, "GPT-OSS-120B");
  EXPECT_EQ(rows.rows[6].precision, "FP8");
  EXPECT_EQ(rows.rows[6].value, 4511.6);
  EXPECT_EQ(rows.rows[6].gpus, 16);
  EXPECT_EQ(rows.rows[6].job, "21");
  EXPECT_EQ(rows.rows[6].status, "");
}

TEST(ModelCsv, AHeaderAloneIsHealthy) {
  const Rows rows = read_model_csv(model_header, "x.csv", "21");
  EXPECT_TRUE(rows.rows.empty());
  EXPECT_TRUE(rows.diagnostics.empty());
}

TEST(ModelCsv, TheTenColumnHeaderOfAnUnsupportedConfiguration) {
  const std::string ten =
      "model,performance,metric,mode,precision,batch_size,seq_len,device,num_gpus,run\n";
  EXPECT_TRUE(read_model_csv(ten, "x.csv", "").diagnostics.empty());
  const Rows mixed = read_model_csv(ten + "G,1,m,pretrain,BF16,2,2048,,4096,MI355X,16,\n", "x", "");
  EXPECT_TRUE(mixed.rows.empty());
  EXPECT_TRUE(has_errors(mixed.diagnostics)) << "rows of the twelve-column form do not fit";
}

TEST(EntrySuper, ReadsTheSameRowsAsPerfCsv) {
  const Rows json = read_entry_super(phase_files::read("gptoss-baseline/perf_entry_super.json"),
                                     "perf_entry_super.json");
  const Rows csv = read_perf_csv(phase_files::read("gptoss-baseline/perf.csv"), "perf.csv");
  EXPECT_TRUE(json.diagnostics.empty());
  ASSERT_EQ(json.rows.size(), csv.rows.size());
  for (std::size_t i = 0; i < json.rows.size(); ++i) {
    EXPECT_EQ(json.rows[i].precision, csv.rows[i].precision);
    EXPECT_EQ(json.rows[i].metric, csv.rows[i].metric);
    EXPECT_EQ(json.rows[i].value, csv.rows[i].value);
    EXPECT_EQ(json.rows[i].job, csv.rows[i].job);
    EXPECT_EQ(json.rows[i].gpus, csv.rows[i].gpus);
    EXPECT_EQ(json.rows[i].global_batch_size, csv.rows[i].global_batch_size);
    EXPECT_GT(json.rows[i].where.line, 0);
  }
}

TEST(EntrySuper, ReadsNumbersAsTextAndBareNan) {
  const Rows rows = read_entry_super(
      R"([{"performance": "12.5", "metric": "m", "status": "SUCCESS", "machine_name": "7",
           "multi_results": {"precision": "fp8", "batch_size": 2.0}},
          {"performance": NaN, "metric": "m", "multi_results": null}])",
      "s.json");
  EXPECT_TRUE(rows.diagnostics.empty());
  ASSERT_EQ(rows.rows.size(), 2U);
  EXPECT_EQ(rows.rows[0].value, 12.5);
  EXPECT_EQ(rows.rows[0].precision, "FP8");
  EXPECT_EQ(rows.rows[0].batch_size, 2);
  EXPECT_EQ(rows.rows[1].value, std::nullopt);
  EXPECT_TRUE(has_errors(read_entry_super("{}", "s").diagnostics));
  EXPECT_TRUE(has_errors(read_entry_super("[1]", "s").diagnostics));
  EXPECT_TRUE(has_errors(read_entry_super("[", "s").diagnostics));
}

}  // namespace
}  // namespace abgate::metrics
