#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <abgate/base/hash.hpp>
#include <abgate/io/files.hpp>
#include <abgate/metrics/layout.hpp>
#include <abgate/runner/condense_files.hpp>
#include <abgate/runner/log_pass.hpp>
#include <abgate/runner/phase_logs.hpp>

namespace abgate::runner {
namespace {

class LogTender {
 public:
  LogTender(const std::string& directory, const std::string& results_csv,
            const std::vector<LogKind>& kinds)
      : directory_(directory), results_csv_(results_csv), kinds_(kinds) {}

  LogSpace tend(std::optional<std::int64_t> room) {
    find_logs();
    space_.bytes_before = bytes_on_disk();
    condense();
    keep_copies_once();
    space_.bytes_after = bytes_on_disk();
    if (room) make_room(*room);
    return std::move(space_);
  }

 private:
  const std::string& directory_;
  const std::string& results_csv_;
  const std::vector<LogKind>& kinds_;
  LogSpace space_;
  std::vector<std::string> all_files_;
  std::vector<std::string> logs_;  // relative to the directory

  std::string path_of(const std::string& file) const { return directory_ + "/" + file; }

  void problem(const io::Error& error) { space_.problems.push_back(io::format(error)); }

  void find_logs() {
    constexpr std::string_view scripts = "scripts/";
    const auto entries = io::list_tree(directory_);
    if (!entries) return problem(entries.error());
    for (const io::Entry& entry : *entries) {
      if (entry.directory) continue;
      all_files_.push_back(entry.path);
      if (!entry.link && is_log_name(entry.path) && !entry.path.starts_with(scripts)) {
        logs_.push_back(entry.path);
      }
    }
  }

  /// A text that has several names counts once.
  std::int64_t bytes_on_disk() const {
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    std::int64_t sum = 0;
    for (const std::string& log : logs_) {
      const auto state = io::state_of(path_of(log));
      if (!state || !seen.insert({state->device, state->inode}).second) continue;
      sum += static_cast<std::int64_t>(state->size);
    }
    return sum;
  }

  /// The configuration's shape allows no other ones; what slips through is said, not lost.
  std::vector<condense::Kind> usable_kinds() {
    std::vector<condense::Kind> out;
    for (const auto& [name, pattern] : kinds_) {
      condense::Kind kind{name, pattern};
      if (const std::string wrong = condense::problem_of(kind); !wrong.empty()) {
        space_.problems.push_back(fmt::format("log kind {} is not used: {}", name, wrong));
      } else {
        out.push_back(std::move(kind));
      }
    }
    return out;
  }

  void condense() {
    std::vector<std::string> paths;
    for (const std::string& log : logs_)
      paths.push_back(path_of(log));
    for (const CondensedFile& file : condense_in_place(paths, log_options(usable_kinds()))) {
      space_.lines_folded += static_cast<std::int64_t>(file.totals.lines_folded);
      if (!file.problem.empty()) space_.problems.push_back(file.problem);
    }
  }

  /// Logs of one size and owner, which may be copies.
  using Look =
      std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  void keep_copies_once() {
    constexpr std::uint64_t worth_it = 4096;  // a smaller file takes a block of the disk anyway
    std::map<Look, std::vector<std::string>> alike;
    for (const std::string& log : logs_) {
      const auto state = io::state_of(path_of(log));
      if (!state || state->size < worth_it) continue;
      alike[{state->device, state->size, state->mode, state->owner, state->group}].push_back(log);
    }
    for (const auto& [look, logs] : alike) {
      if (logs.size() > 1) link_equal(logs);
    }
  }

  void link_equal(const std::vector<std::string>& logs) {
    std::map<std::string, std::string> first_of;  // by hash
    for (const std::string& log : logs) {
      hash::Sha256 hash;
      const auto read =
          io::read_blocks(path_of(log), [&](std::string_view block) { hash.update(block); });
      if (!read) {
        problem(read.error());
        continue;
      }
      const auto [first, is_new] = first_of.emplace(hash.hex_digest(), log);
      if (is_new || same_file(first->second, log)) continue;
      if (const auto linked = io::replace_by_link(path_of(first->second), path_of(log)); !linked) {
        problem(linked.error());
      } else {
        space_.copies.push_back(log);
      }
    }
  }

  bool same_file(const std::string& a, const std::string& b) const {
    const auto first = io::state_of(path_of(a));
    const auto second = io::state_of(path_of(b));
    return first && second && first->device == second->device && first->inode == second->inode;
  }

  /// Removes logs that nobody reads, until the rest fits. An error stream is always read: half a
  /// copy could hide an exit code.
  void make_room(std::int64_t room) {
    for (const std::string& copy : metrics::classify(all_files_, results_csv_).ignored) {
      if (space_.bytes_after <= room) return;
      const auto found = std::find(logs_.begin(), logs_.end(), copy);
      if (found == logs_.end() || copy.ends_with(".err")) continue;
      if (const auto removed = io::remove_file(path_of(copy)); !removed) {
        problem(removed.error());
        continue;
      }
      space_.removed.push_back(copy);
      logs_.erase(found);
      space_.bytes_after = bytes_on_disk();
    }
    if (space_.bytes_after > room) {
      space_.problems.push_back(
          fmt::format("the logs take {} bytes, {} more than --max-log-size leaves; all of them are "
                      "read for the verdict",
                      space_.bytes_after, space_.bytes_after - room));
    }
  }
};

}  // namespace

LogSpace tend_phase_logs(const std::string& directory, const std::string& results_csv,
                         std::optional<std::int64_t> room, const std::vector<LogKind>& kinds) {
  return LogTender(directory, results_csv, kinds).tend(room);
}

AfterPhase log_tender(const GateConfig& config) {
  if (config.keep_raw_logs) return {};
  std::vector<LogKind> kinds = config.cluster.log_kinds;
  kinds.insert(kinds.end(), config.workload.log_kinds.begin(), config.workload.log_kinds.end());
  return [results_csv = config.workload.results_csv, most = config.max_log_size, kinds](
             const std::string& directory, std::int64_t kept) {
    std::optional<std::int64_t> room;
    if (most > 0) room = std::max<std::int64_t>(0, most - kept);
    return tend_phase_logs(directory, results_csv, room, kinds);
  };
}

}  // namespace abgate::runner
