#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/temp_dir.hpp"

namespace abgate::test {

/// A private Slurm of several nodes, made by tests/cluster/private-slurm (see there for its
/// partitions and nodes). It ends with this object, and with the test process however that ends.
class SlurmCluster {
 public:
  /// Throws std::runtime_error with what the script said, also when Slurm is not installed.
  explicit SlurmCluster(int nodes = 4);
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  SlurmCluster(SlurmCluster&&) = delete;
  SlurmCluster& operator=(SlurmCluster&&) = delete;

  /// The one that ClusterEnvironment started for all tests of this process.
  static SlurmCluster& shared();

  /// `PATH=…` and `SLURM_CONF=…`, and the removal of what the caller's own Slurm set.
  const std::vector<std::string>& environment() const { return environment_; }
  /// environment() and more entries behind it.
  std::vector<std::string> environment_with(const std::vector<std::string>& more) const;
  const std::filesystem::path& directory() const { return directory_.path(); }
  /// Processes that the cluster is made of (munged, slurmctld, slurmd …), while it runs.
  std::vector<pid_t> daemons() const;

  /// Runs a program with this environment.
  ProgramResult run(const std::vector<std::string>& argv, const std::filesystem::path& cwd = {},
                    std::chrono::milliseconds timeout = std::chrono::seconds(60)) const;
  /// Job ids of all jobs that wait, run or are completing.
  std::vector<std::string> jobs() const;
  /// True once no job is left and every node is idle.
  bool becomes_idle(std::chrono::milliseconds timeout = std::chrono::seconds(20)) const;
  void stop();

 private:
  TempDir directory_;
  std::vector<std::string> environment_;
  bool running_ = false;
};

/// Starts the shared cluster before the first test and stops it after the last one.
class ClusterEnvironment : public ::testing::Environment {
 public:
  ClusterEnvironment();
  ~ClusterEnvironment() override;
  ClusterEnvironment(const ClusterEnvironment&) = delete;
  ClusterEnvironment& operator=(const ClusterEnvironment&) = delete;
  ClusterEnvironment(ClusterEnvironment&&) = delete;
  ClusterEnvironment& operator=(ClusterEnvironment&&) = delete;

  void SetUp() override;
  void TearDown() override;

 private:
  std::unique_ptr<SlurmCluster> cluster_;
};

/// Lines of a text, without the empty ones.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace abgate::test
