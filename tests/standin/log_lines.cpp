#include "log_lines.hpp"

#include <fmt/format.h>

#include "text_file.hpp"

namespace abgate::standin {
namespace {

constexpr double hbm_gb = 287.98;

/// Megatron prints one decimal. Its iterations last a minute, ours milliseconds: with one
/// decimal, the time and the tokens of one line would not agree any more.
std::string milliseconds(double ms) {
  return fmt::format("{:.{}f}", ms, ms < 1000 ? 3 : 1);
}

std::string elapsed_segment(const IterationLine& line, Shape shape) {
  std::string text = "elapsed time per iteration (ms): " + milliseconds(line.elapsed_ms);
  if (shape == Shape::v26_5_0 && line.elapsed_average)
    text += "/" + milliseconds(*line.elapsed_average);
  return text + " | ";
}

std::string tflops_segment(const IterationLine& line, Shape shape) {
  if (shape == Shape::v26_5_0) {
    std::string text = fmt::format("compute per GPU (TFLOP/s/GPU): {:.1f}", line.tflops);
    if (line.tflops_average) text += fmt::format(" (avg {:.1f})", *line.tflops_average);
    return text + " | ";
  }
  std::string text = fmt::format("throughput per GPU (TFLOP/s/GPU): {:.1f}", line.tflops);
  // The two spaces are Primus's own.
  if (line.tflops_average) text += fmt::format("/{:.1f} ", *line.tflops_average);
  return text + " | ";
}

std::string tokens_segment(const IterationLine& line, Shape shape) {
  if (shape == Shape::v26_4) {
    std::string text = fmt::format("tokens per GPU (tokens/s/GPU): {:.1f}", line.tokens);
    if (line.tokens_average) text += fmt::format("/{:.1f}", *line.tokens_average);
    return text + " | ";
  }
  if (!line.tokens_average) return {};
  return fmt::format("tokens/s/GPU inst/harmonic mean: {:.1f}/{:.1f} | ", line.tokens,
                     *line.tokens_average);
}

}  // namespace

std::string iteration_line(const IterationLine& line, Shape shape) {
  std::string text = fmt::format(
      "\x1b[32mINFO\x1b[0m [\x1b[32m{}\x1b[0m][\x1b[36mrank-{}/{}\x1b[0m]\x1b[34m\x1b[1m[DEBUG]  "
      "\x1b[0m[----utils.py:1] : [{}.123456] iteration {:8}/{:8} | consumed samples: {:12} | ",
      utc_now("%Y%m%d %H:%M:%S"), line.rank, line.ranks, utc_now("%Y-%m-%d %H:%M:%S"), line.k,
      line.total, line.consumed_samples);
  text += elapsed_segment(line, shape) + tflops_segment(line, shape) + tokens_segment(line, shape);
  text +=
      fmt::format("learning rate: 1.000000E-05 | global batch size: {:5} | ", line.global_batch);
  if (!line.nan_loss)
    text += fmt::format("lm loss: {:.6E} | ", 11.0 / (1.0 + 0.05 * static_cast<double>(line.k)));
  text += fmt::format(
      "loss scale: 1.0 | grad norm: {} | number of skipped iterations: {:3} | number of nan "
      "iterations: {:3} | ",
      line.nan_loss ? "nan" : "6.512", line.skipped, 0);
  text += fmt::format(
      "hip mem usage/free/total/usage_ratio: {:.2f}GB/{:.2f}GB/{:.2f}GB/{:.2f}%\x1b[0m",
      line.used_hbm_gb, hbm_gb - line.used_hbm_gb, hbm_gb, 100 * line.used_hbm_gb / hbm_gb);
  return text;
}

std::string leg_head(std::string_view model, const LegProfile& leg) {
  return fmt::format(
      "Running: {} - {} - pretrain\n[INFO] Extracted MBS={}, GBS={} from config: "
      "examples/megatron/configs/MI355X/demo-{}-pretrain.yaml\n",
      model, leg.precision, leg.micro_batch, leg.global_batch, leg.precision);
}

std::string banner(std::string_view version, std::string_view path, std::string_view host,
                   bool info) {
  return fmt::format(
      "{}RCCL version : {}\nHIP version  : 7.2.26015-fc0010cf6a\n"
      "ROCm version : 7.2.0.0-43-fc0010cf6a\nHostname     : {}\nLibrccl path : {}\n",
      info ? fmt::format("{}:2000:2000 [0] NCCL INFO ", host) : "", version, host, path);
}

std::string unknown_banner(std::string_view host) {
  return fmt::format("RCCL version 2.20.5+hip6.2 Unknown\nHostname     : {}\n", host);
}

std::string transport_lines(std::string_view host, std::string_view interface, std::int64_t gpus,
                            bool sockets) {
  std::string text;
  for (std::int64_t gpu = 0; gpu < gpus; ++gpu) {
    const std::string prefix =
        fmt::format("{}:{}:{} [{}] NCCL INFO ", host, 2000 + gpu, 3000 + gpu, gpu);
    text += sockets ? fmt::format("{}NET/Socket : Using [0]{}:10.0.0.1<0>\n", prefix, interface)
                    : fmt::format("{}NET/IB : Using [0]bnxt_re{}:1/RoCE [RO]; OOB {}:10.0.0.1<0>\n",
                                  prefix, gpu, interface);
  }
  return text;
}

std::string spam(std::string_view host, std::int64_t count, std::int64_t gpus) {
  const std::string now = utc_now("%Y-%m-%d %H:%M:%S");
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t gpu = i % gpus;
    fmt::format_to(std::back_inserter(text),
                   "\n[{}] {}:{}:{} [{}] /build/rccl/hipify/src/misc/api_trace.cc:517 NCCL WARN "
                   "Please note that ncclAllToAllv is deprecated, please use ncclAlltoAllv "
                   "instead\n",
                   now, host, 2000 + gpu, 3000 + gpu, gpu);
  }
  return text;
}

std::string out_of_memory_line(std::int64_t rank, std::int64_t gpus_per_node) {
  return fmt::format(
      "[rank{}]: torch.OutOfMemoryError: HIP out of memory. Tried to allocate 1.27 GiB. GPU {} has "
      "a total capacity of 287.98 GiB of which 428.00 MiB is free.\n",
      rank, gpus_per_node - 1);
}

}  // namespace abgate::standin
