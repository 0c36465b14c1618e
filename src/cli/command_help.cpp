#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/compare/reasons.hpp>
#include <abgate/runner/run_reasons.hpp>

#include "command_texts.hpp"
#include "commands.hpp"
#include "help_topics.hpp"
#include "output.hpp"

namespace abgate::cli {
namespace {

struct Code {
  std::string name;
  std::string summary;
};

/// Every reason that a report can list, those of running and those of judging.
std::vector<Code> all_codes() {
  std::vector<Code> codes;
  for (const runner::RunReason& reason : runner::all_run_reasons())
    codes.push_back({std::string(reason.code), std::string(reason.summary)});
  for (const compare::CodeInfo& info : compare::all_codes())
    codes.push_back({std::string(info.name), std::string(info.summary)});
  return codes;
}

std::string list_of(const std::vector<Code>& codes) {
  std::size_t width = 0;
  for (const Code& code : codes)
    width = std::max(width, code.name.size());
  std::string out;
  for (const Code& code : codes)
    out += fmt::format("{:<{}}  {}\n", code.name, width, code.summary);
  return out + "\nabgate help reasons CODE: what was seen, what it means, what to do.\n";
}

int reasons(const std::string& wanted) {
  const std::vector<Code> codes = all_codes();
  if (wanted.empty()) return print_out(list_of(codes)) ? exit_code::pass : exit_code::infra;
  const std::string paragraph = reason_paragraph(wanted);
  if (!paragraph.empty()) return print_out(paragraph) ? exit_code::pass : exit_code::infra;
  std::vector<std::string> names;
  names.reserve(codes.size());
  for (const Code& code : codes)
    names.push_back(code.name);
  print_err(fmt::format("there is no reason \"{}\"{}; `abgate help reasons` lists all\n",
                        text::printable(wanted), text::did_you_mean(wanted, names)));
  return exit_code::usage;
}

constexpr const char* topics = R"(abgate help TOPIC

  exit-codes      what each exit code means
  reasons         every reason that a report can list; `reasons CODE` explains one
  config          every key of workloads, clusters and suites
  ci              abgate in a CI job

abgate COMMAND --help lists the options of a command.
)";

}  // namespace

int help_command(const Arguments& arguments) {
  if (!arguments.code.empty() && arguments.topic != "reasons") {
    print_err("only `help reasons` takes a CODE\n");
    return exit_code::usage;
  }
  if (arguments.topic == "reasons") return reasons(arguments.code);
  std::string text = topics;
  if (arguments.topic == "exit-codes") text = exit_code_help() + "\n";
  if (arguments.topic == "config") text = configuration_page();
  if (arguments.topic == "ci") text = ci_page();
  return print_out(text) ? exit_code::pass : exit_code::infra;
}

int completion_command() {
  return print_out(bash_completion(describe_commands())) ? exit_code::pass : exit_code::infra;
}

int man_command() {
  return print_out(manual_page(describe_commands())) ? exit_code::pass : exit_code::infra;
}

}  // namespace abgate::cli
