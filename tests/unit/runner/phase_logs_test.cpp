#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abgate/io/files.hpp>
#include <abgate/runner/disk_store.hpp>
#include <abgate/runner/phase_logs.hpp>
#include <abgate/runner/score.hpp>

#include "support/files.hpp"
#include "support/temp_dir.hpp"

namespace abgate::runner {
namespace {

using test::read_file;
using test::ScratchFolder;
using test::write_file;
namespace fs = std::filesystem;

constexpr const char* warning_at =
    "] a:1234:5678 [3] /build/rccl/hipify/src/misc/api_trace.cc:517 NCCL WARN Please note that "
    "ncclAllToAllv is deprecated, please use ncclAlltoAllv instead\n";

std::string warnings(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "\n[2026-11-01 10:00:0" + std::to_string(i % 10) + warning_at;
  return text;
}

template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? std::to_string(*value) : "-";
}

void add(std::string& out, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts)
    out += part + "|";
  out += "\n";
}

/// Everything that was read, as text; numbers of lines are those of the file that lies there.
std::string dump(const PhaseEvidence& read) {
  std::string out;
  add(out,
      {shown(read.engine_exit), std::to_string(read.engine.in_place), read.engine.in_place_job,
       std::to_string(read.engine.claimed_success), std::to_string(read.engine.reported_failure),
       read.engine.failure_text, read.perf_csv_sha256});
  for (const auto* rows : {&read.perf_csv, &read.model_csv}) {
    for (const MetricRow& row : *rows)
      add(out, {format(row.where), row.precision, row.metric, row.performance, row.job});
  }
  for (const LegSeries& leg : read.series) {
    add(out, {leg.model, leg.precision, leg.node, std::to_string(leg.duplicates),
              std::to_string(leg.dropped), std::to_string(leg.non_monotonic),
              shown(leg.micro_batch_size), shown(leg.global_batch_size),
              std::to_string(leg.profiler_lines)});
    for (const Iteration& it : leg.iterations) {
      add(out, {it.where.file, std::to_string(it.k), std::to_string(it.total), shown(it.elapsed_ms),
                shown(it.tokens), shown(it.tokens_average), shown(it.tflops), shown(it.loss),
                shown(it.grad_norm), shown(it.skipped), shown(it.nan), shown(it.global_batch_size),
                shown(it.peak_hbm_gb), it.shape});
    }
  }
  for (const RcclBanner& banner : read.banners) {
    add(out, {banner.where.file, banner.node_index, banner.host, banner.precision, banner.version,
              banner.path});
  }
  for (const TransportLine& line : read.transports)
    add(out, {line.where.file, line.node_index, line.precision, line.kind});
  for (const NodeTrace& node : read.nodes) {
    add(out, {node.index, node.host, node.job, shown(node.engine_exit), shown(node.task_exit)});
    for (const auto* texts : {&node.legs_started, &node.files}) {
      for (const std::string& text : *texts)
        add(out, {text});
    }
  }
  for (const Marker& marker : read.markers)
    add(out, {marker.where.file, marker.kind, marker.text, marker.precision, marker.node_index});
  for (const Diagnostic& problem : read.problems)
    add(out, {format(problem)});
  return out;
}

std::string read_phase(const std::string& directory) {
  DiskStore store;
  return dump(gather(store, directory, 1, Side::baseline, Workload{}));
}

class RealPhaseLogs : public testing::TestWithParam<const char*> {};

TEST_P(RealPhaseLogs, AreReadAlikeBeforeAndAfter) {
  const ScratchFolder folder;
  const std::string phase = folder / "phase";
  fs::copy(fs::path(ABGATE_SOURCE_DIR "/tests/data/phases") / GetParam(), phase,
           fs::copy_options::recursive);
  const std::string before = read_phase(phase);
  ASSERT_NE(before.find("|BF16|"), std::string::npos);
  const LogSpace space = tend_phase_logs(phase, "", {});
  EXPECT_EQ(read_phase(phase), before);
  EXPECT_LT(space.bytes_after, space.bytes_before);
  EXPECT_THAT(space.problems, testing::IsEmpty());
  const LogSpace again = tend_phase_logs(phase, "", {});
  EXPECT_EQ(again.bytes_before, space.bytes_after);
  EXPECT_EQ(again.bytes_after, space.bytes_after);
  EXPECT_EQ(again.lines_folded, 0);
  EXPECT_THAT(again.copies, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Fixtures, RealPhaseLogs,
                         testing::Values("gptoss-baseline", "gptoss-candidate-no-fp8",
                                         "gptoss-candidate-ok", "gptoss-candidate-oom-at-5",
                                         "gptoss-candidate-slow", "gptoss-candidate-stock-rccl",
                                         "gptoss-inplace/1-baseline", "gptoss-inplace/2-candidate",
                                         "llama-baseline", "llama-candidate-ok"));

/// A node's log in its three places, an error stream in two.
class PhaseLogsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* file : {flat, folder_copy, live})
      write_file(folder_.path() + "/" + file, "head\n" + warnings(900) + middle);
    for (const char* file :
         {"slurm_output/madengine-m_7_node_0.err", "slurm_output/m/7/node_0/stderr.err"}) {
      write_file(folder_.path() + "/" + file, std::string(5000, 'e') + "\n");
    }
    write_file(folder_.path() + "/scripts/example.log", warnings(9));
    write_file(folder_.path() + "/manifest.json", warnings(9));
  }
  std::string text_of(const char* file) { return read_file(folder_.path() + "/" + file); }

  static constexpr const char* flat = "slurm_output/madengine-m_7_node_0.out";
  static constexpr const char* folder_copy = "slurm_output/m/7/node_0/stdout.out";
  static constexpr const char* live = "slurm_output/m/7/node_0/x.run.live.log";
  const std::string middle = std::string(6000, 'm') + "\n";
  ScratchFolder folder_;
};

