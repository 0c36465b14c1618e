#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/diagnostic.hpp>
#include <abgate/base/result.hpp>
#include <abgate/model/evidence.hpp>

namespace abgate::metrics {

/// What madengine's terminal output says; ANSI, boxes and 80-column wraps are read through (FORMATS
/// 2). Nothing in it proves success (LESSONS 2): `claimed_success` and `reported_failure` are often
/// both true.
EngineTrace read_engine_log(std::string_view text);

/// Parts of a log's name, `madengine-<model>_<jobid>[_<time>_<hex>]_node_<N>.out`; nothing for
/// other names.
struct LogName {
  std::string model;
  std::string job;      ///< the numeric id
  std::string run_tag;  ///< `_<time>_<hex>` without the first underscore; may be empty
  std::string node_index;
  bool error_stream = false;  ///< `.err`
};
std::optional<LogName> parse_log_name(std::string_view file_name);

/// `.err` lines `[DEBUG] <time> Node N (<host>): madengine exited with code X` and `task script
/// exiting …`.
struct ErrTrace {
  std::string node_index;
  std::string host;
  std::optional<int> engine_exit;
  std::optional<int> task_exit;
  std::vector<Marker> markers;  ///< kill banners, srun errors
};
ErrTrace read_err(std::string_view text, const std::string& file);

/// phase.json, our own proof that a phase ran: `schema_version` 1 and every field of PhaseProof,
/// times in RFC 3339 or null. Errors: bad JSON, an unknown, missing or mistyped key.
Result<PhaseProof, Diagnostics> parse_phase_proof(std::string_view text, const std::string& file);
std::string render_phase_proof(const PhaseProof& proof);

}  // namespace abgate::metrics
