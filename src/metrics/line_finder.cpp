#include "line_finder.hpp"

#include "markers.hpp"

namespace abgate::metrics {
namespace {

constexpr char escape = '\x1b';

const scan::NeedleSet& needle_set() {
  static const scan::NeedleSet set = scan::NeedleSet(meaningful_texts()).with_escapes();
  return set;
}

/// One past the end of the sequences `ESC [ 1 ; 32 m` at `at`; nothing when one of them is of
/// another kind or cut.
std::optional<std::size_t> behind_colours(std::string_view text, std::size_t at) {
  while (text[at] == escape) {
    if (text[at + 1] != '[') return {};
    at += 2;
    while ((text[at] >= '0' && text[at] <= '9') || text[at] == ';')
      ++at;
    if (text[at] < '@' || text[at] > '~') return {};
    ++at;
  }
  return at;
}

/// Whether what stands around the escape at `at` may be one needle without it. Of a chain of
/// sequences the first one tells.
bool may_hide(std::string_view text, std::size_t at) {
  const auto behind = behind_colours(text, at);
  return !behind || needle_set().has_pair(text[at - 1], text[*behind]);
}

}  // namespace

std::vector<std::string> meaningful_texts() {
  std::vector<std::string> texts = {"iteration", "RCCL version", "Hostname", "Librccl path",
                                    "Running",   "MBS=",         "NET/",     "MACHINE NAME"};
  for (const std::string_view marker : marker_texts())
    texts.emplace_back(marker.substr(0, marker.find_first_of(":(")));
  return texts;
}

std::optional<FoundLine> next_meaningful_line(std::string_view text, std::size_t from) {
  const scan::NeedleSet& needles = needle_set();
  std::size_t at = needles.find(text, from);
  while (at != text.npos && text[at + 1] == escape && !may_hide(text, at + 1))
    at = needles.find(text, at + 2);
  if (at == text.npos) return {};
  FoundLine line{at, at};
  while (line.begin > from && text[line.begin - 1] != '\n' && text[line.begin - 1] != '\r')
    --line.begin;
  while (text[line.end] != '\n' && text[line.end] != '\r')
    ++line.end;
  return line;
}

}  // namespace abgate::metrics
