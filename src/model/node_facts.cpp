#include <map>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/model/node_facts.hpp>

namespace abgate {
namespace {

constexpr ObjectReader::Range from_zero{.minimum = 0, .maximum = {}};

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

bool present(ObjectReader& reader, std::string_view key) {
  const Json* value = reader.raw(key, true);
  return value != nullptr && !value->is_null();
}

}  // namespace

Json to_json(const NodeFacts& facts) {
  return Json::object({{"node", facts.node},
                       {"host", facts.host},
                       {"boot_id", facts.boot_id},
                       {"load", or_null(facts.load)},
                       {"running", or_null(facts.running)},
                       {"scratch_free", or_null(facts.scratch_free)},
                       {"gpu_memory_used", or_null(facts.gpu_memory_used)},
                       {"containers", facts.containers ? Json::strings(*facts.containers) : Json()},
                       {"leftovers", Json::strings(facts.leftovers)}});
}

Json to_json(const std::vector<NodeFacts>& facts) {
  Json out = Json::array();
  for (const NodeFacts& node : facts)
    out.push_back(to_json(node));
  return out;
}

NodeFacts read_node_facts(const Json& json, const std::string& file, const std::string& pointer,
                          Diagnostics& diagnostics) {
  NodeFacts facts;
  ObjectReader reader(json, file, pointer, diagnostics);
  if (!reader.usable()) return facts;
  facts.node = reader.string("node", true).value_or("");
  facts.host = reader.string("host", true).value_or("");
  facts.boot_id = reader.string("boot_id", true).value_or("");
  if (present(reader, "load")) facts.load = reader.number("load", from_zero);
  if (present(reader, "running")) facts.running = reader.integer("running", from_zero);
  if (present(reader, "scratch_free")) {
    facts.scratch_free = reader.integer("scratch_free", from_zero);
  }
  if (present(reader, "gpu_memory_used")) {
    facts.gpu_memory_used = reader.integer("gpu_memory_used", from_zero);
  }
  if (present(reader, "containers")) facts.containers = reader.strings("containers");
  facts.leftovers = reader.strings("leftovers", true).value_or(std::vector<std::string>());
  return facts;
}

std::vector<NodeFacts> read_facts_array(ObjectReader& reader, std::string_view key,
                                        Diagnostics& diagnostics) {
  std::vector<NodeFacts> facts;
  const Json* array = reader.raw(key);
  if (array == nullptr || array->is_null()) return facts;
  if (!array->is_array()) {
    reader.error(key, "expected an array of nodes");
    return facts;
  }
  for (std::size_t i = 0; i < array->items().size(); ++i) {
    facts.push_back(read_node_facts(array->items()[i], reader.file(),
                                    fmt::format("{}/{}", reader.pointer(key), i), diagnostics));
  }
  return facts;
}

std::vector<NodeFacts> parse_node_facts(std::string_view lines) {
  std::map<std::string, NodeFacts> by_name;
  for (const std::string_view line : text::split(lines, '\n')) {
    const auto json = parse_json(line, "node-facts");
    if (!json) continue;  // a step's own messages may stand between
    Diagnostics problems;
    NodeFacts facts = read_node_facts(*json, "node-facts", "", problems);
    if (problems.empty() && !facts.node.empty()) by_name[facts.node] = std::move(facts);
  }
  std::vector<NodeFacts> nodes;
  nodes.reserve(by_name.size());
  for (auto& [name, facts] : by_name)
    nodes.push_back(std::move(facts));
  return nodes;
}

std::vector<std::string> names_of(const std::vector<NodeFacts>& facts) {
  std::vector<std::string> names;
  for (const NodeFacts& node : facts)
    names.push_back(node.node);
  return names;
}

}  // namespace abgate
