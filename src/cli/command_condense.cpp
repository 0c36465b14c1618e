#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/runner/condense_files.hpp>
#include <abgate/runner/log_pass.hpp>

#include "commands.hpp"
#include "output.hpp"

namespace abgate::cli {
namespace {

constexpr std::string_view standard_stream = "-";

/// `NAME=PATTERN` of every --kind; false when one is not sound.
bool read_kinds(const Arguments& arguments, std::vector<condense::Kind>& kinds) {
  bool sound = true;
  for (const std::string& text : arguments.kinds) {
    const std::size_t equals = text.find('=');
    condense::Kind kind{text.substr(0, equals), ""};
    if (equals != text.npos) kind.pattern = text.substr(equals + 1);
    const std::string problem =
        equals == text.npos ? "it must have the form NAME=PATTERN" : problem_of(kind);
    if (problem.empty()) {
      kinds.push_back(std::move(kind));
      continue;
    }
    print_err(fmt::format("--kind {}: {}\n", text::printable(text), problem));
    sound = false;
  }
  return sound;
}

/// The logs below each folder, and the files that were named.
bool find_files(const Arguments& arguments, std::vector<std::string>& files) {
  bool sound = true;
  for (const std::string& path : arguments.files) {
    if (!io::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const auto entries = io::list_tree(path);
    if (!entries) {
      print_err(io::format(entries.error()) + "\n");
      sound = false;
      continue;
    }
    for (const io::Entry& entry : *entries) {
      if (!entry.directory && !entry.link && runner::is_log_name(entry.path)) {
        files.push_back(path + "/" + entry.path);
      }
    }
  }
  return sound;
}

std::string stats_line(const std::string& name, const condense::Totals& totals) {
  const double share = totals.bytes_in == 0 ? 100.0
                                            : 100.0 * static_cast<double>(totals.bytes_out) /
                                                  static_cast<double>(totals.bytes_in);
  return fmt::format("{}: {} -> {} bytes ({} %), {} lines folded into {}\n", text::printable(name),
                     totals.bytes_in, totals.bytes_out, number::fixed(share, 1),
                     totals.lines_folded, totals.runs);
}

std::string findings_line(const metrics::LogFindings& found) {
  std::size_t iterations = 0;
  for (const LegSeries& leg : found.series)
    iterations += leg.iterations.size();
  return fmt::format(
      "  holds {} legs, {} iterations, {} RCCL banners, {} transport lines, {} markers\n",
      found.legs_started.size(), iterations, found.banners.size(), found.transports.size(),
      found.markers.size());
}

int condense_in_place(const Arguments& arguments, const std::vector<std::string>& files,
                      const condense::Options& options) {
  bool sound = true;
  std::vector<std::string> plain;
  for (const std::string& file : files) {
    if (!io::is_compressed(file)) {
      plain.push_back(file);
      continue;
    }
    print_err(fmt::format("{}: is compressed and stays as it is; give -o for its condensed text\n",
                          text::printable(file)));
    sound = false;
  }
  condense::Totals sum;
  std::string stats;
  for (const runner::CondensedFile& file : runner::condense_in_place(plain, options)) {
    if (!file.problem.empty()) {
      print_err(text::printable(file.problem) + "\n");
      sound = false;
      continue;
    }
    sum += file.totals;
    stats += stats_line(file.path, file.totals);
  }
  if (plain.size() > 1) stats += stats_line("all", sum);
  if (arguments.stats && !print_out(stats)) return exit_code::infra;
  return sound ? exit_code::pass : exit_code::infra;
}

/// Reads one file or stdin; everything that the log says is extracted in the same pass.
int condense_to(const std::string& target, const Arguments& arguments, const std::string& source,
                const condense::Options& options) {
  const bool to_stdout = target == standard_stream;
  auto output = to_stdout ? io::OutputFile::standard_output() : io::OutputFile::create(target);
  if (!output) {
    print_err(io::format(output.error()) + "\n");
    return exit_code::infra;
  }
  const auto read = [&](const std::function<void(std::string_view)>& take) {
    return source == standard_stream ? io::read_stdin_blocks(take)
                                     : io::read_text_blocks(source, take);
  };
  const auto sink = [&](std::string_view bytes) { output->write(bytes); };
  std::string stats;
  Status<io::Error> done;
  if (arguments.stats) {
    runner::LogPass pass(source, "", options, sink);
    done = read([&](std::string_view block) { pass.feed(block); });
    const auto found = pass.finish();
    stats = stats_line(source, found.totals) + findings_line(found.findings);
  } else {
    condense::Condenser condenser(options, sink);
    done = read([&](std::string_view block) { condenser.feed(block); });
    condenser.finish();
  }
  // What could be read of a damaged stream is worth having on stdout; a file stays away.
  if (done || to_stdout) {
    if (const auto committed = output->commit(); !committed) done = committed;
  }
  if (!done) {
    print_err(io::format(done.error()) + "\n");
    return exit_code::infra;
  }
  if (to_stdout) {
    print_err(stats);
  } else if (!print_out(stats)) {
    return exit_code::infra;
  }
  return exit_code::pass;
}

}  // namespace

int condense_command(const Arguments& arguments) {
  std::vector<condense::Kind> kinds;
  std::vector<std::string> files;
  const bool sound = read_kinds(arguments, kinds);
  if (!find_files(arguments, files) || !sound) return exit_code::usage;
  const condense::Options options = runner::log_options(std::move(kinds), arguments.auto_above);
  const bool from_stdin = std::find(files.begin(), files.end(), standard_stream) != files.end();
  std::string target = arguments.output;
  if (from_stdin && target.empty()) target = standard_stream;
  if (target.empty()) return condense_in_place(arguments, files, options);
  if (files.size() != 1) {
    print_err(fmt::format("-o and - take one file, but {} were given\n", files.size()));
    return exit_code::usage;
  }
  return condense_to(target, arguments, files.front(), options);
}

}  // namespace abgate::cli
