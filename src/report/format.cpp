#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/report/format.hpp>

namespace abgate::report {
namespace {

using number::as_shown;
using number::largest_fixed;
using number::signed_percent;
using number::telling_decimals;
using number::value_decimals;
using number::value_with;

/// Decimals that show a percentage whole: 2 is `2.0`, 1.25 is `1.25`.
int limit_decimals(double percent) {
  constexpr int most = 6;
  constexpr double exact = 1e-9;
  int decimals = 1;
  while (decimals < most && std::abs(as_shown(percent, decimals) - percent) > exact)
    ++decimals;
  return decimals;
}

}  // namespace

LegText leg_text(const LegResult& leg) {
  const double drop = leg.max_drop * 100;
  const int drop_decimals = limit_decimals(drop);
  LegText out{"-", "-", "-", "-", signed_percent(-drop, drop_decimals)};
  if (leg.ratio) {
    constexpr int ratio_decimals = 4;
    constexpr int change_decimals = 2;
    const double limit = 1 - leg.max_drop;
    const bool red = *leg.ratio < limit;
    const double change = (*leg.ratio - 1) * 100;
    out.ratio = value_with(*leg.ratio, telling_decimals(*leg.ratio, red, limit, ratio_decimals));
    const int decimals =
        telling_decimals(change, red, -as_shown(drop, drop_decimals), change_decimals);
    out.change = std::abs(change) < largest_fixed ? signed_percent(change, decimals)
                                                  : number::shortest(change) + " %";
  }
  int decimals = 1;
  for (const auto& value : {leg.baseline, leg.candidate})
    decimals = value ? std::max(decimals, value_decimals(*value)) : decimals;
  if (leg.baseline) out.baseline = value_with(*leg.baseline, decimals);
  if (leg.candidate) out.candidate = value_with(*leg.candidate, decimals);
  return out;
}

std::string ratio_text(const std::optional<double>& ratio) {
  constexpr int decimals = 4;
  return ratio ? value_with(*ratio, decimals) : "-";
}

std::string value_text(double value) {
  return value_with(value, value_decimals(value));
}

std::string percent_text(double fraction, int decimals) {
  const double percent = fraction * 100;
  const std::string digits = value_with(std::abs(percent), decimals);
  return (as_shown(percent, decimals) < 0 ? "-" : "") + digits + " %";
}

std::string instant_text(const std::optional<time::Instant>& instant) {
  if (!instant) return "-";
  std::string text = time::to_rfc3339(*instant);
  constexpr std::size_t date = 10;
  constexpr std::size_t to_the_second = 19;
  text.resize(to_the_second);
  text[date] = ' ';
  return text + "Z";
}

std::string duration_text(const std::optional<time::Instant>& from,
                          const std::optional<time::Instant>& to) {
  if (!from || !to) return "-";
  return duration::to_human(std::chrono::round<std::chrono::seconds>(*to - *from));
}

std::string end_text(const ProcessEnd& end) {
  std::string text = text::replace_all(end.kind, "_", " ");
  if (end.kind == "exited") text = fmt::format("exit {}", end.number);
  if (end.kind == "signaled") text = signal_text(end.number);
  if (end.kind == "spawn_failed") text = fmt::format("not started, errno {}", end.number);
  return end.detail.empty() ? text : fmt::format("{} ({})", text, end.detail);
}

std::string signal_text(int signal) {
  constexpr std::array names{std::pair{1, "SIGHUP"},   std::pair{2, "SIGINT"},
                             std::pair{3, "SIGQUIT"},  std::pair{6, "SIGABRT"},
                             std::pair{9, "SIGKILL"},  std::pair{11, "SIGSEGV"},
                             std::pair{13, "SIGPIPE"}, std::pair{15, "SIGTERM"}};
  for (const auto& [number, name] : names) {
    if (number == signal) return fmt::format("signal {} ({})", number, name);
  }
  return fmt::format("signal {}", signal);
}

}  // namespace abgate::report
