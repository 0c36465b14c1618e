#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abgate::metrics {

/// Which copy of a node's output is read (FORMATS 2: up to three copies of one text).
enum class LogSource {
  none,
  flat,       ///< `slurm_output/madengine-…_node_<N>.out`
  folder,     ///< `slurm_output/<model>/<tag>/node_<N>/stdout.out`
  live_copy,  ///< `…/node_<N>/*.run.live.log`, the container's part alone
};

/// The files of one node of one job; paths are relative to the phase directory, empty when absent.
struct NodeFiles {
  std::string model;       ///< as in the file's or the folder's name
  std::string job;         ///< numeric id; may be empty
  std::string run_tag;     ///< `<time>_<hex>`; may be empty
  std::string node_index;  ///< `0` of `node_0`
  std::string log;
  LogSource log_source = LogSource::none;
  std::string error_log;
  std::vector<std::string> model_csvs;
};

/// What is to be read in a phase directory, and for what.
struct PhaseLayout {
  std::string phase_json;
  std::string exit_code;
  std::string engine_log;  ///< `engine.log`, else `phase.stdout`
  std::string perf_csv;
  std::string entry_super;              ///< `perf_entry_super.json`
  std::vector<NodeFiles> nodes;         ///< by job, run tag and node number
  std::vector<std::string> job_errors;  ///< error streams of whole jobs, `…_<jobid>_0.err`
  std::vector<std::string> jobs;  ///< every job id that left a log or a folder, in numeric order
  /// Copies that are not read, in order: the second copy of a text, and live logs that may have
  /// been left by the phase before (seen with in-place runs, whose phases share one job id).
  std::vector<std::string> ignored;
};

/// Decides what each file of a phase directory is. `results_csv` is the exact name of the
/// per-model CSV; empty: every `perf_*.csv` of a node folder that is none of madengine's own.
/// Files that mean nothing to us are left out. A live log is read only when its node has no other
/// copy and no other live log.
PhaseLayout classify(const std::vector<std::string>& relative_paths,
                     std::string_view results_csv = {});

}  // namespace abgate::metrics
