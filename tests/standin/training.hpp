#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "library.hpp"
#include "results.hpp"
#include "settings.hpp"
#include "work.hpp"

namespace abgate::standin {

/// How the nodes of one run wait for each other, as the ranks of a real training do in every
/// all-reduce: files in a hidden folder of the shared output directory.
class Rendezvous {
 public:
  explicit Rendezvous(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void announce(const std::string& what) const;
  /// The last node's training is over before its time: nobody needs to wait for anything more.
  void abandon() const;
  /// Returns at once when it was announced or abandoned; gives up after `timeout_seconds`.
  void await(const std::string& what, std::int64_t timeout_seconds) const;
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

/// One node's share of the training: everything that the container prints, leg by leg. Only the
/// last node computes and reports, since iteration lines come from the last rank only (FORMATS
/// 4); the others wait for it leg by leg.
class Training {
 public:
  struct Place {
    std::int64_t node = 0;
    std::int64_t nodes = 1;
    std::string host;
    bool last() const { return node + 1 == nodes; }
  };
  using Sink = std::function<void(std::string_view)>;

  Training(const Manifest& manifest, const Settings& settings, Library library, Place place,
           const Rendezvous& rendezvous, Sink sink);

  void run();

  bool out_of_memory() const { return out_of_memory_; }
  /// The per-model CSV; on other nodes than the last the header alone.
  const ModelCsv& results() const { return results_; }

 private:
  struct Averages;

  const Manifest& manifest_;
  const Settings& settings_;
  Library library_;
  Place place_;
  const Rendezvous& rendezvous_;
  Sink print_;
  Workbench bench_;
  ModelCsv results_;
  bool out_of_memory_ = false;
  bool first_leg_ = true;

  void run_leg(const LegProfile& leg);
  void print_libraries();
  void train(const LegProfile& leg);
  double work_of(const LegProfile& leg, std::int64_t k) const;
  void disturb(std::int64_t k);
};

}  // namespace abgate::standin
