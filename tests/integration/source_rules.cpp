#include "integration/source_rules.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "support/files.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;

/// The ring of each module. A module that is not named here is a violation of its own.
const std::map<std::string, int, std::less<>>& rings() {
  static const std::map<std::string, int, std::less<>> table{
      {"base", 0},    {"model", 0},    {"config", 1},  {"plan", 1},   {"slurm", 1},
      {"metrics", 1}, {"condense", 1}, {"compare", 1}, {"report", 1}, {"history", 1},
      {"process", 2}, {"io", 2},       {"runner", 3},  {"cli", 3}};
  return table;
}

bool may_include(std::string_view from, std::string_view to) {
  if (from == to) return true;
  if (from == "main") return to == "cli";
  if (from == "base") return false;
  if (from == "model") return to == "base";
  if (from == "runner") return to != "cli";
  if (from == "cli") return true;
  return to == "base" || to == "model";
}

struct LibraryRule {
  std::string_view header;  ///< how the header's path begins
  std::set<std::string, std::less<>> modules;
  bool sources_only;
};

const std::vector<LibraryRule>& library_rules() {
  static const std::vector<LibraryRule> rules{
      {"CLI/", {"cli"}, true},       {"spdlog/", {"cli", "runner"}, false},
      {"nlohmann/", {"base"}, true}, {"sodium", {"base"}, true},
      {"zlib", {"io"}, true},        {"zstd", {"io"}, true},
      {"gtest/", {}, true},          {"gmock/", {}, true}};
  return rules;
}

/// Names that nobody may call: the program ends by returning from main, and starts programs by
/// argv.
constexpr std::string_view forbidden_anywhere[] = {"exit", "quick_exit", "system", "popen"};
/// Input, output, clocks and environment, which rings 0 and 1 don't have.
constexpr std::string_view forbidden_inside[] = {"getenv", "system_clock::now", "steady_clock::now",
                                                 "printf", "fopen"};
constexpr std::string_view headers_forbidden_inside[] = {"iostream", "fstream", "cstdio",
                                                         "unistd.h", "fcntl.h", "thread"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Where the comment or literal that begins at `at` ends (one past it), or `at` when none does.
std::size_t end_of_hidden(std::string_view text, std::size_t at) {
  const auto past = [&](std::string_view mark, std::size_t from) {
    const auto found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  const auto rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) return past("*/", at + 2);
  if (rest.starts_with("R\"") && (at == 0 || !is_word(text[at - 1]))) {
    const auto open = text.find('(', at);
    return past(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
  }
  // A quote behind a digit separates digits.
  const bool literal = rest[0] == '"' || (rest[0] == '\'' && (at == 0 || !is_word(text[at - 1])));
  if (!literal) return at;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == rest[0]) {
      return i + 1;
    }
  }
  return text.size();
}

/// Replaces comments and literals by spaces; line breaks stay, so that line numbers hold.
std::string code_only(const std::string& text) {
  std::string code = text;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = end_of_hidden(text, at);
    for (std::size_t i = at; i < end; ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return code;
}

/// True where `name` is called as a free function, also as std::name; not as a member, and not
/// where it is only a part of a longer name.
bool calls(std::string_view line, std::string_view name) {
  for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    auto before = line.substr(0, at);
    auto after = line.substr(at + name.size());
    after.remove_prefix(std::min(after.find_first_not_of(' '), after.size()));
    if (!after.starts_with('(')) continue;
    if (before.ends_with("std::") || before.ends_with("chrono::")) return true;
    if (before.ends_with("::")) {
      before.remove_suffix(2);
      if (before.empty() || !is_word(before.back())) return true;
      continue;
    }
    if (before.ends_with("->") || before.ends_with('.')) continue;
    if (!before.empty() && is_word(before.back())) continue;
    // `int exit(…)` declares a function of ours; `return exit(…)` calls.
    before = before.substr(0, before.find_last_not_of(' ') + 1);
    if (!before.empty() && is_word(before.back()) && !before.ends_with("return")) continue;
    return true;
  }
  return false;
}

struct SourceFile {
  fs::path path;  ///< relative to the root
  std::string module;
  bool is_header = false;
  int ring = 3;
};

