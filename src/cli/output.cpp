#include "output.hpp"

#include <cstdio>

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

void print_diagnostics(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    print_err(text::printable(format(diagnostic)) + "\n");
  }
}

}  // namespace abgate::cli
