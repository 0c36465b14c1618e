#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <abgate/metrics/log_scanner.hpp>

#include "dump_findings.hpp"
#include "phase_files.hpp"

namespace abgate::metrics {
namespace {

using phase_files::scan;
using std::string_literals::operator""s;

const std::string spam =
    "\n[2026-11-01 10:00:00] node-a:1234:5678 [3] /build/rccl/hipify/src/misc/api_trace.cc:517 "
    "NCCL "
    "WARN Please note that ncclAllToAllv is deprecated, please use ncclAlltoAllv instead\n";
const std::string banner =
    "RCCL version : 2.30.4-develop:e711c9e\n"
    "HIP version  : 7.2.26015-fc0010cf6a\n"
    "ROCm version : 7.2.0.0-43-fc0010cf6a\n"
    "Hostname     : node-a\n"
    "Librccl path : /opt/venv/lib/librccl.so.1\n";
const std::string memory =
    " | hip mem usage/free/total/usage_ratio: 182.60GB/105.40GB/288.00GB/63.40%";

std::string iteration(int k, const std::string& tokens, int total = 15) {
  return fmt::format(
      "[ts] iteration {:8d}/{:8d} | consumed samples: {} | elapsed time per iteration (ms): "
      "65010.2 "
      "| tokens per GPU (tokens/s/GPU): {} | lm loss: 1.100000E+01 | number of skipped iterations: "
      " "
      " 0 | number of nan iterations:   0{}",
      k, total, k * 2048, tokens, memory);
}

std::string running(const std::string& precision) {
  return "Running: GPT-OSS-120B - " + precision + " - pretrain\n";
}

std::vector<std::int64_t> counters(const LegSeries& leg) {
  std::vector<std::int64_t> ks;
  for (const Iteration& it : leg.iterations)
    ks.push_back(it.k);
  return ks;
}

/// The only series of a log of BF16 lines.
LegSeries leg_of(const std::string& lines) {
  const LogFindings findings = scan(running("BF16") + lines);
  EXPECT_EQ(findings.series.size(), 1U);
  return findings.series.empty() ? LegSeries{} : findings.series.front();
}

const std::string mixed_log =
    "\x1b[1mMACHINE NAME is node-a\x1b[0m\r\n" + running("BF16") +
    "[INFO] Extracted MBS=2, GBS=2048 from config: x.yaml\n" + banner + spam + spam +
    "node-a:1:2 [0] NCCL INFO NET/IB : Using [0]bnxt_re0:1/RoCE [RO]; OOB fenic0:10.0.0.1<0>\n" +
    " 10%|#  |\r 20%|## |\r\x1b[32m" + iteration(1, "4337.6") + "\x1b[0m\r\n" +
    iteration(2, "5728.2") + "\r" + iteration(3, "8063.8/8063.8") + "\n" +
    iteration(3, "8063.8/8063.8") + "\n\0\xff\xfe garbage \0\n"s +
    iteration(4, "8090.7/80").substr(0, 160) + "\n" + spam + running("fp8") +
    "[rank15]: torch.OutOfMemoryError: HIP out of memory.\n" + iteration(1, "2437.8") + "\nlast";

TEST(LogScanner, ReadsAMixedLog) {
  EXPECT_EQ(dump(scan(mixed_log)),
            "lines 24 overlong 0 host node-a legs BF16,FP8\n"
            "leg GPT-OSS-120B BF16 node-a dup 1 drop 1 back false mbs 2 gbs 2048 prof false\n"
            "  a.out:14 1/15 4337.6 11 elapsed:i|tokens:i|loss|skipped|nan|hbm\n"
            "  a.out:15 2/15 5728.2 11 elapsed:i|tokens:i|loss|skipped|nan|hbm\n"
            "  a.out:15 3/15 8063.8 11 elapsed:i|tokens:i/a|loss|skipped|nan|hbm\n"
            "leg GPT-OSS-120B FP8 node-a dup 0 drop 0 back false mbs -1 gbs -1 prof false\n"
            "  a.out:23 1/15 2437.8 11 elapsed:i|tokens:i|loss|skipped|nan|hbm\n"
            "banner a.out:4 1 node-a BF16 2.30.4-develop:e711c9e /opt/venv/lib/librccl.so.1\n"
            "transport a.out:13 BF16 IB\n"
            "marker a.out:22 oom FP8 [rank15]: torch.OutOfMemoryError: HIP out of memory.\n");
}

TEST(LogScanner, TheResultDoesNotDependOnTheCuts) {
  const std::string whole = dump(scan(mixed_log));
  for (std::size_t cut = 0; cut <= mixed_log.size(); ++cut) {
    LogScanner scanner("a.out", "1");
    scanner.feed(std::string_view(mixed_log).substr(0, cut));
    scanner.feed(std::string_view(mixed_log).substr(cut));
    ASSERT_EQ(dump(scanner.finish()), whole) << "cut at byte " << cut;
  }
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 64U, 4096U}) {
    EXPECT_EQ(dump(scan(mixed_log, piece)), whole) << "pieces of " << piece;
  }
}

