#include <abgate/base/hash.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/metrics/layout.hpp>
#include <abgate/metrics/log_scanner.hpp>
#include <abgate/metrics/rows.hpp>
#include <abgate/metrics/traces.hpp>
#include <abgate/runner/score.hpp>

#include "engine_trace.hpp"

namespace abgate::runner {
namespace {

/// Reads the files of one phase directory into evidence; what cannot be read becomes a problem.
class Gatherer {
 public:
  Gatherer(ArtifactStore& store, const std::string& directory, PhaseEvidence& evidence)
      : store_(store), directory_(directory), evidence_(evidence) {}

  void gather(const std::string& results_csv) {
    const auto files = store_.list_files(directory_);
    if (!files) {
      problem("", files.error());
      return;
    }
    const metrics::PhaseLayout layout = metrics::classify(*files, results_csv);
    read_proof(layout.phase_json);
    read_exit_code(layout.exit_code);
    read_engine_log(layout.engine_log);
    read_perf_csv(layout.perf_csv);
    read_entry_super(layout.entry_super);
    for (const metrics::NodeFiles& node : layout.nodes)
      read_node(node);
    for (const std::string& file : layout.job_errors) {
      if (const auto text = text_of(file)) {
        move_into(metrics::read_err(*text, file).markers, evidence_.markers);
      }
    }
    for (const std::string& copy : layout.ignored)
      read_second_errors(copy);
  }

 private:
  void problem(const std::string& file, std::string message) {
    evidence_.problems.push_back({Severity::error, file, {}, "", std::move(message), ""});
  }

  std::optional<std::string> text_of(const std::string& file) {
    if (file.empty()) return {};
    auto text = store_.read(directory_ + "/" + file);
    if (text) return std::move(*text);
    problem(file, text.error());
    return {};
  }

  void take_rows(metrics::Rows rows, std::vector<MetricRow>& into) {
    append(evidence_.problems, std::move(rows.diagnostics));
    for (MetricRow& row : rows.rows)
      into.push_back(std::move(row));
  }

  void read_proof(const std::string& file) {
    const auto text = text_of(file);
    if (!text) return;
    auto proof = metrics::parse_phase_proof(*text, file);
    if (!proof) {
      append(evidence_.problems, proof.error());
      return;
    }
    if (proof->end.kind == "exited") evidence_.engine_exit = proof->end.number;
    evidence_.proof = std::move(*proof);
  }

  /// Left by whoever ran madengine elsewhere (the fixtures' form): one number.
  void read_exit_code(const std::string& file) {
    const auto text = text_of(file);
    if (!text) return;
    const auto code = number::parse_integer(text::trim(*text));
    if (code && *code >= 0 && *code <= 255) {
      take_worse(static_cast<int>(*code), evidence_.engine_exit);
    } else {
      problem(file, "holds no exit code");
    }
  }

  void read_engine_log(const std::string& file) {
    if (file.empty()) return;
    auto trace = read_engine_trace(store_, directory_ + "/" + file);
    if (trace) {
      evidence_.engine = std::move(*trace);
    } else {
      problem(file, trace.error());
    }
  }

  void read_perf_csv(const std::string& file) {
    const auto text = text_of(file);
    if (!text) return;
    evidence_.perf_csv_sha256 = hash::sha256(*text);
    take_rows(metrics::read_perf_csv(*text, file), evidence_.perf_csv);
  }

  void read_entry_super(const std::string& file) {
    if (const auto text = text_of(file)) {
      take_rows(metrics::read_entry_super(*text, file), evidence_.super_rows);
    }
  }

  void read_node(const metrics::NodeFiles& files) {
    NodeTrace trace;
    trace.index = files.node_index;
    trace.job = files.job;
    if (!files.log.empty()) read_log(files, trace);
    if (!files.error_log.empty()) read_errors(files.error_log, trace);
    for (const std::string& csv : files.model_csvs) {
      if (const auto text = text_of(csv)) {
        take_rows(metrics::read_model_csv(*text, csv, files.job), evidence_.model_csv);
        trace.files.push_back(csv);
      }
    }
    evidence_.nodes.push_back(std::move(trace));
  }

  void read_log(const metrics::NodeFiles& files, NodeTrace& trace) {
    metrics::LogScanner scanner(files.log, files.node_index);
    const auto read = store_.read_blocks(directory_ + "/" + files.log,
                                         [&](std::string_view block) { scanner.feed(block); });
    if (!read) {
      problem(files.log, read.error());
      return;
    }
    metrics::LogFindings found = scanner.finish();
    trace.files.push_back(files.log);
    trace.host = found.host;
    trace.legs_started = std::move(found.legs_started);
    move_into(std::move(found.series), evidence_.series);
    move_into(std::move(found.banners), evidence_.banners);
    move_into(std::move(found.transports), evidence_.transports);
    move_into(std::move(found.markers), evidence_.markers);
  }

  void read_errors(const std::string& file, NodeTrace& trace) {
    const auto text = text_of(file);
    if (!text) return;
    metrics::ErrTrace errors = metrics::read_err(*text, file);
    trace.files.push_back(file);
    if (trace.host.empty()) trace.host = errors.host;
    trace.engine_exit = errors.engine_exit;
    trace.task_exit = errors.task_exit;
    move_into(std::move(errors.markers), evidence_.markers);
  }

  /// Where two copies of a node's error stream differ, the worse exit counts: half a copy hides it.
  void read_second_errors(const std::string& file) {
    if (!file.ends_with(".err")) return;
    const auto text = text_of(file);
    if (!text) return;
    const metrics::ErrTrace errors = metrics::read_err(*text, file);
    for (NodeTrace& trace : evidence_.nodes) {
      if (trace.index != errors.node_index) continue;
      take_worse(errors.engine_exit, trace.engine_exit);
      take_worse(errors.task_exit, trace.task_exit);
      trace.files.push_back(file);
    }
  }

  static void take_worse(const std::optional<int>& seen, std::optional<int>& kept) {
    if (seen && (!kept || *kept == 0)) kept = seen;
  }

  template <class T>
  static void move_into(std::vector<T>&& from, std::vector<T>& to) {
    for (T& item : from)
      to.push_back(std::move(item));
  }

  ArtifactStore& store_;
  const std::string& directory_;
  PhaseEvidence& evidence_;
};

}  // namespace

PhaseEvidence gather(ArtifactStore& store, const std::string& directory, int index, Side side,
                     const Workload& workload) {
  PhaseEvidence evidence;
  evidence.index = index;
  evidence.side = side;
  evidence.directory = directory;
  Gatherer(store, directory, evidence).gather(workload.results_csv);
  return evidence;
}

}  // namespace abgate::runner
