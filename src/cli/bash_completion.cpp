#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "command_texts.hpp"

namespace abgate::cli {
namespace {

bool takes_file(const OptionHelp& option) {
  for (const char* kind : {"FILE", "DIR", "PATH", ".json"}) {
    if (option.value.find(kind) != std::string::npos ||
        (option.positional && option.names.front().find(kind) != std::string::npos)) {
      return true;
    }
  }
  return false;
}

/// The words that may follow an option, as bash makes them; empty: anything.
std::string values_of(const OptionHelp& option) {
  const std::string& name = option.names.back();
  std::string words;
  if (name == "--workload") words = "$(_abgate_configs workloads) ";
  if (name == "--cluster") words = "$(_abgate_configs clusters) ";
  words += text::join(option.choices, " ");
  std::string out;
  if (!words.empty()) out = fmt::format(R"(compgen -W "{}" -- "$cur"; )", words);
  if (takes_file(option)) out += R"(compgen -f -- "$cur"; )";
  return out;
}

std::string option_case(const OptionHelp& option) {
  const std::string values = values_of(option);
  return fmt::format("      {}) {}return ;;\n", text::join(option.names, "|"), values);
}

std::string command_case(const CommandHelp& command) {
  std::string words;
  std::string values;
  std::string positionals;
  for (const OptionHelp& option : command.options) {
    if (option.positional) {
      positionals += values_of(option);
      continue;
    }
    words += text::join(option.names, " ") + " ";
    if (!option.value.empty()) values += option_case(option);
  }
  std::string out = fmt::format("  {})\n", command.name);
  if (!values.empty()) out += "    case $prev in\n" + values + "    esac\n";
  out += fmt::format("    [[ $cur == -* ]] && {{ compgen -W \"{}\" -- \"$cur\"; return; }}\n",
                     text::trim(words));
  if (!positionals.empty()) out += fmt::format("    {}\n", text::trim(positionals));
  return out + "    ;;\n";
}

}  // namespace

std::string bash_completion(const CommandHelp& program) {
  std::string names;
  std::string cases;
  for (const CommandHelp& command : program.commands) {
    names += command.name + " ";
    cases += command_case(command);
  }
  std::string options;
  for (const OptionHelp& option : program.options)
    options += text::join(option.names, " ") + " ";
  return fmt::format(R"(# Completion of abgate for bash; made by `abgate completion bash`.
_abgate_configs() {{
  "${{COMP_WORDS[0]}}" configs "$1" 2>/dev/null
}}

_abgate_words() {{
  local cur=$1 prev=$2 command=$3
  case $command in
{0}  *) compgen -W "{1}{2}" -- "$cur" ;;
  esac
}}

_abgate() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=
  ((COMP_CWORD > 1)) && command=${{COMP_WORDS[1]}}
  mapfile -t COMPREPLY < <(_abgate_words "$cur" "$prev" "$command")
}}
complete -o filenames -F _abgate abgate
)",
                     cases, names, text::trim(options));
}

}  // namespace abgate::cli
