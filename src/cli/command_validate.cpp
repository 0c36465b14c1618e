#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/config/parse.hpp>
#include <abgate/io/files.hpp>
#include <abgate/plan/manifest_check.hpp>

#include "commands.hpp"
#include "output.hpp"

namespace abgate::cli {
namespace {

/// What the file is, and everything that is wrong with it.
struct Checked {
  std::string kind;
  Diagnostics diagnostics;
};

Checked check(const std::string& text, const std::string& file) {
  const auto document = parse_json(text, file, {.comments = true, .duplicates = true});
  if (!document) return {"", document.error()};
  switch (config::kind_of(*document)) {
    case config::FileKind::workload:
      return {"workload", config::parse_workload(text, file).diagnostics};
    case config::FileKind::cluster:
      return {"cluster", config::parse_cluster(text, file).diagnostics};
    case config::FileKind::suite:
      return {"suite", config::parse_suite(text, file).diagnostics};
    case config::FileKind::manifest: {
      // madengine's own reader knows no comments.
      const auto manifest = parse_json(text, file);
      return {"manifest", manifest ? plan::check_manifest(*manifest, file) : manifest.error()};
    }
    case config::FileKind::unknown:
      break;
  }
  return {"",
          {{Severity::error, file, document->position(), "",
            "is no workload, cluster, suite or madengine manifest",
            "a workload has \"model_card\", a cluster \"launcher\", a suite \"gates\", a manifest "
            "\"built_models\""}}};
}

}  // namespace

int validate_command(const Arguments& arguments) {
  bool sound = true;
  for (const std::string& file : arguments.files) {
    const auto text = io::read_file(file);
    if (!text) {
      print_err(io::format(text.error()) + "\n");
      sound = false;
      continue;
    }
    const Checked checked = check(*text, file);
    print_diagnostics(checked.diagnostics);
    if (has_errors(checked.diagnostics)) {
      sound = false;
    } else if (!print_out(fmt::format("{}: valid {}\n", text::printable(file), checked.kind))) {
      return exit_code::infra;
    }
  }
  return sound ? exit_code::pass : exit_code::usage;
}

}  // namespace abgate::cli