std::optional<std::string> included(std::string_view line) {
  const auto hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return std::nullopt;
  if (line.find("include") == std::string_view::npos) return std::nullopt;
  const auto open = line.find_first_of("<\"");
  const auto close = line.find_first_of(">\"", open + 1);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(open, close - open));  // with its opening mark
}

class Checker {
 public:
  explicit Checker(fs::path root) : root_(std::move(root)) {}

  void check(const SourceFile& file) {
    const std::string text = read_file(root_ / file.path);
    std::istringstream raw_lines(text);
    std::istringstream code_lines(code_only(text));
    std::string raw;
    std::string code;
    for (int number = 1; std::getline(raw_lines, raw) && std::getline(code_lines, code); ++number) {
      place_ = file.path.string() + ":" + std::to_string(number) + ": ";
      // The name of a quoted header is a literal, so it stands only in the raw line.
      if (const auto header = included(raw); header && included_code(code)) {
        check_include(file, *header);
      } else {
        check_calls(file, code);
      }
    }
  }

  void report(const std::string& message) { violations_.push_back(place_ + message); }
  void at(const fs::path& path) { place_ = path.string() + ":1: "; }
  std::vector<std::string> take() {
    std::sort(violations_.begin(), violations_.end());
    return std::move(violations_);
  }

 private:
  static bool included_code(std::string_view code) {
    return code.find("include") != std::string_view::npos;
  }

  void check_include(const SourceFile& file, const std::string& marked) {
    const std::string header = marked.substr(1);
    if (header.starts_with("abgate/")) return check_arrow(file, header);
    if (marked[0] == '"') return check_private(file, header);
    for (const auto& rule : library_rules()) {
      if (!header.starts_with(rule.header)) continue;
      if (!rule.modules.contains(file.module)) {
        report(file.module + " may not use <" + header + ">");
      } else if (rule.sources_only && file.is_header) {
        report("<" + header + "> in a header");
      }
    }
    if (file.ring > 1) return;
    for (const auto forbidden : headers_forbidden_inside) {
      if (header == forbidden) report(file.module + " does no I/O, but includes <" + header + ">");
    }
  }

  void check_arrow(const SourceFile& file, const std::string& header) {
    const auto begin = std::string_view("abgate/").size();
    const auto module = header.substr(begin, header.find('/', begin) - begin);
    if (!rings().contains(module)) return report("unknown module in <" + header + ">");
    if (!may_include(file.module, module)) report(file.module + " -> " + module);
  }

  /// A private header lies in the folder of the file that includes it; configure makes some.
  void check_private(const SourceFile& file, const std::string& header) {
    const auto path = root_ / file.path.parent_path() / header;
    const bool own = header.find('/') == std::string::npos;
    if (own && (fs::exists(path) || fs::exists(path.string() + ".in"))) return;
    report("\"" + header + "\" is no private header of " + file.module);
  }

  void check_calls(const SourceFile& file, const std::string& code) {
    for (const auto name : forbidden_anywhere) {
      if (calls(code, name)) report("calls " + std::string(name));
    }
    if (file.ring > 1) return;
    for (const auto name : forbidden_inside) {
      if (calls(code, name)) report(file.module + " calls " + std::string(name));
    }
  }

  fs::path root_;
  std::string place_;
  std::vector<std::string> violations_;
};

}  // namespace

std::vector<std::string> source_violations(const fs::path& root) {
  Checker checker(root);
  for (const auto* top : {"include/abgate", "src"}) {
    if (!fs::is_directory(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto path = fs::relative(entry.path(), root);
      const auto extension = path.extension();
      if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
      const auto below = fs::relative(entry.path(), root / top);
      SourceFile file{path, below.begin()->string(), extension == ".hpp", 3};
      if (path == fs::path("src/main.cpp")) file.module = "main";
      checker.at(path);
      const auto ring = rings().find(file.module);
      if (ring != rings().end()) {
        file.ring = ring->second;
      } else if (file.module != "main") {
        checker.report("module " + file.module + " has no ring");
      }
      checker.check(file);
    }
  }
  return checker.take();
}

}  // namespace abgate::test
