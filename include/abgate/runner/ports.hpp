#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/base/result.hpp>
#include <abgate/base/time.hpp>
#include <abgate/model/evidence.hpp>
#include <abgate/runner/event.hpp>

namespace abgate::runner {

/// Where phases, records and reports lie. Paths are absolute; errors are sentences that name the
/// path.
class ArtifactStore {
 public:
  virtual ~ArtifactStore() = default;
  virtual Result<std::string, std::string> read(const std::string& path) = 0;
  virtual Status<std::string> read_blocks(const std::string& path,
                                          const std::function<void(std::string_view)>& take) = 0;
  /// At most `limit` bytes from `offset` on.
  virtual Result<std::string, std::string> read_range(const std::string& path, std::uint64_t offset,
                                                      std::size_t limit) = 0;
  /// Replaces the file atomically.
  virtual Status<std::string> write(const std::string& path, std::string_view text) = 0;
  virtual Status<std::string> append_line(const std::string& path, std::string_view line) = 0;
  virtual Status<std::string> make_directories(const std::string& path) = 0;
  virtual bool exists(const std::string& path) = 0;
  virtual Status<std::string> remove(const std::string& path) = 0;
  /// Within one file system.
  virtual Status<std::string> move(const std::string& from, const std::string& to) = 0;
  /// Creates one directory; false when something of that name exists.
  virtual Result<bool, std::string> make_new_directory(const std::string& path) = 0;
  virtual Status<std::string> copy_tree(const std::string& from, const std::string& to) = 0;
  /// Files below the directory, relative to it, sorted.
  virtual Result<std::vector<std::string>, std::string> list_files(const std::string& path) = 0;
};

class WallClock {
 public:
  virtual ~WallClock() = default;
  virtual time::Instant now() = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_event(const Event& event) = 0;
  /// Called about once a second, or more often, while something is waited for.
  virtual void on_tick() {}
};

/// A moment of a running engine.
struct EngineTick {
  std::chrono::steady_clock::time_point now;
  std::uint64_t output_bytes = 0;  ///< that the engine has printed so far
};

/// One engine run.
struct EngineRun {
  std::vector<std::string> argv;
  std::string directory;
  std::string log;  ///< path of engine.log
  std::chrono::seconds budget{};
  /// Called about once a second while the engine runs; a text ends it and becomes the detail of
  /// its end.
  std::function<std::optional<std::string>(const EngineTick&)> on_tick;
};

/// How an engine run ended; `signal` when we were told to stop, then no further phase may start.
struct EngineEnd {
  ProcessEnd end;
  bool stop = false;
  int signal = 0;
};

/// Runs engines where the nodes are: on this host, or inside the allocation.
class PhaseLauncher {
 public:
  virtual ~PhaseLauncher() = default;
  /// The nodes and their state, as they themselves say, by one step over all of them; sorted by
  /// name. An error is one sentence.
  virtual Result<std::vector<NodeFacts>, std::string> look_at_nodes(std::int64_t count) = 0;
  virtual EngineEnd run(const EngineRun& run) = 0;
  /// Ends those of the jobs that were submitted by us from inside of `directory`, and no other
  /// (LESSONS 23, 25); returns the ids of the jobs that it told Slurm to end.
  virtual std::vector<std::string> cancel_jobs(const std::vector<std::string>& jobs,
                                               const std::string& directory) = 0;
};

}  // namespace abgate::runner
