#include "rules.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::config {
namespace {

constexpr std::string_view csv_prefix = "perf_primus-megatron-";
constexpr std::string_view csv_suffix = ".csv";

/// Reports at a path of keys and indexes within the document.
class Reporter {
 public:
  Reporter(const Json& document, const std::string& file, Diagnostics& diagnostics)
      : document_(document), file_(file), diagnostics_(diagnostics) {}

  void error(std::string_view key, std::string message, std::string hint) {
    report(document_.find(key), pointer_join("", key), std::move(message), std::move(hint));
  }
  /// At an item of a list or a member of an object.
  void error(std::string_view list, std::size_t index, std::string message, std::string hint) {
    const Json* items = document_.find(list);
    const Json* item =
        items != nullptr && index < items->items().size() ? &items->items()[index] : items;
    report(item, pointer_join(pointer_join("", list), index), std::move(message), std::move(hint));
  }
  void error_in(std::string_view object, std::string_view key, std::string message,
                std::string hint) {
    report(document_.at({object, key}), pointer_join(pointer_join("", object), key),
           std::move(message), std::move(hint));
  }

 private:
  const Json& document_;
  const std::string& file_;
  Diagnostics& diagnostics_;

  void report(const Json* value, std::string pointer, std::string message, std::string hint) {
    diagnostics_.push_back({Severity::error, file_,
                            value != nullptr ? value->position() : document_.position(),
                            std::move(pointer), std::move(message), std::move(hint)});
  }
};

/// The model that the results CSV is named after; empty when there is none.
std::string_view csv_model(std::string_view csv) {
  if (!csv.starts_with(csv_prefix) || !csv.ends_with(csv_suffix)) return {};
  return csv.substr(csv_prefix.size(), csv.size() - csv_prefix.size() - csv_suffix.size());
}

/// madengine finds the run script's arguments by the card and the results by the CSV's name: a
/// mismatch runs another model, or finds no result after hours.
void check_model_names(const Workload& w, Reporter& at) {
  if (!w.args.empty() && !w.model_card.empty()) {
    const auto words = text::split(w.args, ' ');
    const auto option = std::find(words.begin(), words.end(), "--model_repo");
    if (option == words.end() || option + 1 == words.end() || *(option + 1) != w.model_card) {
      at.error("args", "the arguments do not name the model card",
               fmt::format("give --model_repo {}", w.model_card));
    }
  }
  const std::string_view model = csv_model(w.results_csv);
  if (!model.empty() && !w.model.empty() && model != w.model) {
    at.error("results_csv",
             fmt::format(R"(the results are named after "{}", not "{}")", model, w.model),
             fmt::format("give {}{}{}", csv_prefix, w.model, csv_suffix));
  }
  if (model.empty() || w.model_card.empty()) return;
  constexpr std::string_view mark = "_train_";
  const std::size_t found = w.model_card.find(mark);
  if (found == std::string::npos) {
    at.error("model_card", fmt::format(R"("{}" has no part "{}")", w.model_card, mark),
             "the card's name ends in _train_<model>");
    return;
  }
  const std::string part = w.model_card.substr(found + mark.size());
  if (part != text::to_lower(model)) {
    at.error("results_csv", fmt::format("does not fit the model card, which trains \"{}\"", part),
             fmt::format("the model in the name, in lower case, must be \"{}\"", part));
  }
}

void check_iterations(const Workload& w, Reporter& at) {
  if (w.requested_iterations > 0 && w.warmup_iterations >= w.requested_iterations) {
    at.error("warmup_iterations",
             fmt::format("{} of {} requested iterations leave nothing to measure",
                         w.warmup_iterations, w.requested_iterations),
             "give fewer than requested_iterations");
  }
  constexpr std::string_view knob = "PRIMUS_TRAIN_ITERS";
  const std::string* value = find_variable(w.env, knob);
  if (value != nullptr && w.requested_iterations > 0 &&
      number::parse_integer(*value) != w.requested_iterations) {
    at.error_in("env", knob,
                fmt::format("\"{}\" is not the number of requested iterations", *value),
                fmt::format("give \"{}\"", w.requested_iterations));
  }
}

void check_references(const Workload& w, Reporter& at) {
  std::set<std::pair<std::string, std::int64_t>> seen;
  for (std::size_t i = 0; i < w.reference_values.size(); ++i) {
    const ReferenceValue& reference = w.reference_values[i];
    const bool known = std::find(w.precisions.begin(), w.precisions.end(), reference.precision) !=
                       w.precisions.end();
    if (!known && !w.precisions.empty() && !reference.precision.empty()) {
      at.error("reference_values", i,
               fmt::format("\"{}\" is none of the precisions{}", reference.precision,
                           text::did_you_mean(reference.precision, w.precisions)),
               "give one of " + text::join(w.precisions, ", "));
    }
    if (!seen.emplace(reference.precision, reference.nodes).second) {
      at.error("reference_values", i,
               fmt::format("{} at {} nodes stands twice", reference.precision, reference.nodes),
               "keep one");
    }
  }
}

void check_mounts(const std::vector<Mount>& mounts, Reporter& at) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    if (mounts[i].container.empty() || seen.insert(mounts[i].container).second) continue;
    at.error("mounts", i, fmt::format("{} is mounted twice", mounts[i].container), "keep one");
  }
}

