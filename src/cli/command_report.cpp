#include <fmt/format.h>

#include <abgate/io/files.hpp>
#include <abgate/report/against.hpp>
#include <abgate/report/render.hpp>

#include "commands.hpp"
#include "output.hpp"
#include "publish.hpp"

namespace abgate::cli {
namespace {

int against(const Arguments& arguments, const GateRecord& record) {
  const auto other = load_record(arguments.against);
  if (!other) return exit_code::usage;
  const report::Pair pair{record, *other};
  if (arguments.format == "text") {
    return print_out(report::render_pair_text(pair)) ? exit_code::pass : exit_code::infra;
  }
  if (arguments.format == "markdown") {
    return print_out(report::render_pair_markdown(pair)) ? exit_code::pass : exit_code::infra;
  }
  print_err(fmt::format("--against has no format {}; give --format text or markdown\n",
                        arguments.format));
  return exit_code::usage;
}

}  // namespace

int report_command(const Arguments& arguments, const World& world) {
  const auto record = load_record(arguments.target);
  if (!record) return exit_code::usage;
  if (!arguments.against.empty()) return against(arguments, *record);
  const report::Format* format = report::find_format(arguments.format);
  // What a person asks for in a shell is no publication; the format of GitHub is.
  if (format->name == "github") {
    publish_to_github(*record, io::absolute(record_path_of(arguments.target)), world);
  }
  return print_out(format->render(*record)) ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::cli
