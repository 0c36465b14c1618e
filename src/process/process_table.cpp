#include "process_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <abgate/base/text.hpp>

#include "descriptors.hpp"

namespace abgate::process {
namespace {

template <class Number>
bool parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<ProcessEntry> read_all() {
  std::vector<ProcessEntry> all;
  std::error_code error;
  for (auto it = std::filesystem::directory_iterator("/proc", error);
       !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    pid_t pid = 0;
    if (!parse(it->path().filename().native(), pid)) continue;
    if (auto entry = read_process(pid)) all.push_back(std::move(*entry));
  }
  return all;
}

}  // namespace

std::optional<ProcessEntry> parse_stat(std::string_view text) {
  // pid (name) state ppid pgrp … ; field 22 is the start time.
  const auto open = text.find(" (");
  const auto close = text.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const auto fields = text::split(text.substr(close + 2), ' ');
  constexpr std::size_t start_field = 19;
  if (fields.size() <= start_field || fields[0].size() != 1) return std::nullopt;
  ProcessEntry entry;
  entry.name = text.substr(open + 2, close - open - 2);
  entry.state = fields[0].front();
  if (!parse(text.substr(0, open), entry.pid) || !parse(fields[1], entry.parent) ||
      !parse(fields[2], entry.group) || !parse(fields[start_field], entry.start)) {
    return std::nullopt;
  }
  return entry;
}

std::optional<ProcessEntry> read_process(pid_t pid) {
  const Descriptor file(::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return std::nullopt;
  std::array<char, 1024> block{};
  const auto got = ::read(file.get(), block.data(), block.size());
  if (got <= 0) return std::nullopt;
  return parse_stat({block.data(), static_cast<std::size_t>(got)});
}

std::vector<Descendant> descendants_of(pid_t root, const std::vector<pid_t>& not_through) {
  const auto all = read_all();
  std::vector<Descendant> found;
  const auto add_children = [&](pid_t parent, bool guarded) {
    for (const auto& entry : all) {
      if (entry.parent != parent || entry.pid == root) continue;
      if (parent == root &&
          std::find(not_through.begin(), not_through.end(), entry.pid) != not_through.end()) {
        continue;
      }
      found.push_back({entry, guarded || entry.name == guard_name});
    }
  };
  add_children(root, false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    // The list is not one moment's picture, so a chain could close on itself; it is bounded.
    if (found.size() > all.size()) break;
    add_children(found[i].process.pid, found[i].guarded);
  }
  return found;
}

}  // namespace abgate::process
