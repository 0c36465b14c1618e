#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <abgate/base/secret.hpp>
#include <abgate/base/text.hpp>

#include "check.hpp"

namespace abgate::plan {
namespace {

/// The two env blocks: madengine's host side, and the container.
struct Blocks {
  Place container;  // context.docker_env_vars
  Place host;       // deployment_config.env_vars
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// True for `$X`, `${X}` and `$(x)`.
bool has_expansion(std::string_view value) {
  for (std::size_t at = value.find('$'); at != std::string_view::npos;
       at = value.find('$', at + 1)) {
    const char next = at + 1 < value.size() ? value[at + 1] : ' ';
    if (next == '{' || next == '(' || is_letter(next)) return true;
  }
  return false;
}

void check_variable(const Place& variable, std::string_view name, Findings& findings) {
  if (!is_variable_name(name)) {
    findings.error(variable, fmt::format("{} is not the name of a variable: madengine stops at it",
                                         quoted(name)));
  }
  if (variable.value->is_numeric()) {
    findings.warning(variable, "is a number, not a string", "put it into quotes");
    return;
  }
  if (!findings.string(variable)) return;
  if (has_expansion(variable.text())) {
    findings.error(variable, "holds a shell expansion, which reaches the container as that literal",
                   "give the value itself");
  } else if (variable.text().find_first_of("\"`\\\n") != std::string_view::npos) {
    findings.error(variable, "holds a character that ends or changes the quotes around it",
                   "give a value without \", `, \\ and line ends");
  }
}

void check_block(const Place& block, Findings& findings) {
  if (!findings.object(block)) return;
  for (const Json::Member& variable : block.value->members())
    check_variable(block[variable.key], variable.key, findings);
}

/// Variables of the communication libraries: both the host side and the container obey them.
bool is_communication(std::string_view name) {
  return name.starts_with("NCCL_") || name.starts_with("GLOO_") || name.starts_with("RCCL_");
}

void check_missing_in_host(const Place& variable, std::string_view name, const Place& host,
                           Findings& findings) {
  const std::string message = fmt::format("is not in {}", host.pointer);
  if (is_communication(name)) {
    findings.error(variable, message, "give it in both, with equal values");
  } else if (!name.starts_with("PRIMUS_")) {
    findings.warning(variable, message, "give it in both, with equal values");
  }
}

void check_missing_in_container(const Place& variable, std::string_view name,
                                const Place& container, Findings& findings) {
  const std::string message =
      fmt::format("is not in {}, so it does not reach the container", container.pointer);
  if (is_communication(name) || name.starts_with("PRIMUS_")) {
    findings.error(variable, message, "give it in both, with equal values");
  } else {
    findings.warning(variable, message, "give it in both, with equal values");
  }
}

std::string shown(const Json& value, std::string_view name) {
  if (looks_secret_name(name)) return "another value";
  return value.is_string() ? quoted(value.as_string()) : text::printable(value.dump_line());
}

void check_equal(const Blocks& blocks, Findings& findings) {
  for (const Json::Member& variable : blocks.container.value->members()) {
    const Place inside = blocks.container[variable.key];
    const Place outside = blocks.host[variable.key];
    if (!outside) {
      check_missing_in_host(inside, variable.key, blocks.host, findings);
    } else if (!(*inside.value == *outside.value)) {
      findings.error(outside,
                     fmt::format("is {}, but {} is {}", shown(*outside.value, variable.key),
                                 inside.pointer, shown(*inside.value, variable.key)),
                     "give equal values");
    }
  }
  for (const Json::Member& variable : blocks.host.value->members()) {
    if (blocks.container.value->find(variable.key) == nullptr) {
      check_missing_in_container(blocks.host[variable.key], variable.key, blocks.container,
                                 findings);
    }
  }
}

/// Reported once, at the container's block: that both blocks agree is another rule.
void check_fabric(const Blocks& blocks, Findings& findings) {
  struct Preset {
    const char* name;
    const char* value;
  };
  for (const Preset& preset :
       {Preset{"NCCL_IB_DISABLE", "1"}, Preset{"NCCL_SOCKET_IFNAME", "eth0"}}) {
    const Place variable = blocks.container[preset.name];
    if (!variable && !blocks.host[preset.name]) {
      findings.error(
          variable,
          fmt::format("is left to madengine's preset for more than one node, which is {}",
                      preset.value),
          "give it in both env blocks");
    }
  }
  if (!blocks.container["GLOO_SOCKET_IFNAME"]) {
    findings.error(blocks.container["GLOO_SOCKET_IFNAME"], "is missing with more than one node",
                   "give the socket interface, as in NCCL_SOCKET_IFNAME");
  }
  const Place disabled = blocks.container["NCCL_IB_DISABLE"];
  if (disabled && disabled.text() != "0") {
    findings.warning(disabled, "is not \"0\": the run will use sockets, not the fabric");
    return;
  }
  for (const char* name : {"NCCL_NET", "NCCL_IB_HCA", "NCCL_IB_GID_INDEX", "NCCL_NET_PLUGIN"}) {
    if (!blocks.container[name]) {
      findings.warning(blocks.container[name], "is missing with more than one node",
                       "give it in both env blocks, or the image and the library decide");
    }
  }
}

void check_interface(const Place& manifest, const Blocks& blocks, Findings& findings) {
  const Place interface = manifest["deployment_config"]["slurm"]["network_interface"];
  const Place variable = blocks.container["NCCL_SOCKET_IFNAME"];
  if (interface && variable && interface.text() != variable.text()) {
    findings.error(interface,
                   fmt::format("is {}, but NCCL_SOCKET_IFNAME is {}", quoted(interface.text()),
                               quoted(variable.text())),
                   "give the socket interface");
  }
}

void check_plugin(const Place& manifest, const Blocks& blocks, Findings& findings) {
  const Place plugin = blocks.container["NCCL_NET_PLUGIN"];
  if (overlays_rccl(manifest) && plugin.text() != "none") {
    findings.error(plugin,
                   "is not \"none\", though a library is mounted over the image's own: the image's "
                   "plugin deadlocks with it",
                   "give \"none\" in both env blocks");
  }
}

void report_secret(const Place& at, Findings& findings) {
  findings.error(at, "looks like a secret; madengine prints the whole manifest",
                 "pass it through the environment, as MAD_SECRETS_* or HF_TOKEN");
}

/// True for a text that assigns a secret, as in `-e HF_TOKEN=…`.
bool assigns_secret(std::string_view text) {
  const std::vector<std::string_view> words = text::split(text, ' ');
  return std::any_of(words.begin(), words.end(), [](std::string_view word) {
    for (std::size_t at = word.find('='); at != std::string_view::npos;
         at = word.find('=', at + 1)) {
      if (at + 1 < word.size() && looks_secret_name(word.substr(0, at))) return true;
    }
    return false;
  });
}

bool is_scalar(const Json& value) {
  return value.is_string() || value.is_numeric();
}

void check_secrets_below(const Place& place, Findings& findings) {
  if (place.value->is_string()) {
    const std::string_view text = place.text();
    if (looks_secret_value(text) || assigns_secret(text)) report_secret(place, findings);
    return;
  }
  for (const Json::Member& member : place.value->members()) {
    const Place inside = place[member.key];
    if (looks_secret_name(member.key) && is_scalar(member.value)) {
      report_secret(inside, findings);
    } else {
      check_secrets_below(inside, findings);
    }
  }
  for (std::size_t i = 0; i < place.value->items().size(); ++i) {
    const Json& item = place.value->items()[i];
    check_secrets_below({&item, pointer_join(place.pointer, i), item.position()}, findings);
  }
}

}  // namespace

void check_environment(const Place& manifest, Findings& findings) {
  const Blocks blocks{manifest["context"]["docker_env_vars"],
                      manifest["deployment_config"]["env_vars"]};
  check_block(blocks.container, findings);
  check_block(blocks.host, findings);
  if (!blocks.container.is_object() || !blocks.host.is_object()) return;
  check_equal(blocks, findings);
  check_interface(manifest, blocks, findings);
  check_plugin(manifest, blocks, findings);
  const bool on_slurm = manifest["deployment_config"]["target"].text() != "local";
  const auto nodes = nodes_of(manifest);
  if (nodes.value_or(0) > 1 && on_slurm) check_fabric(blocks, findings);
  const Place net = blocks.container["NCCL_NET"];
  if (nodes == 1 && net) findings.error(net, "is set with one node", "leave it out");
}

void check_secrets(const Place& manifest, Findings& findings) {
  check_secrets_below(manifest, findings);
}

}  // namespace abgate::plan