TEST_F(PhaseLogsTest, KeepCopiesOnceAndSayIt) {
  const LogSpace space = tend_phase_logs(folder_.path(), "", {});
  EXPECT_EQ(space.lines_folded, 3 * 899);
  EXPECT_GT(space.bytes_before, 3 * 900 * 170);
  EXPECT_THAT(space.copies,
              testing::UnorderedElementsAre(live, flat, "slurm_output/madengine-m_7_node_0.err"));
  EXPECT_EQ(text_of(flat), text_of(live));
  EXPECT_NE(text_of(flat).find("[abgate] folded 899 lines"), std::string::npos);
  EXPECT_EQ(fs::hard_link_count(fs::path(folder_.path()) / flat), 3U);
  EXPECT_EQ(space.bytes_after, static_cast<std::int64_t>(text_of(flat).size()) + 5001);
}

TEST_F(PhaseLogsTest, TouchNothingButLogs) {
  tend_phase_logs(folder_.path(), "", {});
  EXPECT_EQ(text_of("scripts/example.log"), warnings(9));
  EXPECT_EQ(text_of("manifest.json"), warnings(9));
}

TEST_F(PhaseLogsTest, MakeRoomByCopiesThatNobodyReads) {
  write_file(folder_.path() + "/" + live, std::string(20000, 'o') + "\n");
  const LogSpace space = tend_phase_logs(folder_.path(), "", 15000);
  EXPECT_THAT(space.removed, testing::Contains(live));
  EXPECT_FALSE(fs::exists(fs::path(folder_.path()) / live));
  EXPECT_TRUE(fs::exists(fs::path(folder_.path()) / flat));
  EXPECT_LE(space.bytes_after, 15000);
  EXPECT_THAT(space.problems, testing::IsEmpty());
}

TEST_F(PhaseLogsTest, SayThatTheRestIsNeeded) {
  const LogSpace space = tend_phase_logs(folder_.path(), "", 100);
  EXPECT_TRUE(fs::exists(fs::path(folder_.path()) / flat));
  ASSERT_EQ(space.problems.size(), 1U);
  EXPECT_NE(space.problems[0].find("more than --max-log-size leaves"), std::string::npos);
}

TEST(LogTender, FoldsTheKindsOfWorkloadAndCluster) {
  const ScratchFolder phase;
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += "gc: worker freed " + std::to_string(i) + " bytes of garbage\n";
    text += i == 9 ? "kept\n" : "";
  }
  for (int i = 0; i < 20; ++i)
    text += "link-" + std::to_string(i) + " of the switch is busy again\n";
  write_file(phase / "node_0.out", text);
  GateConfig config;
  config.workload.log_kinds = {{"gc", "gc: worker freed # bytes of garbage"}};
  config.cluster.log_kinds = {{"busy", "link-# of the switch is busy again"}, {"any", "* #"}};
  const LogSpace space = log_tender(config)(phase.path(), 0);
  EXPECT_EQ(read_file(phase / "node_0.out"),
            "gc: worker freed 0 bytes of garbage\n"
            "[abgate] folded 9 lines of gc\n"
            "kept\n"
            "[abgate] folded 10 lines of gc\n"
            "link-0 of the switch is busy again\n"
            "[abgate] folded 19 lines of busy\n");
  EXPECT_EQ(space.lines_folded, 38);
  EXPECT_THAT(space.problems, testing::ElementsAre(testing::HasSubstr("log kind any is not used")));
}

TEST(LogTender, IsSilentWhereRawLogsAreKept) {
  GateConfig config;
  EXPECT_TRUE(log_tender(config));
  config.keep_raw_logs = true;
  EXPECT_FALSE(log_tender(config));
}

}  // namespace
}  // namespace abgate::runner
