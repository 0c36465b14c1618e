#include "output.hpp"

#include <cstdio>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

namespace abgate::cli {

bool print_out(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
         std::fflush(stdout) == 0;
}

void print_err(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

int say_unwritten(const GateRecord& record) {
  print_err(fmt::format("abgate: {} (exit code {}), not everything could be written\n",
                        title(record.verdict), record.exit_code));
  return record.exit_code == exit_code::pass ? exit_code::infra : record.exit_code;
}

void print_diagnostics(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    print_err(text::printable(format(diagnostic)) + "\n");
  }
}

}  // namespace abgate::cli