struct OwnOption {
  std::string_view option;
  std::string_view key;
};
/// Options of salloc that a key of the file, or abgate itself, decides. salloc takes the last.
constexpr std::array own_options{
    OwnOption{"--partition", "use the key partition"},
    OwnOption{"-p", "use the key partition"},
    OwnOption{"--qos", "use the key qos"},
    OwnOption{"-q", "use the key qos"},
    OwnOption{"--account", "use the key account"},
    OwnOption{"-A", "use the key account"},
    OwnOption{"--reservation", "use the key reservation"},
    OwnOption{"--exclude", "use the key exclude"},
    OwnOption{"-x", "use the key exclude"},
    OwnOption{"--exclusive", "use the key exclusive"},
    OwnOption{"--gres", "use the key gres"},
    OwnOption{"--gpus", "use the key gres"},
    OwnOption{"-G", "use the key gres"},
    OwnOption{"--nodes", "the option --nodes decides it"},
    OwnOption{"-N", "the option --nodes decides it"},
    OwnOption{"--nodelist", "the option --nodelist decides it"},
    OwnOption{"-w", "the option --nodelist decides it"},
    OwnOption{"--time", "the workload's time_limit decides it"},
    OwnOption{"-t", "the workload's time_limit decides it"},
    OwnOption{"--kill-command", "abgate needs its own"},
    OwnOption{"-K", "abgate needs its own"},
    OwnOption{"--no-shell", "the allocation must end with abgate"},
    OwnOption{"--job-name", "abgate finds its job by the name"},
    OwnOption{"-J", "abgate finds its job by the name"},
};

bool is_option(std::string_view argument, std::string_view option) {
  if (!argument.starts_with(option)) return false;
  const bool is_short = option.size() == 2;  // `-N2` is `-N 2`
  return is_short || argument.size() == option.size() || argument[option.size()] == '=';
}

void check_salloc_arguments(const std::vector<std::string>& arguments, Reporter& at) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (auto problem = not_free(arguments[i])) {
      at.error("extra_salloc_args", i, std::move(problem->message), std::move(problem->hint));
    }
  }
}

/// FORMATS 1: `slurm.network_interface` is the socket interface.
void check_interface(const Cluster& c, Reporter& at) {
  if (c.launcher == Launcher::slurm && c.network_interface.empty()) {
    at.error("network_interface", "the key \"network_interface\" is missing",
             "madengine's own preset is eth0, which a cluster seldom means");
    return;
  }
  for (const std::string_view name : {"NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME"}) {
    const std::string* value = find_variable(c.env, name);
    if (value == nullptr || c.network_interface.empty() || *value == c.network_interface) continue;
    at.error_in("env", name,
                fmt::format(R"("{}" is not the network interface "{}")", text::printable(*value),
                            c.network_interface),
                "give both the same value, or leave the variable out");
  }
}

}  // namespace

std::optional<NotFree> not_free(std::string_view salloc_argument) {
  const auto* const own =
      std::find_if(own_options.begin(), own_options.end(),
                   [&](const OwnOption& o) { return is_option(salloc_argument, o.option); });
  if (own == own_options.end()) return {};
  return NotFree{fmt::format("{} does not belong here", own->option), std::string(own->key)};
}

void check_rules(const Workload& workload, const Json& document, const std::string& file,
                 Diagnostics& diagnostics) {
  Reporter at(document, file, diagnostics);
  check_model_names(workload, at);
  check_iterations(workload, at);
  check_references(workload, at);
  check_mounts(workload.mounts, at);
}

void check_rules(const Cluster& cluster, const Json& document, const std::string& file,
                 Diagnostics& diagnostics) {
  Reporter at(document, file, diagnostics);
  if (document.find("launcher") != nullptr) check_interface(cluster, at);
  check_salloc_arguments(cluster.extra_salloc_args, at);
  check_mounts(cluster.mounts, at);
}

void check_rules(const Suite& suite, const Json& document, const std::string& file,
                 Diagnostics& diagnostics) {
  Reporter at(document, file, diagnostics);
  std::set<std::string> names;
  for (std::size_t i = 0; i < suite.gates.size(); ++i) {
    const SuiteGate& gate = suite.gates[i];
    if (!gate.name.empty() && !names.insert(gate.name).second) {
      at.error("gates", i, fmt::format("two gates are named \"{}\"", gate.name),
               "each gate has its own folder: give another name");
    }
    for (const std::string& argument : gate.arguments) {
      for (const std::string_view own : {"--workload", "--cluster"}) {
        if (!is_option(argument, own)) continue;
        at.error("gates", i, fmt::format("{} does not belong into the arguments", own),
                 fmt::format("use the key {}", own.substr(2)));
      }
    }
  }
}

}  // namespace abgate::config
