#include <fmt/format.h>

#include <abgate/model/evidence.hpp>

namespace abgate {

std::string format(const Location& location) {
  return location.line > 0 ? fmt::format("{}:{}", location.file, location.line) : location.file;
}

std::string_view name(MetricSource source) {
  switch (source) {
    case MetricSource::perf_csv:
      return "perf.csv";
    case MetricSource::model_csv:
      return "per-model CSV";
    case MetricSource::series:
      return "series";
  }
  return "?";
}

}  // namespace abgate
