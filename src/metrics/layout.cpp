#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <abgate/base/text.hpp>
#include <abgate/metrics/layout.hpp>
#include <abgate/metrics/traces.hpp>

#include "run_tag.hpp"

namespace abgate::metrics {
namespace {

constexpr std::string_view output_folder = "slurm_output";

/// All copies of one node's files, before one is chosen.
struct Copies {
  NodeFiles files;
  std::string flat_log, flat_error_log, folder_log, folder_error_log;
  std::vector<std::string> live_logs;
};

/// Sorts numbers by value without converting them: job ids may be long.
std::pair<std::size_t, std::string> by_value(const std::string& digits) {
  return {digits.size(), digits};
}

bool is_engine_csv(std::string_view name) {
  return name.starts_with("perf_entry") || name.starts_with("perf_super");
}

/// `slurm_output/<model>/<tag>/node_<N>`; the tag is `<job>`, `<job>_<run tag>` or the run tag.
std::optional<NodeFiles> parse_node_folder(const std::vector<std::string_view>& parts) {
  constexpr std::string_view prefix = "node_";
  constexpr std::size_t depth = 5;  // with the file's name
  if (parts.size() != depth || parts[0] != output_folder) return {};
  if (!parts[3].starts_with(prefix) || !is_all_digits(parts[3].substr(prefix.size()))) return {};
  NodeFiles node;
  node.model = parts[1];
  node.node_index = parts[3].substr(prefix.size());
  std::string_view tag = parts[2];
  if (is_run_tag(tag)) {
    node.run_tag = tag;
    return node;
  }
  node.run_tag = take_run_tag(tag);
  if (is_all_digits(tag)) node.job = tag;
  return node;
}

class Classifier {
 public:
  explicit Classifier(std::string_view results_csv) : results_csv_(results_csv) {}

  void add(std::string_view path) {
    while (path.starts_with("./"))
      path.remove_prefix(2);
    const std::vector<std::string_view> parts = text::split(path, '/');
    if (parts.size() == 1) add_top_level(parts[0]);
    const bool flat_place = parts.size() == 1 || (parts.size() == 2 && parts[0] == output_folder);
    if (const auto name = parse_log_name(parts.back()); name && flat_place) {
      add_flat(*name, path);
    } else if (flat_place && parts.back().ends_with(".err")) {
      out_.job_errors.emplace_back(path);
    } else if (const auto node = parse_node_folder(parts)) {
      add_in_folder(*node, parts.back(), path);
    }
  }

  PhaseLayout finish() {
    merge_untagged();
    for (Copies& node : nodes_)
      choose(node);
    std::sort(out_.nodes.begin(), out_.nodes.end(), [](const NodeFiles& a, const NodeFiles& b) {
      return std::tuple(by_value(a.job), a.run_tag, by_value(a.node_index), a.model) <
             std::tuple(by_value(b.job), b.run_tag, by_value(b.node_index), b.model);
    });
    for (const NodeFiles& node : out_.nodes) {
      if (!node.job.empty() && (out_.jobs.empty() || out_.jobs.back() != node.job)) {
        out_.jobs.push_back(node.job);
      }
    }
    std::sort(out_.ignored.begin(), out_.ignored.end());
    if (out_.engine_log.empty()) out_.engine_log = phase_stdout_;
    return std::move(out_);
  }

 private:
  std::string_view results_csv_;
  PhaseLayout out_;
  std::string phase_stdout_;
  std::vector<Copies> nodes_;

  void add_top_level(std::string_view name) {
    const std::map<std::string_view, std::string*> known = {
        {"phase.json", &out_.phase_json}, {"exit_code", &out_.exit_code},
        {"engine.log", &out_.engine_log}, {"phase.stdout", &phase_stdout_},
        {"perf.csv", &out_.perf_csv},     {"perf_entry_super.json", &out_.entry_super},
    };
    if (const auto found = known.find(name); found != known.end()) *found->second = name;
  }

  Copies& copies_of(const NodeFiles& node) {
    for (Copies& known : nodes_) {
      const NodeFiles& files = known.files;
      if (files.job == node.job && files.run_tag == node.run_tag && files.model == node.model &&
          files.node_index == node.node_index) {
        return known;
      }
    }
    nodes_.push_back({node, "", "", "", "", {}});
    return nodes_.back();
  }

