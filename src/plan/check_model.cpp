#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "check.hpp"

namespace abgate::plan {
namespace {

constexpr std::string_view overlay_suffix = "_overlay";

/// The word behind `--model_repo` (or `--model_repo=`); empty when there is none.
std::string_view model_repo_of(std::string_view args) {
  constexpr std::string_view option = "--model_repo";
  bool wanted = false;
  for (const std::string_view word : text::split(args, ' ')) {
    if (word.empty()) continue;
    if (wanted) return word;
    if (word == option) wanted = true;
    if (word.starts_with(option) && word.substr(option.size()).starts_with('=')) {
      return word.substr(option.size() + 1);
    }
  }
  return {};
}

void check_args(const Place& model, Findings& findings) {
  const Place args = model["args"];
  if (!findings.string(args)) return;
  const std::string_view card = model_repo_of(args.text());
  if (card.empty()) {
    findings.error(args, "has no --model_repo, by which Primus chooses the model",
                   "give \"--model_repo <card>\"");
    return;
  }
  if (card.ends_with(overlay_suffix)) {
    findings.error(
        args, fmt::format("names the overlay card {}, which Primus does not know", quoted(card)),
        fmt::format("give the base card {}",
                    quoted(card.substr(0, card.size() - overlay_suffix.size()))));
  }
  const std::string_view name = model["name"].text();
  if (!name.empty() && card != name) {
    findings.error(args,
                   fmt::format("runs the model {}, but its name is {}", quoted(card), quoted(name)),
                   "name and --model_repo must agree: folders, logs and results carry the name");
  }
}

/// What a card calls its model: `gpt-oss-120b` of `primus_pyt_megatron_lm_train_gpt-oss-120b`.
std::string model_of_card(std::string_view card) {
  if (card.ends_with(overlay_suffix)) card.remove_suffix(overlay_suffix.size());
  return text::to_lower(card.substr(card.rfind('_') + 1));
}

void check_results(const Place& model, Findings& findings) {
  const Place results = model["multiple_results"];
  if (!results || results.text().empty()) {
    findings.error(results,
                   "is missing or empty: madengine then greps for a line that Primus never "
                   "prints",
                   "give the exact name of the per-model CSV, perf_primus-megatron-<Model>.csv");
    return;
  }
  const std::string_view file = results.text();
  if (file.find('/') != std::string_view::npos) {
    findings.error(results, fmt::format("is {}, a path", quoted(file)),
                   "give the file's name alone");
  }
  if (!file.ends_with(".csv")) {
    findings.error(results, fmt::format("is {}, not the name of a CSV", quoted(file)));
  }
  const std::string_view card = model_repo_of(model["args"].text());
  const std::string wanted = model_of_card(card);
  const bool fits = text::to_lower(file).find(wanted) != std::string::npos;
  if (card.empty() || fits) return;
  const std::string message =
      fmt::format("is {}, which does not fit the model {} of args", quoted(file), quoted(wanted));
  if (card.starts_with("primus_")) {
    findings.error(results, message, "Primus names the file like the model it runs");
  } else {
    findings.warning(results, message);
  }
}

void check_timeout(const Place& model, Findings& findings) {
  const Place timeout = model["timeout"];
  const std::string hint = "give a positive whole number of seconds; 14400 is known good";
  if (!timeout || timeout.value->is_null()) {
    findings.error(timeout,
                   timeout ? "is null, which means 7200 s" : "is missing, which means 7200 s",
                   hint + ", and 7200 s kills GPT-OSS-120B");
  } else if (!timeout.value->is_integer()) {
    findings.error(timeout,
                   fmt::format("is {}, not a whole number of seconds", timeout.value->kind_name()),
                   hint);
  } else if (timeout.value->as_integer() <= 0) {
    findings.error(timeout,
                   fmt::format("is {}, whose meaning differs between versions of madengine",
                               timeout.value->as_integer()),
                   hint);
  }
}

/// The options are pasted into a shell command as they stand.
void check_docker_options(const Place& model, Findings& findings) {
  const Place options = model["additional_docker_run_options"];
  if (!findings.string(options, false)) return;
  constexpr std::string_view dangerous = ";&|<>`$()\n\r";
  constexpr std::string_view doubtful = "\"'\\*?[]{}~#!";
  const std::string_view text = options.text();
  if (const std::size_t at = text.find_first_of(dangerous); at != std::string_view::npos) {
    findings.error(options,
                   fmt::format("holds {}: the options are pasted into a shell command unquoted",
                               quoted(text.substr(at, 1))),
                   "give plain options");
  } else if (const std::size_t odd = text.find_first_of(doubtful); odd != std::string_view::npos) {
    findings.warning(options,
                     fmt::format("holds {}, which the shell reads: the options are pasted unquoted",
                                 quoted(text.substr(odd, 1))));
  }
}

}  // namespace

void check_model(const Place& model, Findings& findings) {
  if (!findings.object(model)) return;
  for (const char* key : {"name", "scripts"}) {
    const Place place = model[key];
    if (findings.string(place) && place.text().empty()) findings.error(place, "is empty");
  }
  check_args(model, findings);
  check_results(model, findings);
  check_timeout(model, findings);
  check_docker_options(model, findings);
  for (const char* key : {"training_precision", "data", "cred", "owner"})
    findings.string(model[key], false);
  const Place gpus = model["n_gpus"];
  if (findings.string(gpus) && gpus.text() != "-1") {
    findings.warning(gpus,
                     fmt::format("is {}, not \"-1\", which means all GPUs", quoted(gpus.text())));
  }
}

}  // namespace abgate::plan
