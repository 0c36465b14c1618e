#include "field.hpp"

namespace abgate::config {

template <>
const std::vector<Field<Mount>>& fields_of<Mount>() {
  static const std::vector<Field<Mount>> fields{
      {"container",
       &Mount::container,
       {.required = true, .shape = &shapes::absolute_path},
       "Where the container sees it."},
      {"host",
       &Mount::host,
       {.required = true, .shape = &shapes::absolute_path},
       "Where it lies on every node."},
      {"read_only", &Mount::read_only, {}, "The container cannot write to it; false if left out."},
  };
  return fields;
}

template <>
const std::vector<Field<LogKind>>& fields_of<LogKind>() {
  static const std::vector<Field<LogKind>> fields{
      {"name",
       &LogKind::name,
       {.required = true, .shape = &shapes::name},
       "What the line that replaces a run of them calls it."},
      {"pattern",
       &LogKind::pattern,
       {.required = true, .shape = &shapes::log_pattern},
       "The whole line, with placeholders: docs/condense.md."},
  };
  return fields;
}

template <>
const std::vector<Field<ReferenceValue>>& fields_of<ReferenceValue>() {
  static const std::vector<Field<ReferenceValue>> fields{
      {"precision",
       &ReferenceValue::precision,
       {.required = true, .shape = &shapes::precision},
       "One of the workload's precisions."},
      {"nodes",
       &ReferenceValue::nodes,
       {.required = true, .range = at_least(1)},
       "Nodes with which it was measured."},
      {"value",
       &ReferenceValue::value,
       {.required = true, .range = above(0)},
       "In the workload's metric and unit."},
  };
  return fields;
}

template <>
const std::vector<Field<Workload>>& fields_of<Workload>() {
  static const std::vector<Field<Workload>> fields{
      {"name",
       &Workload::name,
       {.required = true, .shape = &shapes::name},
       "How --workload names it; also names folders and the series in the history."},
      {"description", &Workload::description, {.shape = &shapes::free_text}, "For people."},
      {"kind",
       &Workload::kind,
       {.required = true, .choices = {"training", "inference"}},
       "What is measured."},
      {"model",
       &Workload::model,
       {.required = true, .shape = &shapes::model},
       "The model as the log line `Running: <Model> - BF16 - pretrain` and the results CSV name "
       "it."},
      {"model_card",
       &Workload::model_card,
       {.required = true, .shape = &shapes::card},
       "madengine's model name; names its folders and logs. Always the base card."},
      {"args",
       &Workload::args,
       {.required = true, .shape = &shapes::arguments},
       "Arguments of the run script; `--model_repo <model_card>` must be among them."},
      {"scripts",
       &Workload::scripts,
       {.required = true, .shape = &shapes::relative_path},
       "The run script, relative to a MAD checkout."},
      {"tags",
       &Workload::tags,
       {.shape = &shapes::tag, .distinct = true},
       "The card's tags, copied into the manifest."},
      {"results_csv",
       &Workload::results_csv,
       {.required = true, .shape = &shapes::results_csv},
       "Exact name of the per-model CSV (`multiple_results` of the manifest)."},
      {"metric",
       &Workload::metric,
       {.required = true, .shape = &shapes::metric},
       "The row of the results that is scored, by its column `metric`."},
      {"unit", &Workload::unit, {.required = true, .shape = &shapes::unit}, "Unit of the metric."},
      {"precisions",
       &Workload::precisions,
       {.required = true, .shape = &shapes::precision, .filled = true, .distinct = true},
       "The legs that must be measured on both sides, in the order in which they run."},
      {"requested_iterations",
       &Workload::requested_iterations,
       {.required = true, .range = between(1, 1000000)},
       "N of the last line `iteration N/N`; another N is no verdict."},
      {"warmup_iterations",
       &Workload::warmup_iterations,
       {.required = true, .range = between(2, 1000000)},
       "Printed iterations that are not measured: at least 2, because the first one's time can "
       "leak "
       "into the next line."},
      {"max_drop",
       &Workload::max_drop,
       {.required = true, .range = drop_range()},
       "Fraction by which the candidate may be slower: 0.02 allows a ratio down to 0.98."},
      {"validated_nodes",
       &Workload::validated_nodes,
       {.required = true, .range = between(1, 4096), .filled = true, .distinct = true},
       "Node counts at which the workload is known to run; the first is the default."},
      {"gpus_per_node",
       &Workload::gpus_per_node,
       {.required = true, .range = between(1, 64)},
       "GPUs that each node contributes."},
      {"time_limit",
       &Workload::time_limit,
       {.required = true, .shape = &shapes::duration},
       "Of the allocation: 04:00:00 or 4h."},
      {"engine_timeout",
       &Workload::engine_timeout,
       {.required = true, .range = between(1, 2592000), .plain_seconds = true},
       "Seconds after which madengine ends the container (`timeout` of the manifest). Always "
       "positive: null means 7200 to madengine, 0 and -1 differ between its versions."},
      {"evidence",
       &Workload::evidence,
       {.choices = {"required", "optional"}},
       "required (also if left out): without a per-iteration series there is no verdict. optional: "
       "the report says what was not checked."},
      {"accept_engine_exit",
       &Workload::accept_engine_exit,
       {},
       "Let a non-zero exit status of the engine pass when all its results are complete; logged in "
       "the record. False if left out."},
      {"env", &Workload::env, {}, "Environment of the container; wins over the cluster's."},
      {"mounts", &Workload::mounts, {}, "Host paths that the container sees."},
      {"docker_options",
       &Workload::docker_options,
       {.shape = &shapes::docker_option},
       "Further words for `docker run`, one an item."},
      {"baseline_image",
       &Workload::baseline_image,
       {.required = true, .shape = &shapes::image},
       "Image of both sides unless an option names another."},
      {"reference_values",
       &Workload::reference_values,
       {},
       "Values measured elsewhere, shown beside a leg; never a verdict."},
      {"log_kinds",
       &Workload::log_kinds,
       {},
       "Lines that come again and again, folded after each phase beside those that ship."},
  };
  return fields;
}

}  // namespace abgate::config
