#pragma once

#include <abgate/history/entry.hpp>

namespace abgate::history {

// The one table of what stands in a line, in which order. Writer and readers each bring a `Line`
// with a member function for every shape of a value.

template <class Line, class L>
void each_field(Line& line, L& leg) requires std::same_as<std::remove_const_t<L>, Leg> {
  line.text("precision", leg.precision);
  line.text("metric", leg.metric);
  line.text("unit", leg.unit);
  line.number("max_drop", leg.max_drop);
  line.number("reference", leg.reference);
  line.number("baseline", leg.baseline);
  line.number("candidate", leg.candidate);
  line.number("ratio", leg.ratio);
  line.named("outcome", leg.outcome, parse_leg_outcome);
}

template <class Line, class E>
void each_field(Line& line, E& entry) requires std::same_as<std::remove_const_t<E>, Entry> {
  line.version("schema_version");
  line.id("run_id", entry.run_id);
  line.text("command", entry.command);
  line.instant("started", entry.started);
  line.text("workload", entry.workload);
  line.text("cluster", entry.cluster);
  line.named("verdict", entry.verdict, parse_verdict);
  line.code("exit_code", entry.exit_code);
  line.text("reason", entry.reason);
  line.flag("same_build", entry.same_build);
  line.texts("nodes", entry.nodes);
  line.legs("legs", entry.legs);
}

/// Ids name folders: nothing that leads out of `runs/`, and nothing hidden.
bool is_id(std::string_view id);

}  // namespace abgate::history
