#include "load.hpp"

#include <random>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/report/repeat.hpp>

#include "candidate_library.hpp"
#include "config_files.hpp"
#include "output.hpp"
#include "publish.hpp"

namespace abgate::cli {
namespace {

template <class T>
std::optional<config::Parsed<T>> load(const std::optional<std::string>& path,
                                      config::Parsed<T> (*parse)(std::string_view,
                                                                 const std::string&)) {
  if (!path) return {};
  const auto text = io::read_file(*path);
  if (!text) {
    print_err(io::format(text.error()) + "\n");
    return {};
  }
  return parse(*text, *path);
}

std::optional<std::string> locate(ConfigFiles::Kind kind, const std::string& name,
                                  const Arguments& arguments, const World& world) {
  const auto path = ConfigFiles(arguments.config_dirs, world.self).find(kind, name);
  if (path) return *path;
  print_err(path.error() + "\n");
  return {};
}

void make_absolute(std::optional<std::string>& path) {
  if (path && !path->empty()) path = io::absolute(*path);
}

/// The phases run with other working directories: what the user named relative to this one must
/// stay true.
config::Options with_absolute_paths(config::Options options, const std::string& run_id) {
  if (!options.work_dir) options.work_dir = "abgate-" + run_id;
  make_absolute(options.work_dir);
  make_absolute(options.results_dir);
  make_absolute(options.scripts_dir);
  make_absolute(options.candidate_library);
  if (options.engine && options.engine->find('/') != std::string::npos) {
    make_absolute(options.engine);
  }
  return options;
}

/// Names of the files of a candidate library: resolving does no I/O.
std::vector<std::string> library_files(const std::string& library) {
  if (!io::is_directory(library)) {
    return {library.substr(library.find_last_of('/') + 1)};
  }
  std::vector<std::string> files;
  const auto entries = io::list_tree(library);
  if (!entries) return files;
  for (const io::Entry& entry : *entries) {
    if (!entry.directory) files.push_back(entry.path);
  }
  return files;
}

/// The number that a variable holds; ids name folders, so nothing else gets into one.
std::optional<std::int64_t> digits_of(const Environment& environment, std::string_view key) {
  const std::string* value = find_variable(environment, key);
  if (value == nullptr) return {};
  const auto number = number::parse_integer(*value);
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace

std::optional<config::Parsed<Workload>> load_workload(const Arguments& arguments,
                                                      const World& world) {
  return load(locate(ConfigFiles::Kind::workloads, arguments.workload, arguments, world),
              config::parse_workload);
}

std::optional<config::Parsed<Cluster>> load_cluster(const Arguments& arguments,
                                                    const World& world) {
  return load(locate(ConfigFiles::Kind::clusters, arguments.cluster, arguments, world),
              config::parse_cluster);
}

namespace {

/// The gate of --from: its record's configuration, on the nodes that it ran on unless others are
/// named.
std::optional<GateConfig> load_repeated(const Arguments& arguments, const std::string& run_id) {
  const auto record = load_record(arguments.from);
  if (!record) return {};
  const std::string path = record_path_of(arguments.from);
  if (record->command != "run") {
    print_err(
        fmt::format("--from: {} was made by `{}`, which ran nothing that could be repeated; "
                    "its report shows the command\n",
                    text::printable(path), text::printable(record->command)));
    return {};
  }
  config::Options options = with_absolute_paths(arguments.options, run_id);
  const auto same = config::from_json(record->config, path);
  if (same && !options.nodelist && same->launcher == Launcher::slurm && !same->use_allocation) {
    const auto nodes = report::nodes_of(*record);
    if (!nodes.empty()) options.nodelist = text::join(nodes, ",");
  }
  auto repeated = config::repeat(record->config, path, options);
  print_diagnostics(repeated.diagnostics);
  if (!repeated.value) return {};
  if (const auto problem = pin_candidate_library(*repeated.value)) {
    print_err(*problem + "\n");
    return {};
  }
  return std::move(repeated.value);
}

}  // namespace

std::optional<GateConfig> load_gate(const Arguments& arguments, const World& world,
                                    const std::string& run_id) {
  if (!arguments.from.empty()) return load_repeated(arguments, run_id);
  const auto workload = load_workload(arguments, world);
  const auto cluster = load_cluster(arguments, world);
  if (!workload || !cluster) return {};
  config::Options options = with_absolute_paths(arguments.options, run_id);
  if (options.candidate_library) {
    if (!io::exists(*options.candidate_library)) {
      print_err(fmt::format("--candidate-library: {} does not exist\n",
                            text::printable(*options.candidate_library)));
      return {};
    }
    options.candidate_library_files = library_files(*options.candidate_library);
  }
  auto resolved = config::resolve(*workload, *cluster, options);
  print_diagnostics(resolved.diagnostics);
  if (!resolved.value) return {};
  if (const auto problem = pin_candidate_library(*resolved.value)) {
    print_err(*problem + "\n");
    return {};
  }
  return std::move(resolved.value);
}

std::string make_run_id(time::Instant now, const Environment& environment) {
  std::string stamp = time::to_rfc3339(now).substr(0, 19);
  stamp = text::replace_all(text::replace_all(stamp, "-", ""), ":", "");
  stamp = text::replace_all(stamp, "T", "-");
  std::random_device random;
  std::string id = fmt::format("{}-{:06x}", stamp, random() & 0xFFFFFFU);
  const auto run = digits_of(environment, "GITHUB_RUN_ID");
  const auto attempt = digits_of(environment, "GITHUB_RUN_ATTEMPT");
  if (run && attempt) id += fmt::format("-r{}-a{}", *run, *attempt);
  return id;
}

}  // namespace abgate::cli
