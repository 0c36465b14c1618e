// The scanner skips lines by a search over whole blocks; given byte by byte it reads every line.
// Both must say the same.
#include <random>

#include <gtest/gtest.h>

#include "dump_findings.hpp"
#include "phase_files.hpp"

namespace abgate::metrics {
namespace {

using phase_files::scan;

/// Pieces of lines, whole ones and line ends; joined at random they make every kind of trouble.
std::vector<std::string> pieces() {
  return {"Running: GPT-OSS-120B - BF16 - pretrain\n",
          "Running: GPT-OSS-120B - FP8 - pretrain\n",
          "[INFO] Extracted MBS=2, GBS=2048 from config\n",
          "RCCL version : 2.27.7-HEAD:0d2c4fd\n",
          "Hostname     : node-a\n",
          "Librccl path : /opt/lib/librccl.so.1\n",
          "a:1:2 [0] NCCL INFO NET/IB : Using [0]bnxt_re0:1/RoCE\n",
          "MACHINE NAME is node-b\n",
          "torch.OutOfMemoryError: HIP out of memory\n",
          "Traceback (most recent call last):\n",
          "slurmstepd: error: *** STEP 1.0 ***\n",
          "ActivityProfilerController started\n",
          " iteration        3/      15 | elapsed time per iteration (ms): 100.5 | tokens per GPU "
          "(tokens/s/GPU): 8064.6/8060.3 | lm loss: 1.1E+01 | number of nan iterations:   0 |\n",
          " iteration        4/      15 | elapsed time per iteration (ms): 100.5 | tokens per GPU "
          "(tokens/s/GPU): 8064.6/8060.3 | lm loss: 1.1E+01 | number of nan iterations:   0 |\n",
          "\x1b[32m",
          "\x1b[0m",
          "\x1b[0m\x1b[1;31m",
          "\x1b",
          "\x1b]0;title\x07",
          "m",
          "\r",
          "\n",
          "\r\n",
          "iter",
          "Host",
          "RCCL ",
          "plain words that mean nothing at all\n",
          std::string(300, 'x'),
          std::string(3, '\0'),
          "\xff\xfe"};
}

std::string random_log(std::mt19937& random) {
  const std::vector<std::string> all = pieces();
  std::string log;
  const std::size_t count = 1 + random() % 40;
  for (std::size_t i = 0; i < count; ++i) {
    std::string piece = all[random() % all.size()];
    const std::size_t trouble = random() % 6;
    if (trouble == 0) piece.insert(random() % (piece.size() + 1), all[14 + random() % 4]);
    if (trouble == 1) piece.resize(random() % (piece.size() + 1));
    log += piece;
  }
  return log;
}

TEST(LogScannerDifferential, SkippingLinesLosesNothing) {
  std::mt19937 random(11);
  std::size_t findings = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::string log = random_log(random);
    const std::string plain = dump(scan(log, 1));
    ASSERT_EQ(dump(scan(log)), plain) << log;
    findings += plain.size() > 60 ? 1U : 0U;
  }
  EXPECT_GT(findings, 700U);
}

TEST(LogScannerDifferential, EveryCutGivesTheSame) {
  std::mt19937 random(12);
  for (int round = 0; round < 12; ++round) {
    const std::string log = random_log(random);
    const std::string plain = dump(scan(log, 1));
    for (std::size_t cut = 0; cut <= log.size(); ++cut) {
      LogScanner scanner("a.out", "1");
      scanner.feed(std::string_view(log).substr(0, cut));
      scanner.feed(std::string_view(log).substr(cut));
      ASSERT_EQ(dump(scanner.finish()), plain) << "cut at " << cut << " of " << log;
    }
  }
}

TEST(LogScannerDifferential, LinesNearTheBoundsAreReadAlike) {
  constexpr std::size_t bound = std::size_t{64} * 1024;
  for (const std::size_t size :
       {bound / 2 - 1, bound / 2, bound - 20, bound - 1, bound, bound + 1, 2 * bound, 5 * bound}) {
    const std::string log = "MACHINE NAME is node-a\n" + std::string(size, 'x') +
                            " HIP out of memory\nRunning: M - BF16 - pretrain\n" +
                            std::string(size, 'y') + "\n HIP out of memory\n";
    EXPECT_EQ(dump(scan(log)), dump(scan(log, 1))) << size;
    EXPECT_EQ(dump(scan(log, 4096)), dump(scan(log, 1))) << size;
  }
}

}  // namespace
}  // namespace abgate::metrics
