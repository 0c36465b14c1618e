#include <array>

#include <abgate/report/github.hpp>
#include <abgate/report/html.hpp>
#include <abgate/report/junit.hpp>
#include <abgate/report/markdown.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/report/render.hpp>
#include <abgate/report/text.hpp>

namespace abgate::report {

std::span<const Format> formats() {
  // gate.json has its own way to the disk: it is saved after every step, and first.
  static constexpr std::array all{Format{"text", summary_file, render_text},
                                  Format{"markdown", "summary.md", render_markdown},
                                  Format{"html", "report.html", render_html},
                                  Format{"junit", "junit.xml", render_junit},
                                  Format{"json", "", render_json},
                                  Format{"github", "", render_annotations}};
  return all;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : formats())
    names.emplace_back(format.name);
  return names;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace abgate::report
