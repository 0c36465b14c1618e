#include "field.hpp"

namespace abgate::config {

// The effective configuration, which we write and read back ourselves: no shapes, since every text
// was checked where it came from.

template <>
const std::vector<Field<SideConfig>>& fields_of<SideConfig>() {
  static const std::vector<Field<SideConfig>> fields{
      {"image", &SideConfig::image, {.required = true}, "Image of the side."},
      {"local_image", &SideConfig::local_image, {}, "The image is only on this host."},
      {"env", &SideConfig::env, {}, "Variables of this side only."},
      {"library", &SideConfig::library, {}, "The RCCL that is mounted over the image's."},
      {"library_mounts", &SideConfig::library_mounts, {}, "Mounts that follow from the library."},
  };
  return fields;
}

template <>
const std::vector<Field<Budgets>>& fields_of<Budgets>() {
  static const std::vector<Field<Budgets>> fields{
      {"queue", &Budgets::queue, {.required = true}, "From submission to grant."},
      {"run", &Budgets::run, {.required = true}, "From the grant on."},
      {"phase", &Budgets::phase, {.required = true}, "Of one phase."},
      {"progress", &Budgets::progress, {.required = true}, "Between two signs of life of a phase."},
  };
  return fields;
}

template <>
const std::vector<Field<GateConfig>>& fields_of<GateConfig>() {
  static const std::vector<Field<GateConfig>> fields{
      {"workload", &GateConfig::workload, {.required = true}, "What is trained."},
      {"cluster", &GateConfig::cluster, {.required = true}, "Where."},
      {"baseline", &GateConfig::baseline, {.required = true}, "The side that is trusted."},
      {"candidate", &GateConfig::candidate, {.required = true}, "The side that is judged."},
      {"candidate_rccl", &GateConfig::candidate_rccl, {}, "The build that must be seen."},
      {"same_build", &GateConfig::same_build, {}, "Both sides are meant to be one build."},
      {"nodes",
       &GateConfig::nodes,
       {.required = true, .range = at_least(1)},
       "Nodes of the allocation."},
      {"order",
       &GateConfig::order,
       {.required = true, .choices = {"ab", "ba", "aba", "abba"}},
       "Order of the phases."},
      {"max_drop",
       &GateConfig::max_drop,
       {.required = true, .range = drop_range()},
       "By precision."},
      {"launcher",
       &GateConfig::launcher,
       {.required = true, .choices = {"slurm", "local"}},
       "How phases get their nodes."},
      {"engine", &GateConfig::engine, {.required = true}, "The program that runs a phase."},
      {"scripts_dir", &GateConfig::scripts_dir, {}, "The scripts of a MAD checkout."},
      {"nodelist", &GateConfig::nodelist, {}, "Nodes to be used."},
      {"exclude", &GateConfig::exclude, {}, "Nodes not to be used."},
      {"use_allocation", &GateConfig::use_allocation, {}, "Run inside an allocation that exists."},
      {"advisory", &GateConfig::advisory, {}, "Exit with 0 also for 1 and 3."},
      {"allow_log_metric", &GateConfig::allow_log_metric, {}, "Score from the series if need be."},
      {"keep_raw_logs", &GateConfig::keep_raw_logs, {}, "Leave the logs as the engine wrote them."},
      {"max_log_size",
       &GateConfig::max_log_size,
       {.range = at_least(0)},
       "Bytes of logs that the gate may leave; 0: any."},
      {"work_dir", &GateConfig::work_dir, {}, "Where the gate writes."},
      {"results_dir", &GateConfig::results_dir, {}, "Where the history is kept."},
      {"budgets", &GateConfig::budgets, {.required = true}, "Time budgets."},
      {"origins", &GateConfig::origins, {.required = true}, "Where each value came from."},
  };
  return fields;
}

}  // namespace abgate::config
