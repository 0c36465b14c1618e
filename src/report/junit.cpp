#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/report/format.hpp>
#include <abgate/report/junit.hpp>
#include <abgate/report/repeat.hpp>

#include "escape.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

enum class Result { passed, failed, error };

struct Case {
  std::string name;
  Result result = Result::passed;
  std::string type;     ///< of the failure or error
  std::string message;  ///< one line
  std::string details;
};

std::string short_xml(const std::string& text) {
  return xml_text(shortened(text));
}

/// The reasons that concern a leg; all decisive ones for the whole gate.
std::vector<Reason> reasons_about(const GateRecord& record, const std::string& precision) {
  std::vector<Reason> reasons = reasons_of(record, false);
  std::erase_if(reasons, [&](const Reason& reason) {
    return !precision.empty() && !reason.precision.empty() && reason.precision != precision;
  });
  return reasons;
}

std::string details_of(const std::vector<Reason>& reasons) {
  std::string out;
  for (const Reason& reason : reasons) {
    out += fmt::format("{}{} [{}]\n", shortened(reason.message), shortened(scope(reason)),
                       shortened(reason.code));
    for (const Location& place : reason.evidence)
      out += fmt::format("  at {}\n", shortened(format(place)));
  }
  return out;
}

Case failing(const GateRecord& record, std::string name, Result result,
             const std::string& precision, std::string_view fallback) {
  const std::vector<Reason> reasons = reasons_about(record, precision);
  Case out{std::move(name), result, std::string(fallback), std::string(fallback), ""};
  if (!reasons.empty()) {
    out.type = reasons.front().code;
    out.message = reasons.front().message + scope(reasons.front());
  }
  out.details = details_of(reasons);
  return out;
}

Case case_of(const GateRecord& record, const LegResult& leg) {
  switch (leg.outcome) {
    case LegOutcome::pass:
      return {leg.precision, Result::passed, "", "", ""};
    case LegOutcome::regression: {
      const LegText shown = leg_text(leg);
      Case out = failing(record, leg.precision, Result::failed, leg.precision, "regression");
      out.type = "regression";
      out.message =
          fmt::format("ratio {} ({}), limit {}, baseline {}, candidate {} {}", shown.ratio,
                      shown.change, shown.limit, shown.baseline, shown.candidate, leg.unit);
      return out;
    }
    case LegOutcome::untrusted:
    case LegOutcome::missing:
      break;
  }
  return failing(record, leg.precision, Result::error, leg.precision, name(leg.outcome));
}

/// Legs that were expected and that nothing is known of.
std::vector<std::string> unknown_legs(const GateRecord& record) {
  std::vector<std::string> out;
  const Json* expected = record.config.at({"workload", "precisions"});
  if (expected == nullptr || !record.legs.empty()) return out;
  for (const Json& precision : expected->items())
    out.push_back(precision.as_string());
  return out;
}

std::vector<Case> cases_of(const GateRecord& record) {
  std::vector<Case> cases;
  for (const LegResult& leg : record.legs)
    cases.push_back(case_of(record, leg));
  for (const std::string& precision : unknown_legs(record))
    cases.push_back(failing(record, precision, Result::error, precision, "not measured"));
  const bool all_passed = std::all_of(
      cases.begin(), cases.end(), [](const Case& test) { return test.result == Result::passed; });
  // A gate without a PASS must never read as all green.
  if (all_passed && (record.verdict != Verdict::pass || cases.empty())) {
    cases.push_back(failing(record, "gate", Result::error, "", title(record.verdict)));
  }
  return cases;
}

std::string seconds_text(const GateRecord& record) {
  if (!record.started || !record.finished || *record.finished < *record.started) return "0.000";
  const std::chrono::duration<double> taken = *record.finished - *record.started;
  return number::fixed(taken.count(), 3);
}

std::string case_xml(const Case& test, const std::string& classname) {
  std::string out = fmt::format(R"(    <testcase name="{}" classname="{}")", short_xml(test.name),
                                short_xml(classname));
  if (test.result == Result::passed) return out + "/>\n";
  const std::string_view element = test.result == Result::failed ? "failure" : "error";
  return out + fmt::format(
                   ">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    "
                   "</testcase>\n",
                   element, short_xml(test.type), short_xml(test.message),
                   xml_lines(shortened(test.details, 20'000)));
}

std::string property(std::string_view name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", xml_text(name),
                     short_xml(value));
}

std::string properties(const GateRecord& record) {
  std::string out = property("run_id", record.run_id) +
                    property("verdict", std::string(title(record.verdict))) +
                    property("exit_code", std::to_string(record.exit_code)) +
                    property("nodes", text::join(nodes_of(record), " "));
  for (const LegResult& leg : record.legs) {
    if (leg.ratio) out += property("ratio " + leg.precision, number::shortest(*leg.ratio));
  }
  return "    <properties>\n" + out + "    </properties>\n";
}

}  // namespace

std::string render_junit(const GateRecord& record) {
  const std::vector<Case> cases = cases_of(record);
  const auto count = [&](Result result) {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const Case& test) { return test.result == result; });
  };
  std::string workload = config_text(record, {"workload", "name"});
  if (workload.empty()) workload = "gate";
  const std::string counts = fmt::format(R"(tests="{}" failures="{}" errors="{}")", cases.size(),
                                         count(Result::failed), count(Result::error));
  const std::string time = seconds_text(record);
  std::string timestamp;
  if (record.started) {
    constexpr std::size_t to_the_second = 19;
    timestamp = fmt::format(" timestamp=\"{}\"",
                            time::to_rfc3339(*record.started).substr(0, to_the_second));
  }
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"abgate\" {0} time=\"{1}\">\n"
      "  <testsuite name=\"{2}\" {0} skipped=\"0\" time=\"{1}\"{3}>\n",
      counts, time, short_xml(workload), timestamp);
  out += properties(record);
  for (const Case& test : cases)
    out += case_xml(test, "abgate." + workload);
  return out + fmt::format("    <system-out>{}</system-out>\n  </testsuite>\n</testsuites>\n",
                           xml_lines("Repeat:\n" + repeat_lines(record, 2)));
}

}  // namespace abgate::report
