#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Follows the node logs of a running phase and tells legs and iterations as they appear. For the
/// display only: the verdict reads the finished logs anew.
class Progress {
 public:
  Progress(ArtifactStore& store, Observer& observer, std::string phase_directory, Event phase);
  /// Reads what is new in the logs.
  void poll();

 private:
  struct Followed {
    std::uint64_t offset = 0;
    std::string partial;  ///< a line whose end has not come yet
    std::string precision;
  };
  void take_line(Followed& log, std::string_view line);

  ArtifactStore& store_;
  Observer& observer_;
  std::string directory_;
  Event phase_;
  std::map<std::string, Followed> logs_;
  std::string announced_leg_;
  std::map<std::string, std::int64_t> last_iteration_;  ///< by precision
};

}  // namespace abgate::runner
