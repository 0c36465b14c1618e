#pragma once

#include <string>

#include <abgate/history/trend.hpp>

#include "chart.hpp"

namespace abgate::history {

/// The part of the page about one series: what its trend says, ratio and throughput over time, and
/// its node sets. `id` is unique on the page.
std::string render_series(const Series& series, const std::string& id);

}  // namespace abgate::history
