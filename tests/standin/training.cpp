#include "training.hpp"

#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "log_lines.hpp"
#include "text_file.hpp"

namespace abgate::standin {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::int64_t profiled_iteration = 7;
constexpr std::int64_t hang_after = 3;
constexpr std::int64_t nan_after = 3;
constexpr std::int64_t skip_at = 5;
constexpr std::int64_t hang_seconds = 600;
constexpr const char* abandoned = "abandoned";

/// The first iterations are slow in the fixtures; here they do that much more work.
double warm_up_factor(std::int64_t k) {
  return k == 1 ? 1.86 : k == 2 ? 1.41 : 1.0;
}

double profiler_factor(const LegProfile& leg, std::int64_t k) {
  switch (k - profiled_iteration) {
    case -1:
      return leg.profiler_start;
    case 0:
      return leg.profiled_work;
    case 1:
      return 1.03;
    case 2:
      return 1.015;
    default:
      return 1.0;
  }
}

}  // namespace

void Rendezvous::announce(const std::string& what) const {
  write_file(folder_ / what, "");
}

void Rendezvous::abandon() const {
  announce(abandoned);
}

void Rendezvous::await(const std::string& what, std::int64_t timeout_seconds) const {
  const auto deadline = steady_clock::now() + seconds(timeout_seconds);
  std::error_code ignored;
  while (!std::filesystem::exists(folder_ / what, ignored) &&
         !std::filesystem::exists(folder_ / abandoned, ignored) && steady_clock::now() < deadline)
    std::this_thread::sleep_for(milliseconds(10));
}

/// The running averages that are printed: arithmetic in 26.4, harmonic later, both without the
/// warm-up.
struct Training::Averages {
  std::int64_t count = 0;
  double sum = 0;
  double inverse_sum = 0;
  double elapsed_sum = 0;

  void add(double tokens, double elapsed_ms) {
    ++count;
    sum += tokens;
    inverse_sum += 1 / tokens;
    elapsed_sum += elapsed_ms;
  }
  double tokens(Shape shape) const {
    const auto n = static_cast<double>(count);
    return shape == Shape::v26_4 ? sum / n : n / inverse_sum;
  }
  double elapsed() const { return elapsed_sum / static_cast<double>(count); }
};

Training::Training(const Manifest& manifest, const Settings& settings, Library library, Place place,
                   const Rendezvous& rendezvous, Sink sink)
    : manifest_(manifest),
      settings_(settings),
      library_(std::move(library)),
      place_(std::move(place)),
      rendezvous_(rendezvous),
      print_(std::move(sink)),
      bench_(settings.work_scale),
      results_(ModelCsv::empty()) {}

void Training::run() {
  const std::int64_t gpus = manifest_.nodes * manifest_.gpus_per_node;
  for (const auto& leg : settings_.profile.legs) {
    if (settings_.faults.hits("missing-leg", leg.precision, "FP8")) continue;
    if (settings_.faults.hits("unsupported-config", leg.precision, "FP8")) {
      print_("[INFO] Training log not found - configuration not supported.\n");
      replace_by_unsupported(results_, manifest_.model(), leg, settings_.profile.seq_len, gpus);
      continue;
    }
    run_leg(leg);
  }
}

void Training::run_leg(const LegProfile& leg) {
  print_(leg_head(manifest_.model(), leg));
  print_libraries();
  if (place_.last()) {
    train(leg);
    rendezvous_.announce(leg.precision + ".done");
  } else {
    print_(spam(place_.host, settings_.faults.count("spam", 0), manifest_.gpus_per_node));
    rendezvous_.await(leg.precision + ".done", manifest_.timeout_seconds);
  }
  first_leg_ = false;
}

