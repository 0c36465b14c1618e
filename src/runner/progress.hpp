#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// Follows the node logs of a running phase, tells legs and iterations as they appear, and knows
/// since when there was no progress. The verdict reads the finished logs anew.
class Progress {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  Progress(ArtifactStore& store, Observer& observer, std::string phase_directory, Event phase);
  /// Reads what is new in the logs. Progress is a leg or an iteration; outside of the iterations,
  /// where nothing better is printed for minutes (an image is pulled, a model is loaded), any
  /// output of a node or of the engine.
  void poll(const EngineTick& tick);
  /// How long nothing has happened; counted from the first poll.
  std::chrono::seconds idle(Moment now) const;
  /// `FP8 iteration 7/15, no progress for 20m`.
  std::string last_seen(Moment now) const;

 private:
  struct Followed {
    std::uint64_t offset = 0;
    std::string partial;  ///< a line whose end has not come yet
    std::string precision;
  };
  void read_logs();
  void take_line(Followed& log, std::string_view line);

  ArtifactStore& store_;
  Observer& observer_;
  std::string directory_;
  Event phase_;
  std::map<std::string, Followed> logs_;
  std::string announced_leg_;
  std::map<std::string, std::int64_t> last_iteration_;  ///< by precision
  std::string seen_;                                    ///< the latest leg or iteration
  bool in_iterations_ = false;  ///< between the first and the last iteration of a leg
  bool stepped_ = false;        ///< a leg or an iteration came with this poll
  bool spoke_ = false;          ///< any output came with this poll
  std::uint64_t engine_bytes_ = 0;
  std::optional<Moment> last_progress_;
};

}  // namespace abgate::runner
