#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Files in memory; writing to a path in `refused` fails as a full disk does.
class MemoryStore : public ArtifactStore {
 public:
  std::map<std::string, std::string> files;
  std::set<std::string> refused;
  std::set<std::string> directories;  ///< that were made as new ones
  std::vector<std::string> writes;    ///< paths in order

  Result<std::string, std::string> read(const std::string& path) override {
    const auto found = files.find(path);
    if (found == files.end()) return Unexpected{path + ": no such file"};
    return found->second;
  }
  Status<std::string> read_blocks(const std::string& path,
                                  const std::function<void(std::string_view)>& take) override {
    const auto text = read(path);
    if (!text) return Unexpected{text.error()};
    take(*text);
    return {};
  }
  Result<std::string, std::string> read_range(const std::string& path, std::uint64_t offset,
                                              std::size_t limit) override {
    const auto text = read(path);
    if (!text) return text;
    return text->substr(std::min<std::size_t>(offset, text->size()), limit);
  }
  Status<std::string> write(const std::string& path, std::string_view text) override {
    if (refused.contains(path)) return Unexpected{path + ": No space left on device"};
    files[path] = std::string(text);
    writes.push_back(path);
    return {};
  }
  Status<std::string> append_line(const std::string& path, std::string_view line) override {
    if (refused.contains(path)) return Unexpected{path + ": No space left on device"};
    files[path] += std::string(line) + "\n";
    return {};
  }
  Status<std::string> make_directories(const std::string&) override { return {}; }
  bool exists(const std::string& path) override {
    const auto found = files.lower_bound(path);
    return found != files.end() && (found->first == path || found->first.starts_with(path + "/"));
  }
  Status<std::string> remove(const std::string& path) override {
    files.erase(path);
    return {};
  }
  Status<std::string> move(const std::string& from, const std::string& to) override {
    if (refused.contains(to)) return Unexpected{to + ": No space left on device"};
    std::map<std::string, std::string> moved;
    for (const auto& [name, text] : files) {
      const bool inside = name == from || name.starts_with(from + "/");
      moved[inside ? to + name.substr(from.size()) : name] = text;
    }
    files = std::move(moved);
    return {};
  }
  Result<bool, std::string> make_new_directory(const std::string& path) override {
    return directories.insert(path).second;
  }
  Status<std::string> copy_tree(const std::string& from, const std::string& to) override {
    files[to + "/copied-from"] = from;
    return {};
  }
  Result<std::vector<std::string>, std::string> list_files(const std::string& path) override {
    std::vector<std::string> found;
    for (const auto& [name, text] : files) {
      if (name.starts_with(path + "/")) found.push_back(name.substr(path.size() + 1));
    }
    return found;
  }
};

/// Advances by a second with every look.
class SteppingClock : public WallClock {
 public:
  time::Instant now() override { return at += std::chrono::seconds(1); }
  time::Instant at{std::chrono::milliseconds(1'800'000'000'000)};
};

class RecordingObserver : public Observer {
 public:
  void on_event(const Event& event) override { events.push_back(event); }
  std::vector<Event> events;
};

/// Plays scripted ends; `on_run` may write into the store as an engine would.
class ScriptedLauncher : public PhaseLauncher {
 public:
  std::vector<std::string> node_names{"node-a", "node-b"};
  std::string node_error;
  std::deque<EngineEnd> ends;
  std::vector<EngineRun> runs;
  std::function<void(const EngineRun&)> on_run;
  std::function<void(const EngineRun&, int second)> on_second;

  /// Scripted looks at the nodes; afterwards every look finds `node_names`.
  std::deque<Result<std::vector<NodeFacts>, std::string>> looks;
  int looked = 0;
  /// Ticks that the engine lives through, in seconds since its start, each with 100 bytes of output
  /// more when `talks`.
  std::vector<int> ticks{0};
  bool talks = true;
  std::vector<std::string> cancelled;

  Result<std::vector<NodeFacts>, std::string> look_at_nodes(std::int64_t) override {
    ++looked;
    if (!looks.empty()) {
      auto look = looks.front();
      looks.pop_front();
      return look;
    }
    if (!node_error.empty()) return Unexpected{node_error};
    std::vector<NodeFacts> nodes;
    for (const std::string& name : node_names)
      nodes.emplace_back().node = name;
    return nodes;
  }
  std::vector<std::string> cancel_jobs(const std::vector<std::string>& jobs,
                                       const std::string&) override {
    cancelled.insert(cancelled.end(), jobs.begin(), jobs.end());
    return jobs;
  }
  EngineEnd run(const EngineRun& run) override {
    runs.push_back(run);
    if (on_run) on_run(run);
    EngineEnd end;
    end.end = {"exited", 0, ""};
    EngineTick tick{};
    for (const int second : ticks) {
      tick.now = std::chrono::steady_clock::time_point(std::chrono::seconds(1000 + second));
      if (talks) tick.output_bytes += 100;
      if (on_second) on_second(run, second);
      if (!run.on_tick) continue;
      if (const auto stop = run.on_tick(tick)) {
        end.end = {"timed_out", 0, *stop};
        return end;
      }
    }
    if (!ends.empty()) {
      end = ends.front();
      ends.pop_front();
    }
    return end;
  }
};

}  // namespace abgate::runner
