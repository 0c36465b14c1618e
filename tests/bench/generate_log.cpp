// Writes a training log of a given size to stdout, the same one for the same seed. Its composition
// is that of FORMATS 5: 97 % is one RCCL warning, and what stands between is what a Primus run
// prints.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace {

constexpr int ranks = 8;

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  /// Text of about `size` bytes, `spam_share` of it warnings.
  bool write(std::uint64_t size, double spam_share) {
    begin_leg("BF16");
    bool second_leg = false;
    while (written_ + text_.size() < size) {
      if (!second_leg && written_ > size / 2) {
        begin_leg("FP8");
        second_leg = true;
      }
      seconds_ += 1;
      const std::uint64_t other = other_;
      add_ordinary_lines();
      ordinary_bytes_ += other_ - other;
      if (spam_share > 0) {
        const auto target = static_cast<double>(ordinary_bytes_) / (1 - spam_share) * spam_share;
        while (static_cast<double>(spam_bytes_) < target)
          add_warning();
      }
      if (seconds_ % iteration_seconds_ == 0) add_iteration();
      if (text_.size() > flush_at && !flush()) return false;
    }
    return flush();
  }

 private:
  static constexpr std::size_t flush_at = std::size_t{1} << 20U;
  static constexpr int iteration_seconds_ = 400;
  static constexpr int iterations_ = 15;

  std::mt19937 random_;
  std::string text_;
  std::uint64_t written_ = 0;
  std::uint64_t spam_bytes_ = 0;
  std::uint64_t ordinary_bytes_ = 0;
  std::uint64_t other_ = 0;
  std::int64_t seconds_ = 0;
  int iteration_ = 0;

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  bool flush() {
    written_ += text_.size();
    const bool done = std::fwrite(text_.data(), 1, text_.size(), stdout) == text_.size();
    text_.clear();
    return done && std::fflush(stdout) == 0;
  }

  std::string clock() const {
    const auto day = seconds_ / 86400 % 28 + 1;
    return fmt::format("2026-11-{:02} {:02}:{:02}:{:02}", day, seconds_ / 3600 % 24,
                       seconds_ / 60 % 60, seconds_ % 60);
  }

  void add_line(std::string_view line) {
    text_ += line;
    text_ += '\n';
    other_ += line.size() + 1;
  }

  void add_warning() {
    const std::uint32_t rank = below(ranks);
    const std::size_t before = text_.size();
    fmt::format_to(
        std::back_inserter(text_),
        "\n[{}] node-a:{}:{} [{}] /build/rccl/hipify/src/misc/api_trace.cc:517 NCCL WARN "
        "Please note that ncclAllToAllv is deprecated, please use ncclAlltoAllv "
        "instead\n",
        clock(), 1234567 + rank, 1240001 + 3 * rank, rank);
    spam_bytes_ += text_.size() - before;
  }

  void begin_leg(std::string_view precision) {
    iteration_ = 0;
    add_line(fmt::format("Running: GPT-OSS-120B - {} - pretrain", precision));
    add_line(
        "[INFO] Extracted MBS=2, GBS=2048 from config: "
        "examples/megatron/configs/MI355X/demo-pretrain.yaml");
    for (int rank = 0; rank < ranks; ++rank) {
      add_line("RCCL version : 2.27.7-HEAD:0d2c4fd");
      add_line("HIP version  : 7.2.26015-fc0010cf6a");
      add_line("ROCm version : 7.2.0.0-43-fc0010cf6a");
      add_line("Hostname     : node-a");
      add_line(
          "Librccl path : "
          "/opt/venv/lib/python3.12/site-packages/_rocm_sdk_libraries/lib/librccl.so.1");
    }
    add_line("node-a:1234567:1240001 [0] NCCL INFO NET/IB : Using [0]bnxt_re0:1/RoCE [RO]");
  }

  /// What stands in front of a line of Primus, in colour.
  std::string prefix(std::string_view level, std::uint32_t rank) const {
    return fmt::format(
        "\x1b[32m{}\x1b[0m [\x1b[32m{}\x1b[0m][\x1b[36mrank-{}/16\x1b[0m]\x1b[34m\x1b[1m[DEBUG]  "
        "\x1b[0m[----------utils.py:{}] : ",
        level, clock(), rank, 100 + rank);
  }

  void add_ordinary_lines() {
    for (std::uint32_t i = below(4) + 2; i > 0; --i)
      add_ordinary_line();
  }

  void add_ordinary_line() {
    const std::uint32_t rank = below(ranks);
    switch (below(8)) {
      case 0:
        return add_line(prefix("INFO", rank) +
                        fmt::format("moe.token_dispatcher: expert {} of layer {} took {} tokens",
                                    below(128), below(36), below(100000)));
      case 1:
        return add_line(
            fmt::format("[rank{}]:W1101 {:06}.{:06} torch/_dynamo/convert_frame.py:906] "
                        "[{}/{}] recompile limit reached, function: forward",
                        rank, below(1000000), below(1000000), below(64), below(9)));
      case 2:
        return add_line(
            fmt::format("  hidden_size .................................... {}", below(9000)));
      case 3:
        return add_line(
            fmt::format("> building train, validation, and test datasets: {} samples, "
                        "shuffle index {:08x}, elapsed {}.{:03} s",
                        below(1000000), random_(), below(90), below(1000)));
      case 4:
        return add_line(prefix("WARNING", rank) +
                        fmt::format("torch.cuda.memory: fragmentation {} %, reserved {} MiB",
                                    below(40), below(294912)));
      case 5:
        return add_line(
            fmt::format("{{\"loss_mask\": {}, \"position\": [{}, {}, {}], \"text\": "
                        "\"Zwölf Boxkämpfer – {}\"}}",
                        below(2), below(8192), below(8192), below(8192), random_()));
      case 6:
        return add_line(
            fmt::format("/opt/venv/lib/python3.12/site-packages/torch/autograd/graph.py:{}: "
                        "UserWarning: the input is not contiguous (stream {:#x})",
                        below(1000), random_()));
      default:
        return add_line(fmt::format("step {} rank {}: gathered {} buckets in {}.{} ms", below(5000),
                                    rank, below(400), below(30), below(100)));
    }
  }

  void add_iteration() {
    if (iteration_ == iterations_) return;
    ++iteration_;
    const double milliseconds = 64500 + below(1000);
    const double tokens = 2048.0 * 8192 / (milliseconds / 1000) / 16;
    add_line(
        prefix("INFO", 15) +
        fmt::format("iteration {:8}/{:8} | consumed samples: {:12} | elapsed time per iteration "
                    "(ms): {:.1f} | throughput per GPU (TFLOP/s/GPU): 318.1/317.9 | tokens per "
                    "GPU (tokens/s/GPU): {:.1f}/{:.1f} | learning rate: 1.0E-05 | global batch "
                    "size:  2048 | lm loss: 1.1E+01 | loss scale: 1.0 | grad norm: 6.5 | number "
                    "of skipped iterations:   0 | number of nan iterations:   0 | hip mem "
                    "usage/free/total/usage_ratio: 182.60GB/105.40GB/288.00GB/63.40%",
                    iteration_, iterations_, iteration_ * 2048, milliseconds, tokens, tokens));
  }
};

}  // namespace

int main(int argc, char** argv) {
  const bool known =
      argc == 3 && (std::string_view(argv[2]) == "spam" || std::string_view(argv[2]) == "plain");
  const std::uint64_t megabytes = known ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (megabytes == 0) {
    fmt::print(stderr, "usage: generate_log MEGABYTES spam|plain >FILE\n");
    return 2;
  }
  constexpr std::uint32_t seed = 20261101;
  constexpr double spam_share = 0.97;
  const bool spam = std::string_view(argv[2]) == "spam";
  return Generator(seed).write(megabytes * 1000000, spam ? spam_share : 0) ? 0 : 1;
}