TEST(LogScanner, CountsEachPrintedIterationOnce) {
  const std::string a = iteration(1, "1.0/1.0");
  const std::string b = iteration(2, "2.0/2.0");
  const std::string other = iteration(2, "3.0/3.0");
  struct Case {
    const char* what;
    std::string lines;
    std::vector<std::int64_t> ks;
    std::int64_t duplicates;
    bool back;
  };
  const std::vector<Case> cases = {
      {"in order", a + "\n" + b + "\n", {1, 2}, 0, false},
      {"printed twice", a + "\n" + a + "\n" + b + "\n" + b + "\n", {1, 2}, 2, false},
      {"printed again behind another prefix", a + "\nx: " + a + "\n", {1}, 1, false},
      {"another value for k", a + "\n" + b + "\n" + other + "\n", {1, 2}, 0, true},
      {"k goes back", b + "\n" + a + "\n", {2, 1}, 0, true},
      {"started again", a + "\n" + b + "\n" + running("BF16") + a + "\n", {1, 2}, 1, true},
  };
  for (const Case& c : cases) {
    const LegSeries leg = leg_of(c.lines);
    EXPECT_EQ(counters(leg), c.ks) << c.what;
    EXPECT_EQ(leg.duplicates, c.duplicates) << c.what;
    EXPECT_EQ(leg.non_monotonic, c.back) << c.what;
    EXPECT_EQ(leg.dropped, 0) << c.what;
  }
  EXPECT_EQ(leg_of(b + "\n" + other + "\n").iterations.front().tokens, 2.0) << "the first stays";
}

TEST(LogScanner, DropsLinesThatAreCutOrGlued) {
  const std::string good = iteration(1, "1.0/1.0") + "\n" + iteration(2, "2.0/2.0") + "\n" +
                           iteration(3, "3.0/3.0") + "\n";
  const std::string line = iteration(4, "8064.6/8060.3");
  const auto until = [&](const std::string& text) { return line.substr(0, line.find(text)); };
  const std::vector<std::pair<const char*, std::string>> cases = {
      {"cut in the counter", until("      15") + "\n"},
      {"cut behind the counter", until(" | consumed") + "\n"},
      {"cut in the elapsed time", until("10.2") + "\n"},
      {"cut behind the elapsed time", until(" | tokens") + "\n"},
      {"cut at a bar", until(" tokens") + "\n"},
      {"cut in the average", until(".3 |") + "\n"},
      {"cut in the loss", until("00E+01") + "\n"},
      {"cut in the exponent", until("1 | number of s") + "\n"},
      {"cut before the memory", until(" | hip") + "\n"},
      {"cut in the memory", until("0GB/288") + "\n"},
      {"the file ends in the line", until("%")},
      {"the file ends in a number", until(" | hip")},
      {"the next one is glued to it", line + iteration(5, "5.0/5.0") + "\n"},
      {"it is glued into its front", until(".3 |") + iteration(5, "5.0/5.0") + "\n"},
      {"a warning is glued to it", line + spam.substr(1)},
      {"another total", iteration(4, "4.0/4.0", 10) + "\n"},
      {"a NUL in a number", until("10.2") + "\0"s + line.substr(line.find("10.2")) + "\n"},
      {"longer than a line may be", line + " | x: " + std::string(70000, '1') + "\n"},
  };
  for (const auto& [what, text] : cases) {
    const LegSeries leg = leg_of(good + text);
    EXPECT_EQ(counters(leg), (std::vector<std::int64_t>{1, 2, 3})) << what;
    EXPECT_EQ(leg.dropped, 1) << what;
    EXPECT_FALSE(leg.non_monotonic) << what;
  }
}

TEST(LogScanner, NoCutOfTheLastLineGivesAWrongNumber) {
  for (const std::string end : {"", "\n"}) {
    const std::string good = iteration(1, "1.5/1.5") + "\n" + iteration(2, "2.5/2.5") + "\n";
    const std::string line = iteration(3, "8064.6/8060.3");
    for (std::size_t length = 0; length < line.size(); ++length) {
      const LegSeries leg = leg_of(good + line.substr(0, length) + end);
      ASSERT_EQ(counters(leg), (std::vector<std::int64_t>{1, 2})) << length;
    }
    EXPECT_EQ(leg_of(good + line + end).iterations.size(), 3U);
  }
}

