#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abgate/base/decode.hpp>
#include <abgate/base/json.hpp>

namespace abgate {

/// The state of one node at one moment, as a program on that node saw it. What could not be told
/// is absent.
struct NodeFacts {
  std::string node;                             ///< Slurm's name, else the host's
  std::string host;                             ///< what the host calls itself
  std::string boot_id;                          ///< another one after a reboot
  std::optional<double> load;                   ///< of the last minute
  std::optional<std::int64_t> running;          ///< threads that run or could, at this moment
  std::optional<std::int64_t> scratch_free;     ///< bytes in the scratch folder
  std::optional<std::int64_t> gpu_memory_used;  ///< bytes over all GPUs
  std::optional<std::vector<std::string>> containers;  ///< that run, by name
  std::vector<std::string> leftovers;  ///< processes of earlier steps of the job, `pid program`

  friend bool operator==(const NodeFacts&, const NodeFacts&) = default;
};

/// Every key is always there; what is absent is null.
Json to_json(const NodeFacts& facts);
Json to_json(const std::vector<NodeFacts>& facts);

/// Reads what to_json wrote; problems go to `diagnostics` with their place.
NodeFacts read_node_facts(const Json& json, const std::string& file, const std::string& pointer,
                          Diagnostics& diagnostics);

/// The array under `key`; nothing when the key is absent.
std::vector<NodeFacts> read_facts_array(ObjectReader& reader, std::string_view key,
                                        Diagnostics& diagnostics);

/// What `abgate node-facts` printed on several nodes, one line each; sorted by name, each node
/// once. Lines that are no facts are passed over.
std::vector<NodeFacts> parse_node_facts(std::string_view lines);

/// The names of the nodes, in the order of the facts.
std::vector<std::string> names_of(const std::vector<NodeFacts>& facts);

}  // namespace abgate
