#pragma once

#include <string>

#include <abgate/model/record.hpp>

namespace abgate::report {

/// Two records to be shown side by side.
struct Pair {
  const GateRecord& one;
  const GateRecord& other;
};

/// Verdicts, the ratios and throughputs of each leg, nodes, and every configuration value that
/// differs. Equal values are left out, apart from verdicts and ratios.
std::string render_pair_text(const Pair& pair);
std::string render_pair_markdown(const Pair& pair);

}  // namespace abgate::report
