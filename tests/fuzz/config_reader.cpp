// Workloads, clusters, suites, and the JSON below them.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <abgate/config/parse.hpp>

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  using namespace abgate;
  const auto check = [](const auto& parsed) {
    if (!parsed.value && !has_errors(parsed.diagnostics)) std::abort();
    for (const Diagnostic& diagnostic : parsed.diagnostics)
      format(diagnostic);
  };
  check(config::parse_workload(text, "f"));
  check(config::parse_cluster(text, "f"));
  check(config::parse_suite(text, "f"));
  const auto json = parse_json(text, "f");
  if (json && !parse_json(json->dump(), "f")) std::abort();
  return 0;
}
