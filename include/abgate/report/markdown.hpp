#pragma once

#include <cstddef>
#include <string>

#include <abgate/model/record.hpp>

namespace abgate::report {

/// GitHub drops a step summary of more than 1 MiB whole (FORMATS 7); some room for what stands
/// before it.
inline constexpr std::size_t largest_markdown = 1'000'000;

/// The report for a pull request or a step summary: verdict first, a table a leg, reasons. Never
/// larger than `largest_markdown` bytes; what does not fit is counted. Links are relative to the
/// work directory. Text from outside is escaped: no HTML, link, image, mention or table of its own.
std::string render_markdown(const GateRecord& record);

}  // namespace abgate::report
