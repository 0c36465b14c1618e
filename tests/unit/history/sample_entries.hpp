#pragma once

#include <string>
#include <vector>

#include <abgate/history/history.hpp>

namespace abgate::test {

/// A gate of the n-th night of October 2026 with these ratios; a ratio below 0.98 is a regression.
history::Entry night(int n, double bf16, double fp8);
/// `count` nights whose BF16 ratios are `ratio_of(night)` and whose FP8 ratios are 1, both with a
/// noise of 0.3 %.
std::vector<history::Entry> nights(int count, double (*ratio_of)(int night));
/// Two pairs of nodes, all four verdicts, two workloads, hostile text, an A/A gate.
history::History mixed_history();

}  // namespace abgate::test
