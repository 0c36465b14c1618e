#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "manifest.hpp"

namespace abgate::standin {

/// madengine's terminal output is rich text: boxes, emoji, 80 columns (FORMATS 2). These make
/// its parts; the callers print them.

/// A framed box of 80 columns; longer lines are wrapped at a blank, else cut.
std::string box(std::string_view title, std::string_view text);

/// `====…`, with a newline.
std::string rule(int width);

/// The head of a run: configuration, both parts of the manifest, target.
std::string run_head(std::string_view manifest_file, int timeout_seconds, const Json& context,
                     const Json& deployment, std::string_view target);

/// The results table and the last line.
std::string execution_results(std::string_view row_model, std::int64_t rows, bool success);

inline constexpr std::string_view celebration = "🎉 All model executions completed successfully!\n";

}  // namespace abgate::standin
