#include <abgate/runner/disk_store.hpp>
#include <abgate/runner/selftest.hpp>

#include "commands.hpp"
#include "output.hpp"

namespace abgate::cli {

int selftest_command() {
  runner::SystemClock clock;
  const auto results = runner::selftest(clock);
  const bool printed = print_out(runner::render_selftest(results));
  if (!runner::all_passed(results)) {
    print_err("abgate: this binary does not refuse what it must; do not trust its verdicts\n");
    return exit_code::infra;
  }
  return printed ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::cli
