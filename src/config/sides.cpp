#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "merge.hpp"

namespace abgate::config {
namespace {

/// The options of one side.
struct SideOptions {
  std::string_view side;
  const std::optional<std::string>& image;
  bool local_image;
  const std::vector<std::string>& env;
};

std::string option_of(const SideOptions& options, std::string_view what) {
  return fmt::format("--{}-{}", options.side, what);
}

void merge_image(Merge& merge, const SideOptions& options, SideConfig& side,
                 const std::string& fallback, const std::string& fallback_origin) {
  const std::string key = fmt::format("{}.image", options.side);
  side.image = fallback;
  merge.origin(key, fallback_origin);
  merge.take(options.image, option_of(options, "image"), shapes::image, key, side.image);
  side.local_image = options.local_image;
  merge.origin(fmt::format("{}.local_image", options.side),
               options.local_image ? option_of(options, "image-local") : "default");
}

void merge_environment(Merge& merge, const SideOptions& options, SideConfig& side) {
  const std::string option = option_of(options, "env");
  for (const std::string& text : options.env) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      // The text may be a credential: it is not shown.
      merge.error(option, "a variable has no value", "give NAME=VALUE; VALUE may be empty");
      continue;
    }
    const std::string name = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    if (TextProblem problem = check_variable(name, value)) {
      const bool named = !check_text(shapes::variable, name);
      merge.error(option, named ? fmt::format("{}: {}", name, problem.message) : problem.message,
                  problem.hint);
      continue;
    }
    if (find_variable(side.env, name) != nullptr) {
      merge.error(option, fmt::format("{} is given twice", name), "keep one");
      continue;
    }
    set_variable(side.env, name, value);
    merge.origin(fmt::format("{}.env.{}", options.side, name), option);
  }
}

void merge_library(Merge& merge) {
  constexpr std::string_view option = "--candidate-library";
  SideConfig& side = merge.gate.candidate;
  if (!merge.take(merge.options.candidate_library, option, shapes::absolute_path,
                  "candidate.library", side.library)) {
    return;
  }
  auto mounts = library_mounts(side.library, merge.options.candidate_library_files);
  if (!mounts) return merge.error(option, std::move(mounts.error()));
  side.library_mounts = std::move(*mounts);
}

bool same_variables(const Environment& a, const Environment& b) {
  return std::map<std::string, std::string>(a.begin(), a.end()) ==
         std::map<std::string, std::string>(b.begin(), b.end());
}

/// LESSONS 6: a comparison of a build with itself passes whatever the candidate is.
void check_difference(Merge& merge) {
  const GateConfig& gate = merge.gate;
  const bool same =
      gate.baseline.image == gate.candidate.image &&
      gate.baseline.local_image == gate.candidate.local_image && gate.candidate.library.empty() &&
      same_variables(gate.environment_of(Side::baseline), gate.environment_of(Side::candidate));
  if (!same || gate.same_build) return;
  merge.error("--candidate-image",
              fmt::format("the sides do not differ: both run {}", gate.baseline.image),
              "give --candidate-image, --candidate-library or --candidate-env, or --same-build for "
              "an A/A gate");
}

}  // namespace

void merge_sides(Merge& merge) {
  const Options& options = merge.options;
  GateConfig& gate = merge.gate;
  const SideOptions baseline{"baseline", options.baseline_image, options.baseline_image_local,
                             options.baseline_env};
  const SideOptions candidate{"candidate", options.candidate_image, options.candidate_image_local,
                              options.candidate_env};
  const std::size_t before = merge.diagnostics.size();
  merge_image(merge, baseline, gate.baseline, gate.workload.baseline_image,
              merge.origin_of("workload.baseline_image"));
  merge_image(merge, candidate, gate.candidate, gate.baseline.image,
              merge.origin_of("baseline.image"));
  merge_environment(merge, baseline, gate.baseline);
  merge_environment(merge, candidate, gate.candidate);
  merge_library(merge);
  merge.take(options.candidate_rccl, "--candidate-rccl", shapes::rccl, "candidate_rccl",
             gate.candidate_rccl);
  gate.same_build = options.same_build;
  merge.origin("same_build", options.same_build ? "--same-build" : "default");
  // An option that was refused may be the difference.
  if (merge.has_workload && merge.diagnostics.size() == before) check_difference(merge);
}

}  // namespace abgate::config
