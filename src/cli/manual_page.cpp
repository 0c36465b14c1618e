#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "command_texts.hpp"
#include "version.hpp"

namespace abgate::cli {
namespace {

/// Text that roff shows as it is: no escape, no request at the start of a line, minus signs that
/// can be copied.
std::string roff(std::string_view text) {
  std::string out;
  for (const std::string_view line : text::split(text, '\n')) {
    std::string safe = text::replace_all(std::string(line), "\\", "\\e");
    safe = text::replace_all(safe, "-", "\\-");
    if (safe.starts_with('.') || safe.starts_with('\'')) safe.insert(0, "\\&");
    out += (out.empty() ? "" : "\n") + safe;
  }
  return out;
}

std::string synopsis(const CommandHelp& command) {
  std::string out = fmt::format(R"(\fBabgate {}\fR)", roff(command.name));
  for (const OptionHelp& option : command.options) {
    if (option.positional || !option.required) continue;
    out += fmt::format(" \\fB{}\\fR \\fI{}\\fR", roff(option.names.back()), roff(option.value));
  }
  out += " [\\fIoptions\\fR]";
  for (const OptionHelp& option : command.options) {
    if (!option.positional) continue;
    out += option.required ? fmt::format(" \\fI{}\\fR", roff(option.names.front()))
                           : fmt::format(" [\\fI{}\\fR]", roff(option.names.front()));
  }
  return out;
}

std::string option_entry(const OptionHelp& option) {
  std::string head;
  for (const std::string& name : option.names)
    head += (head.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", roff(name));
  if (!option.value.empty() && !option.positional) {
    head += fmt::format(" \\fI{}\\fR", roff(option.value));
  }
  return fmt::format(".TP\n{}\n{}\n", head, roff(option.description));
}

std::string command_part(const CommandHelp& command) {
  std::string out = fmt::format(".SS {}\n{}.\n.PP\n{}\n", roff(command.name),
                                roff(command.description), synopsis(command));
  for (const OptionHelp& option : command.options)
    out += option_entry(option);
  return out;
}

}  // namespace

std::string manual_page(const CommandHelp& program) {
  std::string out = fmt::format(
      ".TH ABGATE 1 \"\" \"abgate {}\" \"User Commands\"\n.SH NAME\nabgate \\- A/B performance "
      "gate "
      "for multi\\-node training\n.SH SYNOPSIS\n\\fBabgate\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      version, roff(program.description));
  for (const CommandHelp& command : program.commands)
    out += command_part(command);
  return out + fmt::format(
                   ".SH EXIT STATUS\n.nf\n{}\n.fi\n.SH ENVIRONMENT\n"
                   ".TP\n\\fBGITHUB_ACTIONS\\fR, \\fBGITHUB_STEP_SUMMARY\\fR, "
                   "\\fBGITHUB_OUTPUT\\fR\nIn a GitHub job the report goes there too.\n",
                   roff(program.footer));
}

}  // namespace abgate::cli