void Training::print_libraries() {
  const auto& faults = settings_.faults;
  const bool sockets = faults.has("sockets");
  const bool stock = faults.count("stock-library-on-node", -1) == place_.node;
  const Library shown = stock ? image_library({}) : library_;
  if (faults.has("unknown-banner"))
    print_(unknown_banner(place_.host));
  else if (!faults.has("no-banner"))
    print_(banner(shown.version, shown.path, place_.host, settings_.nccl_info));
  if (sockets || settings_.nccl_info)
    print_(transport_lines(place_.host, manifest_.variable("NCCL_SOCKET_IFNAME").value_or("eth0"),
                           manifest_.gpus_per_node, sockets));
}

double Training::work_of(const LegProfile& leg, std::int64_t k) const {
  return leg.work * settings_.slowdown_of(leg.precision) * warm_up_factor(k) *
         (settings_.profiler ? profiler_factor(leg, k) : 1.0);
}

/// Faults that strike the last rank in the middle of its first leg.
void Training::disturb(std::int64_t k) {
  if (!first_leg_ || k != hang_after) return;
  if (settings_.faults.argument("crash", 0) == "node") {
    rendezvous_.abandon();
    std::raise(SIGSEGV);
  }
  if (settings_.faults.has("hang"))
    std::this_thread::sleep_for(seconds(settings_.faults.count("hang", hang_seconds)));
}

void Training::train(const LegProfile& leg) {
  const auto& faults = settings_.faults;
  const std::int64_t gpus = manifest_.nodes * manifest_.gpus_per_node;
  const bool stops = faults.hits("stop-at", leg.precision);
  const bool dies = faults.hits("oom-at", leg.precision);
  const std::int64_t last = stops  ? faults.count("stop-at", 0)
                            : dies ? faults.count("oom-at", 0)
                                   : settings_.iterations;
  const std::int64_t spam_each =
      faults.count("spam", 0) / std::max<std::int64_t>(1, settings_.iterations);
  Averages averages;
  std::optional<LegValues> values;
  for (std::int64_t k = 1; k <= std::min(last, settings_.iterations); ++k) {
    if (spam_each > 0) print_(spam(place_.host, spam_each, manifest_.gpus_per_node));
    IterationLine line;
    line.k = k;
    line.total = settings_.iterations;
    line.consumed_samples = k * leg.global_batch;
    line.global_batch = leg.global_batch;
    line.elapsed_ms = bench_.iteration_ms(work_of(leg, k));
    line.tokens = static_cast<double>(settings_.profile.seq_len * leg.global_batch) * 1000 /
                  line.elapsed_ms / static_cast<double>(gpus);
    line.tflops = line.tokens * leg.tflops_per_token;
    if (k > warm_up_iterations) {
      averages.add(line.tokens, line.elapsed_ms);
      line.elapsed_average = averages.elapsed();
      line.tokens_average = averages.tokens(settings_.shape);
      line.tflops_average = *line.tokens_average * leg.tflops_per_token;
      values = LegValues{line.tokens, line.tflops, *line.tokens_average, *line.tflops_average};
    }
    line.nan_loss = k >= nan_after && faults.hits("nan-loss", leg.precision);
    if (k >= skip_at && faults.hits("skipped-iterations", leg.precision))
      line.skipped = faults.count("skipped-iterations", 0);
    line.used_hbm_gb = leg.peak_hbm_gb;
    line.rank = gpus - 1;
    line.ranks = gpus;
    print_(iteration_line(line, settings_.shape) + "\n");
    disturb(k);
  }
  if (dies) {
    print_(out_of_memory_line(gpus - 1, manifest_.gpus_per_node));
    out_of_memory_ = true;
  }
  // The report script finds nothing in a log that holds warm-up lines only.
  if (!values) return;
  add_leg(results_, manifest_.model(), leg, settings_.profile.seq_len, gpus, *values);
  if (faults.hits("nan-row", leg.precision, settings_.profile.legs.back().precision))
    results_.rows[results_.rows.size() - 2][1] = "nan";
}

}  // namespace abgate::standin
