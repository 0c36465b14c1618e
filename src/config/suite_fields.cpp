#include "field.hpp"

namespace abgate::config {

template <>
const std::vector<Field<SuiteGate>>& fields_of<SuiteGate>() {
  static const std::vector<Field<SuiteGate>> fields{
      {"name",
       &SuiteGate::name,
       {.required = true, .shape = &shapes::name},
       "Names the gate's folder within the suite's."},
      {"workload",
       &SuiteGate::workload,
       {.required = true, .shape = &shapes::reference},
       "Name or file of a workload."},
      {"cluster",
       &SuiteGate::cluster,
       {.required = true, .shape = &shapes::reference},
       "Name or file of a cluster."},
      {"arguments",
       &SuiteGate::arguments,
       {.shape = &shapes::free_text},
       "Further arguments of `abgate run`, one an item."},
  };
  return fields;
}

template <>
const std::vector<Field<Suite>>& fields_of<Suite>() {
  static const std::vector<Field<Suite>> fields{
      {"name",
       &Suite::name,
       {.required = true, .shape = &shapes::name},
       "The name of the suite; `abgate configs suites` lists it."},
      {"description", &Suite::description, {.shape = &shapes::free_text}, "For people."},
      {"gates",
       &Suite::gates,
       {.required = true, .filled = true},
       "Gates that run one after another, none stopping the next."},
  };
  return fields;
}

}  // namespace abgate::config
