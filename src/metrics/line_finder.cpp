#include "line_finder.hpp"

#include <algorithm>

#include "markers.hpp"

namespace abgate::metrics {
namespace {

const scan::NeedleSet& needle_set() {
  static const scan::NeedleSet set = scan::NeedleSet(meaningful_texts()).with_escapes();
  return set;
}

}  // namespace

std::vector<std::string> meaningful_texts() {
  std::vector<std::string> texts = {"iteration", "RCCL version", "Hostname", "Librccl path",
                                    "Running",   "MBS=",         "NET/",     "MACHINE NAME"};
  for (std::string_view marker : marker_texts()) {
    marker = marker.substr(0, marker.find_first_of(":("));
    texts.emplace_back(marker.substr(marker.rfind('.') + 1));  // `OutOfMemoryError` of any module
  }
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

std::optional<FoundLine> next_meaningful_line(std::string_view text, std::size_t from) {
  const std::size_t at = needle_set().find(text, from);
  if (at == text.npos) return {};
  FoundLine line{at, at};
  while (line.begin > from && text[line.begin - 1] != '\n' && text[line.begin - 1] != '\r')
    --line.begin;
  while (text[line.end] != '\n' && text[line.end] != '\r')
    ++line.end;
  return line;
}

}  // namespace abgate::metrics
