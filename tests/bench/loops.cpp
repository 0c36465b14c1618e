// Bytes a second of the inner loops, on texts that stay in the cache.
#include <cstring>
#include <string>

#include <benchmark/benchmark.h>

#include <abgate/base/scan.hpp>
#include <abgate/condense/condense.hpp>
#include <abgate/metrics/log_scanner.hpp>

namespace abgate {
namespace {

constexpr std::size_t text_size = 256U << 10U;

std::string repeated(std::string_view lines) {
  std::string text;
  while (text.size() < text_size)
    text += lines;
  return text;
}

std::string spam() {
  std::string lines;
  for (const char rank : std::string_view("01234567")) {
    lines += "\n[2026-11-01 10:00:00] node-a:123456" + std::string(1, rank) + ":1240001 [" + rank +
             "] /build/rccl/hipify/src/misc/api_trace.cc:517 NCCL WARN Please note that "
             "ncclAllToAllv is deprecated, please use ncclAlltoAllv instead\n";
  }
  return repeated(lines);
}

std::string ordinary() {
  return repeated(
      "\x1b[32mINFO\x1b[0m [\x1b[32m2026-11-01 00:00:01\x1b[0m][\x1b[36mrank-6/16\x1b[0m]\x1b[34m"
      "\x1b[1m[DEBUG]  \x1b[0m[----------utils.py:106] : moe.token_dispatcher: expert 46 of layer "
      "31 took 75454 tokens\n> building train, validation, and test datasets: 195654 samples\n");
}

void set_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text.size()));
}

void copy(benchmark::State& state) {
  const std::string text = ordinary();
  std::string to(text.size(), '\0');
  for (auto _ : state) {
    std::memcpy(to.data(), text.data(), text.size());
    benchmark::DoNotOptimize(to.data());
  }
  set_bytes(state, text);
}
BENCHMARK(copy);

void count_newlines(benchmark::State& state) {
  const std::string text = ordinary();
  for (auto _ : state)
    benchmark::DoNotOptimize(scan::count_newlines(text));
  set_bytes(state, text);
}
BENCHMARK(count_newlines);

void find_needles(benchmark::State& state) {
  const std::string text = ordinary();
  const scan::NeedleSet needles = scan::NeedleSet(metrics::texts_that_count()).with_escapes();
  for (auto _ : state)
    benchmark::DoNotOptimize(needles.find(text, 0));
  set_bytes(state, text);
}
BENCHMARK(find_needles);

template <class Make>
void condense_text(benchmark::State& state, Make make, std::int64_t auto_above) {
  const std::string text = make();
  condense::Options options;
  options.auto_above = auto_above;
  condense::Condenser condenser(options, [](std::string_view) {});
  for (auto _ : state)
    condenser.feed(text);
  set_bytes(state, text);
}
BENCHMARK_CAPTURE(condense_text, spam, spam, 0);
BENCHMARK_CAPTURE(condense_text, ordinary, ordinary, 0);
BENCHMARK_CAPTURE(condense_text, ordinary_auto, ordinary, 1000);

template <class Make>
void scan_log(benchmark::State& state, Make make) {
  const std::string text = make();
  metrics::LogScanner scanner("a.out", "0");
  for (auto _ : state)
    scanner.feed(text);
  set_bytes(state, text);
}
BENCHMARK_CAPTURE(scan_log, spam, spam);
BENCHMARK_CAPTURE(scan_log, ordinary, ordinary);

}  // namespace
}  // namespace abgate

BENCHMARK_MAIN();
