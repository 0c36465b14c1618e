#include <fmt/format.h>

#include "commands.hpp"
#include "config_files.hpp"
#include "output.hpp"

namespace abgate::cli {

int configs_command(const Arguments& arguments, const World& world) {
  using Kind = ConfigFiles::Kind;
  const ConfigFiles files(arguments.config_dirs, world.self);
  std::string out;
  for (const Kind kind : {Kind::workloads, Kind::clusters, Kind::suites}) {
    const std::string folder = ConfigFiles::folder(kind);
    if (!arguments.kind.empty() && arguments.kind != folder) continue;
    for (const std::string& name : files.names(kind)) {
      // A script that asks for one kind wants names alone.
      out += arguments.kind.empty() ? fmt::format("{}/{}\n", folder, name) : name + "\n";
    }
  }
  if (out.empty()) {
    print_err("no configurations were found beside the binary; give --config-dir DIR\n");
    return exit_code::usage;
  }
  return print_out(out) ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::cli
