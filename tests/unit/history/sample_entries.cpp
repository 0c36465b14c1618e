#include "sample_entries.hpp"

#include <random>

#include <fmt/format.h>

namespace abgate::test {

using history::Entry;
using history::Leg;

namespace {

Leg leg_of(const char* precision, double baseline, double ratio, double reference) {
  Leg leg;
  leg.precision = precision;
  leg.metric = "tokens_per_second_per_gpu";
  leg.unit = "tok/s/GPU";
  leg.max_drop = 0.02;
  leg.reference = reference;
  leg.baseline = baseline;
  leg.candidate = baseline * ratio;
  leg.ratio = *leg.candidate / baseline;
  leg.outcome = ratio < 0.98 ? LegOutcome::regression : LegOutcome::pass;
  return leg;
}

}  // namespace

Entry night(int n, double bf16, double fp8) {
  Entry entry;
  const auto day = std::chrono::sys_days(std::chrono::October / 1 / 2026) + std::chrono::days(n);
  entry.started = time::Instant(day) + std::chrono::hours(1);
  entry.run_id = time::to_rfc3339(*entry.started).substr(0, 10) + fmt::format("-{:06x}", n);
  entry.command = "run";
  entry.workload = "gpt-oss-120b-training";
  entry.cluster = "ruby";
  entry.nodes = n % 2 == 0 ? std::vector<std::string>{"mi355x-03", "mi355x-07"}
                           : std::vector<std::string>{"mi355x-11", "mi355x-12"};
  entry.legs = {leg_of("BF16", 8281.75, bf16, 8300), leg_of("FP8", 11234.5, fp8, 11250)};
  const bool slow = bf16 < 0.98 || fp8 < 0.98;
  entry.verdict = slow ? Verdict::regression : Verdict::pass;
  entry.exit_code = code_of(entry.verdict);
  if (slow) entry.reason = "regression";
  return entry;
}

std::vector<Entry> nights(int count, double (*ratio_of)(int night)) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 0.003);
  std::vector<Entry> entries;
  for (int n = 0; n < count; ++n)
    entries.push_back(night(n, ratio_of(n) + noise(random), 1 + noise(random)));
  return entries;
}

history::History mixed_history() {
  history::History history;
  history.entries = {night(0, 1.0012, 0.9987), night(1, 0.9993, 1.0021), night(2, 0.97, 0.9991),
                     night(3, 0.97999999, 1.0004)};
  Entry infra = night(4, 1, 1);
  infra.verdict = Verdict::infra;
  infra.exit_code = exit_code::infra;
  infra.reason = "allocation-refused";
  infra.nodes.clear();
  infra.legs.clear();
  Entry untrusted = night(5, 1.2, 1);
  untrusted.verdict = Verdict::no_verdict;
  untrusted.exit_code = exit_code::no_verdict;
  untrusted.reason = "leg-missing";
  untrusted.legs.at(0).outcome = LegOutcome::untrusted;
  untrusted.legs.at(1) = Leg();
  untrusted.legs.at(1).precision = "FP8";
  Entry same = night(6, 1.0001, 0.9999);
  same.same_build = true;
  Entry hostile = night(7, 1, 1);
  hostile.workload = "=HYPERLINK(\"http://x\",\"<b>\")";
  hostile.cluster = "a,\"b\"\n\x1b[31m</script><img src=x>";
  hostile.nodes = {"@n1", "-n2", "\xff"};
  hostile.legs.pop_back();
  for (Entry* entry : {&infra, &untrusted, &same, &hostile})
    history.entries.push_back(*entry);
  history.damaged = {{3, "column 12: unexpected end of input"}, {9, "verdict: missing"}};
  return history;
}

}  // namespace abgate::test