TEST(LogScanner, LinesMayEndInANumberWhenAllDo) {
  const auto line = [](int k, const std::string& norm) {
    return fmt::format("iteration {}/15 | elapsed time per iteration (ms): 5.0 | grad norm: {}\n",
                       k, norm);
  };
  EXPECT_EQ(leg_of(line(1, "6.512") + line(2, "6.513") + line(3, "16.514")).iterations.size(), 3U);
  const LegSeries cut = leg_of(line(1, "6.512") + line(2, "6.513") + line(3, "16.5"));
  EXPECT_EQ(counters(cut), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(cut.dropped, 1);
  std::string open = line(1, "6.512") + line(2, "6.513") + line(3, "6.514");
  open.pop_back();
  EXPECT_EQ(leg_of(open).iterations.size(), 2U) << "without a newline more digits could follow";
  EXPECT_EQ(leg_of(line(1, "6.512") + line(2, "nan") + line(3, "6.513")).iterations.size(), 3U);
}

TEST(LogScanner, WarmUpLinesMayEndElsewhere) {
  const std::string warm =
      "iteration {}/15 | elapsed time per iteration (ms): 5.0 | throughput per "
      "GPU (TFLOP/s/GPU): 1.0\n";
  std::string lines;
  for (const int k : {1, 2})
    lines += fmt::format(fmt::runtime(warm), k);
  for (int k = 3; k <= 6; ++k) {
    lines += fmt::format(
        "iteration {}/15 | elapsed time per iteration (ms): 5.0 | throughput per GPU "
        "(TFLOP/s/GPU): "
        "1.0/1.0 | tokens per GPU (tokens/s/GPU): 8.0/8.0\n",
        k);
  }
  const LegSeries leg = leg_of(lines);
  EXPECT_EQ(leg.iterations.size(), 6U);
  EXPECT_EQ(leg.dropped, 0);
}

TEST(LogScanner, AMissingLossSegmentIsSeen) {
  std::string nan = iteration(3, "3.0/3.0");
  nan.erase(nan.find(" | lm loss"), std::string(" | lm loss: 1.100000E+01").size());
  const LegSeries leg =
      leg_of(iteration(1, "1.0/1.0") + "\n" + iteration(2, "2.0/2.0") + "\n" + nan);
  ASSERT_EQ(leg.iterations.size(), 3U);
  EXPECT_TRUE(leg.iterations[1].loss_present);
  EXPECT_FALSE(leg.iterations[2].loss_present);
}

TEST(LogScanner, LinesBeforeALegKeepAnEmptyPrecision) {
  const LogFindings findings = scan(iteration(1, "1.0/1.0") + "\n" + running("FP8"));
  ASSERT_EQ(findings.series.size(), 1U);
  EXPECT_EQ(findings.series[0].precision, "");
  EXPECT_EQ(findings.series[0].node, "node_1");
  EXPECT_EQ(findings.legs_started, (std::vector<std::string>{"FP8"}));
}

TEST(LogScanner, OnlyARealLegLineStartsALeg) {
  for (const std::string line :
       {"Running: GPT - BF16", "+ echo 'Running: GPT - BF16 - pretrain'", "Status: Running: x",
        "Running: two words - BF16 - pretrain", "NotRunning: GPT - BF16 - pretrain"}) {
    EXPECT_TRUE(scan(line + "\n").legs_started.empty()) << line;
  }
  EXPECT_EQ(scan("[x] Running: GPT - bf16 - pretrain\r\n").legs_started.size(), 1U);
}

TEST(LogScanner, ReadsEveryFormOfABanner) {
  struct Case {
    std::string line;
    std::string version;
    std::string host;
  };
  const std::vector<Case> cases = {
      {"RCCL version : 2.27.7-HEAD:0d2c4fd", "2.27.7-HEAD:0d2c4fd", ""},
      {"RCCL version : 2.27.7-users/x/y:0d2c4fd+", "2.27.7-users/x/y:0d2c4fd+", ""},
      {"node-a:12:34 [0] NCCL INFO RCCL version : 2.27.7-HEAD:0d2c4fd", "2.27.7-HEAD:0d2c4fd",
       "node-a"},
      {"node-a:12:34 [0] NCCL INFO RCCL version 2.20.5+hip6.2 HEAD:0123abc",
       "2.20.5+hip6.2 HEAD:0123abc", "node-a"},
      {"RCCL version 2.20.5+hip6.2 HEAD:0123abc+", "2.20.5+hip6.2 HEAD:0123abc+", ""},
      {"RCCL version 2.20.5+hip6.2 Unknown", "2.20.5+hip6.2 Unknown", ""},
      {"RCCL version : 2.27.7-Unknown", "2.27.7-Unknown", ""},
      {"loading checkpoint... RCCL version : 2.27.7-HEAD:0d2c4fd", "2.27.7-HEAD:0d2c4fd", ""},
      {"doneRCCL version : 2.27.7-HEAD:0d2c4fd", "2.27.7-HEAD:0d2c4fd", ""},
      {"RCCL version : 2.27.7-HEAD:0d2c4fd[2026-11-01 10:00:00] node-a:1:2 [3] NCCL WARN x",
       "2.27.7-HEAD:0d2c4fd", ""},
      {"\x1b[32mRCCL version : \x1b[0m2.27.7-HEAD:0d2c4fd\r", "2.27.7-HEAD:0d2c4fd", ""},
  };
  for (const Case& c : cases) {
    const LogFindings findings = scan(c.line + "\n");
    ASSERT_EQ(findings.banners.size(), 1U) << c.line;
    EXPECT_EQ(findings.banners[0].version, c.version) << c.line;
    EXPECT_EQ(findings.banners[0].host, c.host) << c.line;
  }
}

TEST(LogScanner, AnEchoIsNoBanner) {
  for (const std::string line :
       {R"(  "note": "RCCL version : 2.30.4-develop:e711c9e",)", "grep 'RCCL version : 2.30' x",
        "`RCCL version : 2.30.4-develop:e711c9e`", "'RCCL version : 2.30.4-develop:e711c9e or so'",
        "note=\"the RCCL version : 2.30.4-develop:e711c9e\"",
        "RCCL version : \"2.30.4-develop:e711c9e\"", "checking the RCCL version",
        "RCCL version : unknown", "RCCL version 2.20 is required", "NCCL version 2.21.5",
        "RCCL version2.20.5"}) {
    EXPECT_TRUE(scan(line + "\n").banners.empty()) << line;
  }
}

TEST(LogScanner, FieldsBelongToTheNearestBannerThatLacksThem) {
  const LogFindings findings = scan(
      "Hostname     : before\n"
      "RCCL version : 2.27.7-HEAD:0d2c4fd\nRCCL version : 2.30.4-develop:e711c9e\n"
      "Hostname     : node-b\nHostname     : node-a\n"
      "Librccl path : /b/librccl.so.1\nLibrccl path : /a/librccl.so.1[2026-11-01] WARN\n"
      "Librccl path : /late\n");
  ASSERT_EQ(findings.banners.size(), 2U);
  EXPECT_EQ(findings.banners[0].host, "node-a");
  EXPECT_EQ(findings.banners[0].path, "/a/librccl.so.1");
  EXPECT_EQ(findings.banners[1].host, "node-b");
  EXPECT_EQ(findings.banners[1].path, "/b/librccl.so.1");
}

TEST(LogScanner, ReadsTransports) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"n:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eth0:1<0>", "IB"},
      {"NET/Socket : Using [0]eth0:10.0.0.1<0>", "Socket"},
      {"textNET/RCCL-ANP : Using [0]ionic_0:1/RoCE", "RCCL-ANP"},
      {"NET/IB : No device found.", ""},
      {"NET/IB : Using [RO]; OOB eth0:10.0.0.1<0>", ""},
      {"Channel 00/04 : 0[0] -> 4[0] via NET/IB/0/GDRDMA", ""},
      {"NET/Plugin: Could not find librccl-net.so", ""},
  };
  for (const auto& [line, kind] : cases) {
    const LogFindings findings = scan(line + "\n");
    ASSERT_EQ(findings.transports.size(), kind.empty() ? 0U : 1U) << line;
    if (kind.empty()) continue;
    EXPECT_EQ(findings.transports[0].kind, kind) << line;
  }
}

