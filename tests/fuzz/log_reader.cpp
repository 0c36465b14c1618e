// The log reader: whatever the bytes and wherever they are cut, both ways of reading agree.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <abgate/metrics/log_scanner.hpp>
#include <abgate/metrics/traces.hpp>

#include "unit/metrics/dump_findings.hpp"

using abgate::metrics::LogScanner;

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  LogScanner whole("a.out", "0");
  whole.feed(text);
  LogScanner cut("a.out", "0");
  const std::size_t piece = size > 0 ? 1 + data[0] % 16U : 1;
  for (std::size_t at = 0; at < size; at += piece)
    cut.feed(text.substr(at, piece));
  if (dump(whole.finish()) != dump(cut.finish())) std::abort();
  abgate::metrics::read_err(text, "a.err");
  abgate::metrics::read_engine_log(text);
  return 0;
}
