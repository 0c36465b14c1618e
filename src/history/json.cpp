#include <fmt/format.h>

#include <abgate/history/render.hpp>

namespace abgate::history {
namespace {

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json levels_json(const Trend& trend, const std::vector<Level>& levels) {
  Json out = Json::array();
  for (const Level& level : levels) {
    const auto edge = [&](std::size_t at) {
      const Entry& entry = *trend.points.at(at).entry;
      return Json::object(
          {{"run_id", entry.run_id},
           {"started", entry.started ? Json(time::to_rfc3339(*entry.started)) : Json()}});
    };
    out.push_back(Json::object({{"first", edge(level.first)},
                                {"last", edge(level.first + level.count - 1)},
                                {"gates", static_cast<std::int64_t>(level.count)},
                                {"mean", level.mean}}));
  }
  return out;
}

Json series_json(const Series& series) {
  const Trend trend = trend_of(series);
  return Json::object({{"workload", series.workload},
                       {"cluster", series.cluster},
                       {"nodes", static_cast<std::int64_t>(series.nodes)},
                       {"precision", series.precision},
                       {"unit", series.unit},
                       {"gates", static_cast<std::int64_t>(trend.points.size())},
                       {"mean_ratio", or_null(trend.mean_ratio)},
                       {"below", trend.signs.below},
                       {"above", trend.signs.above},
                       {"equal", trend.signs.equal},
                       {"sign_test_p", trend.signs.p},
                       {"creeping", trend.creeping},
                       {"ratio_levels", levels_json(trend, trend.ratio)},
                       {"baseline_levels", levels_json(trend, trend.baseline)},
                       {"candidate_levels", levels_json(trend, trend.candidate)}});
}

Json damaged_json(const History& history) {
  Json out = Json::array();
  for (const DamagedLine& line : history.damaged)
    out.push_back(Json::object({{"line", line.number}, {"problem", line.problem}}));
  return out;
}

}  // namespace

std::string render_json(const History& history) {
  // A tree of 100,000 gates would take half a gigabyte; their lines are JSON already.
  std::string out = fmt::format(R"({{"schema_version":{},"entries":[)", schema_version);
  std::string_view before = "\n";
  for (const Entry& entry : history.entries) {
    out += before;
    out += to_line(entry);
    before = ",\n";
  }
  return out + "\n],\"damaged\":" + damaged_json(history).dump_line() + "}\n";
}

std::string render_trend_json(const History& history) {
  Json series = Json::array();
  for (const Series& one : series_of(history))
    series.push_back(series_json(one));
  return Json::object({{"schema_version", schema_version},
                       {"series", std::move(series)},
                       {"damaged", damaged_json(history)}})
      .dump();
}

}  // namespace abgate::history
