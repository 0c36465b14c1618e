#pragma once

#include <string>

#include <fmt/format.h>

#include <abgate/metrics/log_scanner.hpp>

namespace abgate::metrics {

/// Everything of the findings as one text, to compare two of them.
inline std::string dump(const LogFindings& findings) {
  std::string out =
      fmt::format("lines {} overlong {} host {} legs {}\n", findings.lines, findings.overlong_lines,
                  findings.host, fmt::join(findings.legs_started, ","));
  for (const LegSeries& leg : findings.series) {
    out += fmt::format("leg {} {} {} dup {} drop {} back {} mbs {} gbs {} prof {}\n", leg.model,
                       leg.precision, leg.node, leg.duplicates, leg.dropped, leg.non_monotonic,
                       leg.micro_batch_size.value_or(-1), leg.global_batch_size.value_or(-1),
                       leg.profiler_lines);
    for (const Iteration& it : leg.iterations) {
      out += fmt::format("  {} {}/{} {} {} {}\n", format(it.where), it.k, it.total,
                         it.tokens.value_or(-1), it.loss.value_or(-1), it.shape);
    }
  }
  for (const RcclBanner& b : findings.banners) {
    out += fmt::format("banner {} {} {} {} {} {}\n", format(b.where), b.node_index, b.host,
                       b.precision, b.version, b.path);
  }
  for (const TransportLine& t : findings.transports) {
    out += fmt::format("transport {} {} {}\n", format(t.where), t.precision, t.kind);
  }
  for (const Marker& m : findings.markers) {
    out += fmt::format("marker {} {} {} {}\n", format(m.where), m.kind, m.precision, m.text);
  }
  return out;
}

}  // namespace abgate::metrics
