#pragma once

#include <cstddef>
#include <string>

#include <abgate/model/record.hpp>

/// The drawings of the HTML page; empty when there is nothing to draw.
namespace abgate::report {

/// One row a leg: ratio, its scatter interval and the limit, on one scale.
std::string ratio_chart(const std::vector<LegResult>& legs);
/// Throughput over the iterations, one line a phase. `index` makes the id unique.
std::string curve_chart(const LegResult& leg, std::size_t index);
/// Peak memory of each leg and phase.
std::string memory_chart(const std::vector<LegResult>& legs);
/// Waiting, phases and what lies between, to scale.
std::string timeline_chart(const GateRecord& record);

}  // namespace abgate::report
