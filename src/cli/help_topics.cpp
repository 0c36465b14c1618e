#include "help_topics.hpp"

#include "pages.hpp"

namespace abgate::cli {

std::string exit_code_help() {
  return R"(Exit codes:
  0      PASS: every expected leg measured on both sides, every ratio within its limit
  1      REGRESSION: a trustworthy ratio below 1 - max_drop
  2      usage or configuration error; nothing was allocated
  3      NO VERDICT: ran, but did not measure, or what it measured cannot be trusted
  4      INFRA: no allocation, nodes lost, a budget used up; no side is implicated
  128+N  stopped by signal N; the allocation is gone and the record says so
--advisory turns 1 and 3 into 0; the record keeps the verdict.)";
}

std::string reasons_page() {
  return pages::reasons;
}

std::string configuration_page() {
  return pages::configuration;
}

std::string ci_page() {
  return pages::ci;
}

std::string reason_paragraph(const std::string& code) {
  const std::string page = reasons_page();
  const std::size_t start = page.find("\n### " + code + "\n");
  if (start == std::string::npos) return "";
  const std::size_t end = page.find("\n#", start + 1);
  return page.substr(start + 1, end == std::string::npos ? end : end - start);
}

}  // namespace abgate::cli
