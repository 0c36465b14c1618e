#include "render_values.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <abgate/base/text.hpp>

#include "effective_values.hpp"
#include "layout.hpp"

namespace abgate::plan {
namespace {

constexpr std::size_t widest_key = 38;
constexpr std::size_t widest_origin = 34;

/// `file` of `file:line:column`; empty for an option or a word such as `default`.
std::string_view file_of(std::string_view origin) {
  const std::size_t colon = origin.find(':');
  return colon == std::string_view::npos ? std::string_view() : origin.substr(0, colon);
}

std::string_view last_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

/// The files that origins name, by last name. Two files of one last name keep their whole names.
using Files = std::map<std::string, std::set<std::string>, std::less<>>;

Files files_of(const std::vector<EffectiveValue>& values) {
  Files files;
  for (const EffectiveValue& value : values) {
    const std::string_view file = file_of(value.origin);
    if (!file.empty()) files[std::string(last_name(file))].emplace(file);
  }
  return files;
}

std::string short_origin(const std::string& origin, const Files& files) {
  const std::string_view file = file_of(origin);
  const auto found = files.find(last_name(file));
  if (file.empty() || found == files.end() || found->second.size() > 1) return origin;
  return origin.substr(file.size() - last_name(file).size());
}

std::size_t widest(const std::vector<std::vector<std::string>>& rows, std::size_t column,
                   std::size_t limit) {
  std::size_t out = 0;
  for (const std::vector<std::string>& row : rows)
    out = std::max(out, columns_of(text::printable(row[column])));
  return std::min(out, limit);
}

}  // namespace

std::string render_values(const GateConfig& config) {
  const std::vector<EffectiveValue> values = effective_values(config);
  const Files files = files_of(values);
  std::vector<std::vector<std::string>> rows = {{"KEY", "VALUE", "ORIGIN"}};
  for (const EffectiveValue& value : values)
    rows.push_back({value.key, value.value, short_origin(value.origin, files)});
  constexpr std::size_t margins = 2 + 2 + 2;  // indent, and two blanks between columns
  const std::size_t key = widest(rows, 0, widest_key);
  const std::size_t origin = widest(rows, 2, widest_origin);
  std::string out = "\nEffective values\n" +
                    table(rows, {key, page_width - margins - key - origin, origin}, "  ");
  std::vector<std::vector<std::string>> legend;
  for (const auto& [name, paths] : files) {
    if (paths.size() == 1 && *paths.begin() != name) legend.push_back({*paths.begin()});
  }
  if (!legend.empty()) out += "\nFiles\n" + table(legend, {page_width - 2}, "  ");
  return out;
}

}  // namespace abgate::plan
