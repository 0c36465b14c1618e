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
};

/// One engine run.
struct EngineRun {
  std::vector<std::string> argv;
  std::string directory;
  std::string log;  ///< path of engine.log
  std::chrono::seconds budget{};
  /// Called about once a second while the engine runs.
  std::function<void()> on_tick;
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
  /// The host names of the nodes, as the nodes themselves say; an error is one sentence.
  virtual Result<std::vector<std::string>, std::string> nodes(std::int64_t count) = 0;
  virtual EngineEnd run(const EngineRun& run) = 0;
};

}  // namespace abgate::runner
