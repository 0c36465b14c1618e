#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/history/render.hpp>

#include "words.hpp"

namespace abgate::history {

std::string render_trend(const History& history) {
  std::string out;
  for (const Series& series : series_of(history)) {
    const Trend trend = trend_of(series);
    const auto line = [&](std::string_view what, const std::string& text) {
      out += fmt::format("  {:10} {}\n", what, text::printable(text));
    };
    out += out.empty() ? "" : "\n";
    out += text::printable(series_title(series)) + "\n";
    line("ratio", signs_text(trend));
    if (trend.points.empty()) continue;
    for (const auto& [what, levels] :
         {std::pair{"ratio", &trend.ratio}, std::pair{"baseline", &trend.baseline},
          std::pair{"candidate", &trend.candidate}}) {
      for (const std::string& change : change_texts(trend, *levels))
        line(what, change);
    }
    if (trend.creeping) line("note", creeping_text(trend));
  }
  return out.empty() ? "no gates\n" : out;
}

}  // namespace abgate::history
