#include <abgate/io/files.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/report/text.hpp>
#include <abgate/runner/gate.hpp>

#include "commands.hpp"
#include "output.hpp"

namespace abgate::cli {

int report_command(const Arguments& arguments) {
  const std::string path = io::is_directory(arguments.target)
                               ? arguments.target + "/" + runner::record_file
                               : arguments.target;
  const auto text = io::read_file(path);
  if (!text) {
    print_err(io::format(text.error()) + "\n");
    return exit_code::usage;
  }
  const auto record = report::parse_record(*text, path);
  if (!record) {
    print_diagnostics(record.error());
    return exit_code::usage;
  }
  const std::string rendered =
      arguments.format == "json" ? report::render_json(*record) : report::render_text(*record);
  return print_out(rendered) ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::cli
