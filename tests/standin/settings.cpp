#include "settings.hpp"

#include <cstdlib>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::standin {
namespace {

/// An own variable: the container's, else the process's.
std::string own_variable(const StringPairs& container_env, std::string_view name) {
  for (const auto& [key, value] : container_env)
    if (key == name) return value;
  // Read once at start by a program with one thread.
  const char* value = std::getenv(std::string(name).c_str());  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr ? value : "";
}

Result<double, std::string> factor(const StringPairs& env, std::string_view name, double fallback) {
  const std::string text = own_variable(env, name);
  if (text.empty()) return fallback;
  const auto value = number::parse_finite(text);
  if (!value || *value <= 0 || *value > 1000)
    return Unexpected{std::string(name) + "=" + text + " is not a positive factor"};
  return *value;
}

/// Chosen by hand, else by the image's tag: each release prints its own form.
Result<Shape, std::string> read_shape(const Manifest& manifest) {
  const std::string wanted = own_variable(manifest.container_env, "ABGATE_STANDIN_SHAPE");
  const std::string& source = wanted.empty() ? manifest.image : wanted;
  if (source.find("26.5.1") != std::string::npos) return Shape::v26_5_1;
  if (source.find("26.5") != std::string::npos) return Shape::v26_5_0;
  if (wanted.empty() || wanted.find("26.4") != std::string::npos) return Shape::v26_4;
  return Unexpected{"ABGATE_STANDIN_SHAPE=" + wanted + " is none of 26.4, 26.5.0, 26.5.1"};
}

void read_knobs(const Manifest& manifest, Settings& settings) {
  settings.iterations = settings.profile.iterations;
  settings.profiler = settings.profile.profiler;
  if (settings.faults.has("ignored-knobs")) {
    settings.iterations = 10;
    settings.profiler = true;
    return;
  }
  if (settings.profile.reads_knobs) {
    const auto iterations =
        number::parse_integer(manifest.variable("PRIMUS_TRAIN_ITERS").value_or(""));
    if (iterations && *iterations > 0) settings.iterations = *iterations;
    if (manifest.variable("PRIMUS_DISABLE_PROFILE").value_or("") == "1") settings.profiler = false;
  }
  if (settings.faults.has("profiler")) settings.profiler = true;
}

}  // namespace

ModelProfile profile_of(std::string_view model) {
  const std::string name = text::to_lower(model);
  if (name.find("gpt-oss-120b") != std::string::npos)
    return {4096,
            10,
            true,
            true,
            {{"BF16", 2, 2048, 1.0, 0.0385, 182.60, 3.2, 1.09},
             {"FP8", 1, 2048, 1.79, 0.0385, 191.60, 3.7, 1.24}}};
  if (name.find("llama-3.1-70b") != std::string::npos)
    return {8192,
            50,
            true,
            false,
            {{"BF16", 4, 512, 1.0, 0.4497, 210.00, 3.2, 1.0},
             {"FP8", 4, 512, 0.603, 0.4494, 205.00, 3.2, 1.0}}};
  return {128,
          12,
          false,
          true,
          {{"BF16", 1, 8, 1.0, 0.04, 24.00, 3.2, 1.1}, {"FP8", 1, 8, 1.5, 0.04, 26.00, 3.7, 1.2}}};
}

double Settings::slowdown_of(std::string_view precision) const {
  const auto it = slowdown.find(precision);
  return it == slowdown.end() ? 1.0 : it->second;
}

Result<Faults, std::string> read_faults(const StringPairs& container_env) {
  return Faults::parse(own_variable(container_env, "ABGATE_STANDIN_FAULT"));
}

Result<Settings, std::string> read_settings(const Manifest& manifest) {
  const auto& env = manifest.container_env;
  Settings settings;
  settings.profile = profile_of(manifest.model());
  auto faults = read_faults(env);
  if (!faults) return Unexpected{faults.error()};
  settings.faults = *faults;
  const auto scale = factor(env, "ABGATE_STANDIN_WORK", 1);
  if (!scale) return Unexpected{scale.error()};
  settings.work_scale = *scale;
  const auto both = factor(env, "ABGATE_STANDIN_SLOWDOWN", 1);
  if (!both) return Unexpected{both.error()};
  for (const auto& leg : settings.profile.legs) {
    const auto one = factor(env, "ABGATE_STANDIN_SLOWDOWN_" + leg.precision, *both);
    if (!one) return Unexpected{one.error()};
    settings.slowdown[leg.precision] = *one;
  }
  const auto shape = read_shape(manifest);
  if (!shape) return Unexpected{shape.error()};
  settings.shape = *shape;
  if (settings.faults.has("other-batch"))
    for (auto& leg : settings.profile.legs) {
      leg.global_batch *= 2;
      leg.work *= 2;
    }
  read_knobs(manifest, settings);
  settings.nccl_info = manifest.variable("NCCL_DEBUG").value_or("") == "INFO";
  settings.tagged = !own_variable(env, "ABGATE_STANDIN_RUN_TAG").empty();
  settings.library_override = own_variable(env, "ABGATE_STANDIN_RCCL");
  return settings;
}

}  // namespace abgate::standin
