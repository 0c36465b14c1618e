#pragma once

#include <cstdint>
#include <random>

namespace abgate::standin {

/// The arithmetic that stands for training. One unit is a fixed number of dependent
/// multiply-adds, about 30 ms of one CPU; `scale` makes all of it longer or shorter.
///
/// What is measured is CPU time of this thread, which stands for GPU time, since neighbours on a
/// shared test machine must not decide a gate. CPU time alone still moves by 5 % when the
/// processor changes its frequency, and cycle counters can't be read in most virtual machines;
/// so a second chain of integer arithmetic, always the same, runs beside the work and serves as
/// the clock. Work done in equal slices, the fastest of a look counts, and of the looks the middle
/// one: an interrupt or a cold cache hits some slices, never all.
class Workbench {
 public:
  explicit Workbench(double scale) : scale_(scale) {}

  /// Does `amount` units of work and returns the milliseconds that they took, on a processor whose
  /// speed is the nominal one.
  double iteration_ms(double amount);

 private:
  double scale_;
  // Carried from slice to slice, so that no work can be left out.
  double work_state_ = 0.5;
  std::uint64_t clock_state_ = 1;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace abgate::standin
