#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <abgate/condense/condense.hpp>

namespace abgate::condense {

/// Condenses a text that is fed in pieces of that size.
inline std::string condensed(std::string_view text, const Options& options = {},
                             std::size_t piece = std::string_view::npos, Totals* totals = nullptr) {
  std::string out;
  Condenser condenser(options, [&](std::string_view bytes) { out += bytes; });
  while (!text.empty()) {
    condenser.feed(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
  }
  const Totals sum = condenser.finish();
  if (totals != nullptr) *totals = sum;
  return out;
}

/// One of RCCL's warnings, without its line end.
inline std::string warning(int second, const std::string& host = "node-a", int rank = 0) {
  return fmt::format(
      "[2026-11-01 10:00:{:02}] {}:{}:{} [{}] /build/rccl/hipify/src/misc/api_trace.cc:517 NCCL "
      "WARN Please note that ncclAllToAllv is deprecated, please use ncclAlltoAllv instead",
      second, host, 1234 + rank, 5678 + rank, rank);
}

/// As it stands in a log: behind an empty line.
inline std::string spam(int second, const std::string& host = "node-a", int rank = 0) {
  return "\n" + warning(second, host, rank) + "\n";
}

}  // namespace abgate::condense
