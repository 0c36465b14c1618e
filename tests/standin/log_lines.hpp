#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "settings.hpp"

namespace abgate::standin {

/// One printed iteration. Averages are absent in the warm-up, the loss when it is NaN.
struct IterationLine {
  std::int64_t k = 0;
  std::int64_t total = 0;
  std::int64_t consumed_samples = 0;
  std::int64_t global_batch = 0;
  double elapsed_ms = 0;
  double tflops = 0;
  double tokens = 0;
  std::optional<double> elapsed_average;
  std::optional<double> tflops_average;
  std::optional<double> tokens_average;
  bool nan_loss = false;
  std::int64_t skipped = 0;
  double used_hbm_gb = 0;
  std::int64_t rank = 0;
  std::int64_t ranks = 0;
};

/// Iterations that the printed average leaves out (FORMATS 4).
inline constexpr std::int64_t warm_up_iterations = 2;

/// The line with colour and prefix, without a newline.
std::string iteration_line(const IterationLine& line, Shape shape);

/// `Running: …` and the batch sizes.
std::string leg_head(std::string_view model, const LegProfile& leg);

/// The five lines of an RCCL banner, each with a newline; at INFO the first has a prefix.
std::string banner(std::string_view version, std::string_view path, std::string_view host,
                   bool info);

/// The form of a library that does not know its version (FORMATS 5).
std::string unknown_banner(std::string_view host);

/// One `NET/… : Using` line for each GPU of a node.
std::string transport_lines(std::string_view host, std::string_view interface, std::int64_t gpus,
                            bool sockets);

/// `count` deprecation warnings, each after an empty line.
std::string spam(std::string_view host, std::int64_t count, std::int64_t gpus);

std::string out_of_memory_line(std::int64_t rank, std::int64_t gpus_per_node);

}  // namespace abgate::standin
