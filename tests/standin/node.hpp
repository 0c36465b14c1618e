#pragma once

#include "arguments.hpp"

namespace abgate::standin {

/// Names of a run's files (FORMATS 2).
struct RunNames {
  std::string output_dir;
  std::string model;
  std::string deployment;  ///< `<jobid>[_<time>_<hex>]`

  std::string node_log(std::int64_t node, std::string_view extension) const;
  std::string node_folder(std::int64_t node) const;
  std::string rendezvous_folder() const;
};

/// One task of the step: writes the node's logs, trains, copies its artifacts. The directory is
/// the phase's. Returns the task's exit status.
int run_node(const Arguments& arguments);

}  // namespace abgate::standin
