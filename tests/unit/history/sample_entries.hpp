#pragma once

#include <string>
#include <vector>

#include <abgate/history/history.hpp>

namespace abgate::test {

/// A gate of the n-th night of October 2026 with these ratios; a ratio below 0.98 is a regression.
history::Entry night(int n, double bf16, double fp8);
/// `count` nights whose ratios come from `ratio_of(night)`, with a noise of 0.3 % in the baseline.
std::vector<history::Entry> nights(int count, double (*ratio_of)(int night));
/// Two pairs of nodes, all four verdicts, two workloads, hostile text, an A/A gate.
history::History mixed_history();

}  // namespace abgate::test
