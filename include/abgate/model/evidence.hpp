#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abgate/base/diagnostic.hpp>
#include <abgate/base/time.hpp>
#include <abgate/model/node_facts.hpp>
#include <abgate/model/terms.hpp>

namespace abgate {

/// A place in a file of a phase directory, relative to it; line 0: the file as a whole.
struct Location {
  std::string file;
  std::int64_t line = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

/// `file:line`, or `file`.
std::string format(const Location& location);

/// How a child process ended, in words that survive into the record. One of `exited`, `signaled`,
/// `timed_out`, `interrupted`, `spawn_failed`; `number` is the status, the signal or errno.
struct ProcessEnd {
  std::string kind;
  int number = 0;
  std::string detail;  ///< the stage of a failed spawn, the budget that ended it
  bool succeeded() const { return kind == "exited" && number == 0; }
  friend bool operator==(const ProcessEnd&, const ProcessEnd&) = default;
};

/// What abgate itself wrote about a phase while it ran (`phase.json`): the proof that it ran, where
/// and when.
struct PhaseProof {
  std::string run_id;  ///< of the gate; a phase.json of another run proves nothing
  int index = 0;       ///< 1-based
  Side side = Side::baseline;
  std::optional<time::Instant> started;
  std::optional<time::Instant> ended;
  ProcessEnd end;
  std::string job_id;              ///< empty with the local launcher
  std::vector<std::string> nodes;  ///< host names, as the nodes said
  std::string manifest_sha256;     ///< of what was written, before madengine rewrote it
  std::vector<NodeFacts> before;   ///< the nodes' state when the phase started; may be empty
  std::vector<NodeFacts> after;    ///< and when it had ended
};

/// One row of perf.csv, a per-model CSV or perf_entry_super.json.
struct MetricRow {
  Location where;
  std::string model;
  std::string precision;
  std::string metric;
  std::string performance;      ///< as written
  std::optional<double> value;  ///< finite and positive, or nothing
  std::string status;           ///< `SUCCESS`, `FAILURE`, …; empty in per-model CSVs
  std::string job;              ///< the job id part of `machine_name`; empty when there is none
  std::string image;
  std::optional<std::int64_t> nodes, gpus, gpus_per_node, batch_size, global_batch_size, seq_len;
};

enum class MetricSource { perf_csv, model_csv, series };
std::string_view name(MetricSource source);  ///< `perf.csv`, `per-model CSV`, `series`

/// One `iteration k/N` line (FORMATS 4). A segment that the line lacks is nothing, never 0.
struct Iteration {
  Location where;
  std::int64_t k = 0;
  std::int64_t total = 0;
  std::optional<double> elapsed_ms;
  std::optional<double> tokens;          ///< instantaneous, tok/s/GPU
  std::optional<double> tokens_average;  ///< as printed
  std::optional<double> tflops;
  std::optional<double> tflops_average;
  std::optional<double> loss;  ///< nothing when the segment is absent or not finite
  bool loss_present = false;
  std::optional<double> grad_norm;
  bool grad_norm_present = false;
  std::optional<std::int64_t> skipped;
  std::optional<std::int64_t> nan;
  std::optional<std::int64_t> global_batch_size;
  std::optional<double> peak_hbm_gb;
  std::string shape;  ///< names of the segments' forms, to compare log formats between sides
};

/// The iterations of one leg, in the order in which they were printed, each once.
struct LegSeries {
  std::string model;
  std::string precision;
  std::string node;  ///< host name of the node that printed them, or `node_<N>`
  std::vector<Iteration> iterations;
  std::int64_t duplicates = 0;  ///< the same line printed again
  std::int64_t dropped = 0;     ///< cut or glued lines that were not guessed at
  bool non_monotonic = false;   ///< k went back
  std::optional<std::int64_t> micro_batch_size;
  std::optional<std::int64_t> global_batch_size;
  bool profiler_lines = false;  ///< a profiler announced itself
};

/// One RCCL banner (FORMATS 5).
struct RcclBanner {
  Location where;
  std::string node_index;  ///< `0` of `…_node_0.out`; empty when unknown
  std::string host;        ///< of the line `Hostname`; may be empty
  std::string precision;   ///< the leg that printed it; empty before the first
  std::string version;     ///< the whole text: `2.30.4-develop:e711c9e`
  std::string path;        ///< of the line `Librccl path`; may be empty
};

/// A line `NET/IB : Using …` or `NET/Socket : Using …`.
struct TransportLine {
  Location where;
  std::string node_index;
  std::string precision;
  std::string kind;  ///< `IB`, `Socket` or a plugin's name
};

/// What one node's log said, whatever the leg.
struct NodeTrace {
  std::string index;  ///< `0` of `…_node_0.out`
  std::string host;
  std::string job;                        ///< from the log's name
  std::vector<std::string> legs_started;  ///< precisions of the `Running:` lines, in order
  std::optional<int> engine_exit;         ///< of `.err`: `madengine exited with code X`
  std::optional<int> task_exit;           ///< of `.err`: `task script exiting with code X`
  std::vector<std::string> files;
};

/// A line that explains a failure to a reader; never a verdict by itself (FORMATS 4).
struct Marker {
  Location where;
  std::string kind;  ///< `oom`, `traceback`, `slurm_kill`, `profiler`, …
  std::string text;  ///< printable, at most 200 bytes
  std::string precision;
  std::string node_index;
};

/// What the engine's own terminal output said (engine.log or phase.stdout).
struct EngineTrace {
  bool in_place = false;  ///< `Running inside existing SLURM allocation`
  std::string in_place_job;
  std::vector<std::string> submitted_jobs;  ///< ids of `Submitted SLURM job: N`
  bool claimed_success = false;
  bool reported_failure = false;  ///< `✗ Deployment to … failed`, `Job N failed`, …
  std::string failure_text;
};

/// Everything that one phase directory holds, read but not judged.
struct PhaseEvidence {
  int index = 0;
  Side side = Side::baseline;
  std::string directory;
  std::optional<PhaseProof> proof;
  std::optional<int> engine_exit;  ///< from the proof, or from a file `exit_code`
  EngineTrace engine;
  std::vector<MetricRow> perf_csv;
  std::vector<MetricRow> super_rows;  ///< of perf_entry_super.json; compared, never scored
  std::vector<MetricRow> model_csv;   ///< of all node folders, one copy of identical rows a node
  std::string perf_csv_sha256;        ///< empty: there is none
  std::vector<LegSeries> series;
  std::vector<RcclBanner> banners;
  std::vector<TransportLine> transports;
  std::vector<NodeTrace> nodes;
  std::vector<Marker> markers;
  Diagnostics problems;  ///< files that could not be read or parsed
};

}  // namespace abgate
