#pragma once

#include <string>
#include <string_view>

#include <abgate/condense/condense.hpp>
#include <abgate/metrics/log_scanner.hpp>

namespace abgate::runner {

/// The condenser's options for logs whose lines a gate reads: none that it reads is folded.
condense::Options log_options(std::vector<condense::Kind> more_kinds = {},
                              std::int64_t auto_above = 0);

/// Condenses a log and extracts everything from it in one pass. What it finds is what a
/// metrics::LogScanner finds in the condensed text; lines are counted there.
class LogPass {
 public:
  LogPass(const std::string& file, const std::string& node_index, condense::Options options,
          condense::Condenser::Sink sink)
      : scanner_(file, node_index),
        condenser_(std::move(options), [this, sink = std::move(sink)](std::string_view bytes) {
          scanner_.feed(bytes);
          sink(bytes);
        }) {}

  void feed(std::string_view bytes) { condenser_.feed(bytes); }

  struct Found {
    condense::Totals totals;
    metrics::LogFindings findings;
  };
  /// Call once, at the end.
  Found finish() {
    const condense::Totals totals = condenser_.finish();
    return {totals, scanner_.finish()};
  }

 private:
  metrics::LogScanner scanner_;
  condense::Condenser condenser_;
};

}  // namespace abgate::runner