  void add_flat(const LogName& name, std::string_view path) {
    NodeFiles node;
    node.model = name.model;
    node.job = name.job;
    node.run_tag = name.run_tag;
    node.node_index = name.node_index;
    Copies& copies = copies_of(node);
    (name.error_stream ? copies.flat_error_log : copies.flat_log) = path;
  }

  void add_in_folder(const NodeFiles& node, std::string_view name, std::string_view path) {
    const bool csv = results_csv_.empty() ? name.starts_with("perf_") && name.ends_with(".csv") &&
                                                !name.ends_with("_env.csv") && !is_engine_csv(name)
                                          : name == results_csv_;
    const bool live = name.ends_with(".run.live.log");
    if (!csv && !live && name != "stdout.out" && name != "stderr.err") return;
    Copies& copies = copies_of(node);
    if (csv) copies.files.model_csvs.emplace_back(path);
    if (live) copies.live_logs.emplace_back(path);
    if (name == "stdout.out") copies.folder_log = path;
    if (name == "stderr.err") copies.folder_error_log = path;
  }

  /// A folder can lack the run tag or the job id that the flat names have. Its text is a copy of
  /// theirs: reading it beside them would count everything twice.
  void merge_untagged() {
    for (Copies& folder : nodes_) {
      const bool partly_named = folder.files.job.empty() || folder.files.run_tag.empty();
      if (!partly_named || has_flat(folder)) continue;
      const std::vector<Copies*> matches = flat_matches(folder);
      if (matches.size() == 1) {
        take_over(*matches.front(), folder);
        folder.files.node_index.clear();
      } else if (!matches.empty()) {
        ignore_logs(folder);
      }
    }
    std::erase_if(nodes_, [](const Copies& copies) { return copies.files.node_index.empty(); });
  }

  static bool has_flat(const Copies& copies) {
    return !copies.flat_log.empty() || !copies.flat_error_log.empty();
  }

  std::vector<Copies*> flat_matches(const Copies& folder) {
    std::vector<Copies*> matches;
    for (Copies& flat : nodes_) {
      const NodeFiles& a = flat.files;
      const NodeFiles& b = folder.files;
      if (has_flat(flat) && a.model == b.model && a.node_index == b.node_index &&
          (b.job.empty() || a.job == b.job) && (b.run_tag.empty() || a.run_tag == b.run_tag)) {
        matches.push_back(&flat);
      }
    }
    return matches;
  }

  void ignore_logs(Copies& copies) {
    for (std::string* path : {&copies.folder_log, &copies.folder_error_log}) {
      ignore(*path);
      path->clear();
    }
    for (const std::string& live : copies.live_logs)
      ignore(live);
    copies.live_logs.clear();
  }

  static void take_over(Copies& to, Copies& from) {
    if (to.folder_log.empty()) to.folder_log = std::move(from.folder_log);
    if (to.folder_error_log.empty()) to.folder_error_log = std::move(from.folder_error_log);
    const auto move_all = [](auto& target, auto& source) {
      target.insert(target.end(), source.begin(), source.end());
    };
    move_all(to.live_logs, from.live_logs);
    move_all(to.files.model_csvs, from.files.model_csvs);
  }

  void ignore(const std::string& path) {
    if (!path.empty()) out_.ignored.push_back(path);
  }

  void choose(Copies& copies) {
    NodeFiles& files = copies.files;
    if (!copies.flat_log.empty()) {
      files.log = copies.flat_log;
      files.log_source = LogSource::flat;
      ignore(copies.folder_log);
    } else if (!copies.folder_log.empty()) {
      files.log = copies.folder_log;
      files.log_source = LogSource::folder;
    } else if (copies.live_logs.size() == 1) {
      files.log = copies.live_logs.front();
      files.log_source = LogSource::live_copy;
      copies.live_logs.clear();
    }
    for (const std::string& live : copies.live_logs)
      ignore(live);
    files.error_log =
        copies.flat_error_log.empty() ? copies.folder_error_log : copies.flat_error_log;
    if (!copies.flat_error_log.empty()) ignore(copies.folder_error_log);
    std::sort(files.model_csvs.begin(), files.model_csvs.end());
    out_.nodes.push_back(std::move(files));
  }
};

}  // namespace

PhaseLayout classify(const std::vector<std::string>& relative_paths, std::string_view results_csv) {
  Classifier classifier(results_csv);
  for (const std::string& path : relative_paths)
    classifier.add(path);
  return classifier.finish();
}

}  // namespace abgate::metrics
