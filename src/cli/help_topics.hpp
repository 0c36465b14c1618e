#pragma once

#include <string>

namespace abgate::cli {

/// What each exit code means, as `--help` and `help exit-codes` say it.
std::string exit_code_help();

/// A page of docs/, as it was when this binary was built.
std::string reasons_page();
std::string configuration_page();
std::string ci_page();

/// The paragraph of docs/reasons.md on a code; empty when there is none.
std::string reason_paragraph(const std::string& code);

}  // namespace abgate::cli
