#include <array>

#include <abgate/base/json.hpp>
#include <abgate/runner/event.hpp>

namespace abgate::runner {
namespace {

constexpr std::array kinds{"message",     "allocation", "phase_started",
                           "leg_started", "iteration",  "phase_ended"};

std::optional<double> optional_number(const Json& json, std::string_view key) {
  const Json* value = json.find(key);
  if (value == nullptr || !value->is_numeric()) return {};
  return value->as_number();
}

std::int64_t integer(const Json& json, std::string_view key) {
  const Json* value = json.find(key);
  return value != nullptr ? value->as_integer() : 0;
}

std::string string(const Json& json, std::string_view key) {
  const Json* value = json.find(key);
  return value != nullptr ? value->as_string() : "";
}

}  // namespace

std::string to_line(const Event& event) {
  Json json = Json::object();
  json.set("abgate_event", kinds.at(static_cast<std::size_t>(event.kind)));
  json.set("text", event.text);
  json.set("phase", event.phase);
  json.set("phases", event.phases);
  json.set("side", name(event.side));
  json.set("precision", event.precision);
  json.set("iteration", event.iteration);
  json.set("iterations", event.iterations);
  if (event.tokens) json.set("tokens", *event.tokens);
  if (event.elapsed_ms) json.set("elapsed_ms", *event.elapsed_ms);
  return json.dump_line();
}

std::optional<Event> parse_event(std::string_view line) {
  if (!line.starts_with(R"({"abgate_event":)")) return {};
  const auto json = parse_json(line, "event");
  if (!json) return {};
  Event event;
  bool known = false;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (string(*json, "abgate_event") != kinds.at(i)) continue;
    event.kind = static_cast<Event::Kind>(i);
    known = true;
  }
  if (!known) return {};
  event.text = string(*json, "text");
  event.phase = static_cast<int>(integer(*json, "phase"));
  event.phases = static_cast<int>(integer(*json, "phases"));
  event.side = parse_side(string(*json, "side")).value_or(Side::baseline);
  event.precision = string(*json, "precision");
  event.iteration = integer(*json, "iteration");
  event.iterations = integer(*json, "iterations");
  event.tokens = optional_number(*json, "tokens");
  event.elapsed_ms = optional_number(*json, "elapsed_ms");
  return event;
}

}  // namespace abgate::runner
