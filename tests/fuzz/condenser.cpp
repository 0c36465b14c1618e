// The condenser: cuts don't matter, it never grows a text, and condensing again changes nothing.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "unit/condense/support.hpp"

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace abgate::condense;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Options options;
  options.kinds.push_back({"tick", "tick * at {time} of {host}:{pid}, #"});
  options.auto_above = data[0] % 4U;
  options.keep = {"iteration"};
  Totals totals;
  const std::string once = condensed(text, options, std::string_view::npos, &totals);
  if (once.size() > text.size() || totals.bytes_out != once.size()) std::abort();
  if (condensed(text, options, 1U + data[0] / 4U) != once) std::abort();
  if (condensed(once, options) != once) std::abort();
  return 0;
}