TEST(LogScanner, MarksWhatExplainsAFailure) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[rank3]: torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2 GiB", "oom"},
      {"Traceback (most recent call last):", "traceback"},
      {"slurmstepd: error: *** STEP 42.0 ON a1 CANCELLED AT 2031-01-01T00:00:00 DUE TO TIME LIMIT "
       "***",
       "slurm_kill"},
      {"srun: error: a1: task 1: Exited with exit code 3", "srun_error"},
      {"[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1)", "nccl_timeout"},
      {"STAGE:2026-11-01 10:00:00 1:1 ActivityProfilerController.cpp:314] Completed Stage: Warm Up",
       "profiler"},
      {"Found error pattern 'OutOfMemoryError' in logs", ""},
      {"[Patch:megatron.torch_profiler] Patched torch.profiler.profile with Primus options.", ""},
      {"  use_pytorch_profiler ............ False", ""},
  };
  for (const auto& [line, kind] : cases) {
    const LogFindings findings = scan(running("BF16") + line + "\n");
    ASSERT_EQ(findings.markers.size(), kind.empty() ? 0U : 1U) << line;
    if (kind.empty()) continue;
    EXPECT_EQ(findings.markers[0].kind, kind);
    EXPECT_EQ(findings.markers[0].text, line);
    EXPECT_EQ(findings.markers[0].where, (Location{"a.out", 2}));
    EXPECT_EQ(findings.markers[0].precision, "BF16");
    EXPECT_EQ(findings.markers[0].node_index, "1");
  }
}

