#include "publish.hpp"

#include <random>

#include <fmt/format.h>

#include <abgate/io/files.hpp>
#include <abgate/report/github.hpp>
#include <abgate/report/markdown.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/runner/gate.hpp>

#include "output.hpp"

namespace abgate::cli {
namespace {

bool in_github(const World& world) {
  const std::string* value = find_variable(world.environment, "GITHUB_ACTIONS");
  return value != nullptr && *value == "true";
}

/// Nobody who wrote a log can know it, so no line of a log ends what it began.
std::string random_token() {
  std::random_device random;
  std::string token = "abgate-";
  for (int word = 0; word < 4; ++word)
    token += fmt::format("{:08x}", random());
  return token;
}

void append_to(const World& world, std::string_view variable, const std::string& text) {
  const std::string* path = find_variable(world.environment, variable);
  if (path == nullptr || path->empty()) return;
  if (const auto written = io::append_lines(*path, text); !written) {
    print_err(fmt::format("warning: {}: {}; the verdict stands\n", variable,
                          io::format(written.error())));
  }
}

}  // namespace

std::string record_path_of(const std::string& directory_or_file) {
  return io::is_directory(directory_or_file) ? directory_or_file + "/" + runner::record_file
                                             : directory_or_file;
}

std::optional<GateRecord> load_record(const std::string& directory_or_file) {
  const std::string path = record_path_of(directory_or_file);
  const auto text = io::read_file(path);
  if (!text) {
    print_err(io::format(text.error()) + "\n");
    return {};
  }
  auto record = report::parse_record(*text, path);
  if (!record) {
    print_diagnostics(record.error());
    return {};
  }
  return std::move(*record);
}

bool print_report(const GateRecord& record, const std::string& report, const World& world) {
  if (!in_github(world)) return print_out(report);
  const std::string token = random_token();
  return print_out(fmt::format("::stop-commands::{0}\n{1}{2}::{0}::\n", token, report,
                               report.ends_with('\n') ? "" : "\n")) &&
         print_out(report::render_annotations(record));
}

void publish_to_github(const GateRecord& record, const std::string& record_path,
                       const World& world) {
  append_to(world, "GITHUB_STEP_SUMMARY", report::render_markdown(record));
  append_to(world, "GITHUB_OUTPUT", report::render_outputs(record, record_path));
}

}  // namespace abgate::cli
