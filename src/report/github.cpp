#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <abgate/base/hash.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/report/format.hpp>
#include <abgate/report/github.hpp>

#include "escape.hpp"
#include "view.hpp"

namespace abgate::report {
namespace {

constexpr std::size_t most_of_a_kind = 10;

std::string annotation(std::string_view kind, std::string_view title, std::string_view message) {
  constexpr std::size_t longest = 3000;  // characters that become three bytes still fit into 4096
  constexpr std::size_t longest_title = 200;
  return fmt::format("::{} title={}::{}\n", kind, github_property(shortened(title, longest_title)),
                     github_data(shortened(message, longest)));
}

std::string_view kind_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "notice";
    case Verdict::regression:
    case Verdict::no_verdict:
      return "error";
    case Verdict::infra:
      return "warning";
  }
  return "error";
}

std::string summary_of(const GateRecord& record) {
  std::vector<std::string> parts;
  for (const LegResult& leg : record.legs) {
    const LegText shown = leg_text(leg);
    parts.push_back(fmt::format("{} ratio {} ({}), limit {}", leg.precision, shown.ratio,
                                shown.change, shown.limit));
  }
  for (const std::string& alert : alerts(record))
    parts.push_back(alert);
  if (parts.empty()) parts.push_back(subject(record));
  return text::join(parts, "\n");
}

/// `name=value`, or a here-document whose delimiter holds the hash of the value: no text can hold
/// its own.
std::string output(std::string_view name, const std::string& value) {
  if (value.find_first_of("\r\n") == std::string::npos) return fmt::format("{}={}\n", name, value);
  return fmt::format("{0}<<abgate_{1}\n{2}\nabgate_{1}\n", name, hash::sha256(value), value);
}

std::string output_name(const std::string& precision) {
  std::string name = "ratio_";
  constexpr std::size_t longest = 64;
  for (const char c : text::to_lower(precision.substr(0, longest))) {
    const bool kept = (c >= 'a' && c <= 'z') || text::is_digit(c);
    name += kept ? c : '_';
  }
  return name;
}

}  // namespace

std::string render_annotations(const GateRecord& record) {
  const std::string_view kind = kind_of(record.verdict);
  std::string out =
      annotation(kind, fmt::format("abgate: {}", title(record.verdict)), summary_of(record));
  std::size_t shown = 1;
  for (const Reason& reason : reasons_of(record, false)) {
    if (shown++ == most_of_a_kind) break;
    out += annotation(kind, fmt::format("abgate: {}", reason.code), reason.message + scope(reason));
  }
  shown = 0;
  for (const Reason& reason : reasons_of(record, true)) {
    // A PASS has used one notice for itself.
    if (shown++ + (record.verdict == Verdict::pass ? 1 : 0) == most_of_a_kind) break;
    out += annotation("notice", fmt::format("abgate: {}", reason.code),
                      reason.message + scope(reason));
  }
  return out;
}

std::string render_outputs(const GateRecord& record, const std::string& record_path) {
  std::string out = output("verdict", std::string(name(record.verdict))) +
                    output("exit_code", std::to_string(record.exit_code));
  double least = 0;
  bool all = !record.legs.empty();
  std::string ratios;
  std::set<std::string> used{"ratio_min"};
  for (const LegResult& leg : record.legs) {
    least = ratios.empty() ? leg.ratio.value_or(0) : std::min(least, leg.ratio.value_or(0));
    all = all && leg.ratio;
    const std::string key = output_name(leg.precision);
    const std::string value = leg.ratio ? number::shortest(*leg.ratio) : "";
    if (used.insert(key).second) ratios += output(key, value);
  }
  return out + output("ratio_min", all ? number::shortest(least) : "") + ratios +
         output("record", record_path);
}

}  // namespace abgate::report
