#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>

#include "merge.hpp"

namespace abgate::config {
namespace {

using std::chrono::seconds;

/// With the 4 h of an allocation this makes the 330 min that fit into a CI step of 360 (FORMATS 8).
constexpr seconds queue_default = std::chrono::minutes(90);

/// Loading a model of 120 billion parameters and compiling for it may print nothing for minutes.
constexpr seconds progress_default = std::chrono::minutes(30);

struct BudgetOption {
  std::string_view option;
  const std::optional<std::string>& text;
  std::string key;
};

/// The option's value, else the default; reports what is no duration.
seconds budget(Merge& merge, const BudgetOption& option, seconds fallback,
               std::string_view fallback_origin) {
  merge.origin(option.key, fallback_origin);
  if (!option.text) return fallback;
  const auto value = duration::parse(*option.text);
  if (TextProblem problem = check_text(shapes::duration, *option.text); problem || !value) {
    if (!problem) problem = {"is longer than a year", "give a shorter one"};
    merge.error(option.option, std::move(problem));
    return fallback;
  }
  merge.origin(option.key, option.option);
  return *value;
}

void check_nested(Merge& merge, std::string_view option, std::string_view inner,
                  seconds inner_value, std::string_view outer, seconds outer_value) {
  if (inner_value <= outer_value) return;
  merge.error(option,
              fmt::format("the {} of {} is longer than the {} of {}", inner,
                          duration::to_human(inner_value), outer, duration::to_human(outer_value)),
              fmt::format("give at most {}", duration::to_slurm(outer_value)));
}

}  // namespace

void merge_budgets(Merge& merge) {
  const Options& options = merge.options;
  Workload& workload = merge.gate.workload;
  Budgets& budgets = merge.gate.budgets;
  workload.time_limit = budget(merge, {"--time-limit", options.time_limit, "workload.time_limit"},
                               workload.time_limit, merge.origin_of("workload.time_limit"));
  budgets.queue = budget(merge, {"--queue-timeout", options.queue_timeout, "budgets.queue"},
                         queue_default, "default");
  budgets.run = budget(merge, {"--run-timeout", options.run_timeout, "budgets.run"},
                       workload.time_limit, merge.origin_of("workload.time_limit"));
  // Both sides do the same work, so after a phase that took more than half there is no time for its
  // counterpart.
  budgets.phase =
      budget(merge, {"--phase-timeout", options.phase_timeout, "budgets.phase"},
             std::max(seconds(1), std::min(workload.engine_timeout, budgets.run / 2)), "default");
  budgets.progress =
      budget(merge, {"--progress-timeout", options.progress_timeout, "budgets.progress"},
             std::min(progress_default, budgets.phase), "default");
  if (!merge.has_workload) return;
  check_nested(merge, "--run-timeout", "run budget", budgets.run, "time limit",
               workload.time_limit);
  check_nested(merge, "--phase-timeout", "phase budget", budgets.phase, "run budget", budgets.run);
  check_nested(merge, "--progress-timeout", "progress budget", budgets.progress, "phase budget",
               budgets.phase);
}

}  // namespace abgate::config