TEST(LogScanner, AProfilerMarksItsLeg) {
  const LogFindings findings =
      scan(running("BF16") + "prof.export_chrome_trace(x)\n" + iteration(1, "1.0/1.0") + "\n" +
           running("FP8") + iteration(1, "1.0/1.0") + "\n");
  ASSERT_EQ(findings.series.size(), 2U);
  EXPECT_TRUE(findings.series[0].profiler_lines);
  EXPECT_FALSE(findings.series[1].profiler_lines);
}

TEST(LogScanner, MarkersAreFewShortAndPrintable) {
  std::string log;
  for (int i = 0; i < 100; ++i)
    log += "HIP out of memory \x1b[2J\x07\xff " + std::string(500, 'x') + "\n";
  const LogFindings findings = scan(log + "Traceback (most recent call last):\n");
  ASSERT_EQ(findings.markers.size(), 21U);
  for (const Marker& marker : findings.markers) {
    EXPECT_LE(marker.text.size(), 200U);
    EXPECT_EQ(marker.text.find('\x07'), std::string::npos);
  }
  EXPECT_EQ(findings.markers[0].text.substr(0, 28), "HIP out of memory \\x07\\xff x");
}

TEST(LogScanner, WhatIsGluedToTheSpamIsNotLost) {
  const std::string warn = spam.substr(1, spam.size() - 2);
  EXPECT_EQ(scan("RCCL version : 2.27.7-HEAD:0d2c4fd" + warn + "\n").banners.size(), 1U);
  EXPECT_EQ(scan(warn + "RCCL version : 2.27.7-HEAD:0d2c4fd\n").banners.size(), 1U);
  EXPECT_EQ(scan(running("BF16") + iteration(1, "1.0/1.0") + "\r" + warn + "\n").series.size(), 1U);
  const std::string stamp = "[2026-11-01 10:00:00] ";
  EXPECT_EQ(scan(stamp + "HIP out of memory " + warn.substr(stamp.size()) + "\n").markers.size(),
            1U);
}

TEST(LogScanner, ALineOfThirtyMegabytesCostsOneBound) {
  const std::string head = "HIP out of memory ";
  LogScanner scanner("a.out", "0");
  scanner.feed(head);
  const std::string piece(1U << 20U, 'x');
  for (int i = 0; i < 30; ++i)
    scanner.feed(piece);
  scanner.feed("RCCL version : 2.27.7-HEAD:0d2c4fd\n" + running("BF16"));
  const LogFindings findings = scanner.finish();
  EXPECT_EQ(findings.overlong_lines, 1);
  EXPECT_EQ(findings.lines, 2);
  EXPECT_EQ(findings.markers.size(), 1U) << "the head is looked at";
  EXPECT_TRUE(findings.banners.empty()) << "what is behind the bound is not";
  EXPECT_EQ(findings.legs_started.size(), 1U);
}

TEST(LogScanner, AProgressBarIsNotOneLongLine) {
  std::string bar;
  for (int i = 0; i < 5000; ++i)
    bar += " 50%|#####     | 5/10 [00:01<00:01]\r";
  const LogFindings findings = scan(bar + banner);
  EXPECT_EQ(findings.overlong_lines, 0);
  ASSERT_EQ(findings.banners.size(), 1U);
  EXPECT_EQ(findings.banners[0].where.line, 1);
}

TEST(LogScanner, AnEmptyLogHasNothing) {
  const LogFindings findings = scan("");
  EXPECT_EQ(dump(findings), "lines 0 overlong 0 host  legs \n");
}

}  // namespace
}  // namespace abgate::metrics
