#include <abgate/report/record_json.hpp>

namespace abgate::report {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::string& value) {
  return value.empty() ? Json(nullptr) : Json(value);
}

Json or_null(const std::optional<time::Instant>& instant) {
  return instant ? Json(time::to_rfc3339(*instant)) : Json(nullptr);
}

template <class T>
Json name_or_null(const std::optional<T>& value) {
  return value ? Json(name(*value)) : Json(nullptr);
}

template <class T, class F>
Json array_of(const std::vector<T>& values, F&& make) {
  Json out = Json::array();
  for (const T& value : values)
    out.push_back(make(value));
  return out;
}

Json location_json(const Location& location) {
  return Json::object({{"file", location.file}, {"line", location.line}});
}

Json reason_json(const Reason& reason) {
  return Json::object({{"code", reason.code},
                       {"message", reason.message},
                       {"side", name_or_null(reason.side)},
                       {"phase", or_null(reason.phase)},
                       {"precision", or_null(reason.precision)},
                       {"node", or_null(reason.node)},
                       {"weight", name(reason.weight)},
                       {"evidence", array_of(reason.evidence, location_json)}});
}

Json point_json(const SeriesPoint& point) {
  return Json::object({{"iteration", point.iteration},
                       {"throughput", or_null(point.throughput)},
                       {"use", name(point.use)}});
}

Json phase_value_json(const PhaseValue& value) {
  return Json::object({{"phase", value.phase},
                       {"side", name(value.side)},
                       {"value", or_null(value.value)},
                       {"harmonic_mean", or_null(value.harmonic_mean)},
                       {"median", or_null(value.median)},
                       {"spread", or_null(value.spread)},
                       {"drift", or_null(value.drift)},
                       {"peak_hbm_gb", or_null(value.peak_hbm_gb)},
                       {"last_loss", or_null(value.last_loss)},
                       {"measured_iterations", value.measured_iterations},
                       {"autocorrelation", or_null(value.autocorrelation)},
                       {"series", array_of(value.series, point_json)}});
}

Json leg_json(const LegResult& leg) {
  return Json::object({{"precision", leg.precision},
                       {"metric", leg.metric},
                       {"unit", leg.unit},
                       {"baseline", or_null(leg.baseline)},
                       {"candidate", or_null(leg.candidate)},
                       {"ratio", or_null(leg.ratio)},
                       {"median_ratio", or_null(leg.median_ratio)},
                       {"harmonic_ratio", or_null(leg.harmonic_ratio)},
                       {"max_drop", leg.max_drop},
                       {"outcome", name(leg.outcome)},
                       {"phases", array_of(leg.phases, phase_value_json)}});
}

Json exit_json(const std::optional<ProcessEnd>& end) {
  if (!end) return nullptr;
  return Json::object(
      {{"kind", end->kind}, {"number", end->number}, {"detail", or_null(end->detail)}});
}

Json logs_json(const std::optional<LogSpace>& logs) {
  if (!logs) return nullptr;
  return Json::object({{"bytes_before", logs->bytes_before},
                       {"bytes_after", logs->bytes_after},
                       {"lines_folded", logs->lines_folded},
                       {"copies", Json::strings(logs->copies)},
                       {"removed", Json::strings(logs->removed)},
                       {"problems", Json::strings(logs->problems)}});
}

Json phase_json(const PhaseRecord& phase) {
  return Json::object({{"index", phase.index},
                       {"side", name(phase.side)},
                       {"state", phase.state},
                       {"start", or_null(phase.start)},
                       {"end", or_null(phase.end)},
                       {"exit", exit_json(phase.exit)},
                       {"nodes", Json::strings(phase.nodes)},
                       {"directory", phase.directory},
                       {"manifest_sha256", or_null(phase.manifest_sha256)},
                       {"proof", or_null(phase.proof)},
                       {"nodes_before", abgate::to_json(phase.nodes_before)},
                       {"nodes_after", abgate::to_json(phase.nodes_after)},
                       {"logs", logs_json(phase.logs)}});
}

Json allocation_json(const std::optional<AllocationRecord>& allocation) {
  if (!allocation) return nullptr;
  return Json::object({{"job_id", or_null(allocation->job_id)},
                       {"nodes", Json::strings(allocation->nodes)},
                       {"submitted", or_null(allocation->submitted)},
                       {"granted", or_null(allocation->granted)},
                       {"ended", or_null(allocation->ended)},
                       {"foreign", allocation->foreign},
                       {"messages", Json::strings(allocation->messages)},
                       {"scrubbed", Json::strings(allocation->scrubbed)}});
}

Json attempt_json(const AttemptRecord& attempt) {
  return Json::object({{"run_id", attempt.run_id},
                       {"directory", attempt.directory},
                       {"job_id", or_null(attempt.job_id)},
                       {"step", attempt.step},
                       {"signal", or_null(attempt.signal)}});
}

}  // namespace

Json to_json(const GateRecord& record) {
  return Json::object(
      {{"schema_version", schema_version},
       {"tool", Json::object({{"name", "abgate"}, {"version", record.tool_version}})},
       {"run_id", record.run_id},
       {"command", record.command},
       {"step", record.step},
       {"verdict", name(record.verdict)},
       {"exit_code", record.exit_code},
       {"advisory", record.advisory},
       {"signal", or_null(record.signal)},
       {"started", or_null(record.started)},
       {"finished", or_null(record.finished)},
       {"order", name(record.order)},
       {"source", name_or_null(record.source)},
       {"reasons", array_of(record.reasons, reason_json)},
       {"legs", array_of(record.legs, leg_json)},
       {"phases", array_of(record.phases, phase_json)},
       {"allocation", allocation_json(record.allocation)},
       {"attempts", array_of(record.attempts, attempt_json)},
       {"config", record.config}});
}

std::string render_json(const GateRecord& record) {
  return to_json(record).dump();
}

}  // namespace abgate::report
