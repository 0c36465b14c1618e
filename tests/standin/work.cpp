#include "work.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <random>

namespace abgate::standin {
namespace {

/// The middle of several looks counts: something that disturbs a few milliseconds spoils one or
/// two.
constexpr int looks = 9;
constexpr int slices = 8;  // of one look; the fastest counts
constexpr double work_steps_per_unit = 24e6;
constexpr double clock_steps_per_slice = 150e3;
constexpr double batch_spread = 0.002;
/// The nominal speed: what the clock chain does in a millisecond on a server of about 3 GHz.
constexpr double clock_steps_per_ms = 900e3;

double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// A chain in which each step waits for the one before: its speed is the latency of the
/// processor's multiply and add, which a busy sibling core, cache or memory hardly changes.
double work(double x, std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i)
    x = x * 0.999999 + 1e-6;
  return x;
}

std::uint64_t tick(std::uint64_t x, std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i)
    x = x * 6364136223846793005U + 1442695040888963407U;
  return x;
}

std::int64_t whole_steps(double steps) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

}  // namespace

double Workbench::iteration_ms(double amount) {
  constexpr int all = looks * slices;
  // No two batches are the same work: on an idle host two runs would else agree to the last digit.
  std::uniform_real_distribution<double> batch(1 - batch_spread, 1 + batch_spread);
  amount *= batch(random_);
  const std::int64_t work_steps = whole_steps(work_steps_per_unit * scale_ * amount / all);
  const std::int64_t clock_steps = whole_steps(clock_steps_per_slice * scale_);
  const double nominal_clock = static_cast<double>(clock_steps) / clock_steps_per_ms;
  std::array<double, looks> times{};
  for (double& time : times) {
    double fastest_work = std::numeric_limits<double>::max();
    double fastest_clock = std::numeric_limits<double>::max();
    for (int slice = 0; slice < slices; ++slice) {
      const double start = thread_cpu_ms();
      work_state_ = work(work_state_, work_steps);
      const double between = thread_cpu_ms();
      clock_state_ = tick(clock_state_, clock_steps);
      fastest_work = std::min(fastest_work, between - start);
      fastest_clock = std::min(fastest_clock, thread_cpu_ms() - between);
    }
    time = all * fastest_work * nominal_clock / fastest_clock;
  }
  std::nth_element(times.begin(), times.begin() + looks / 2, times.end());
  return times[looks / 2];
}

}  // namespace abgate::standin
