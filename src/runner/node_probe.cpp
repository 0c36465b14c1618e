#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/io/files.hpp>
#include <abgate/runner/node_probe.hpp>

namespace abgate::runner {
namespace {

namespace fs = std::filesystem;

/// A container engine that does not answer at once is not asked further.
constexpr std::chrono::seconds container_timeout{5};
constexpr std::size_t most_names = 20;

std::string host_name() {
  std::array<char, 256> buffer{};
  return ::gethostname(buffer.data(), buffer.size() - 1) == 0 ? buffer.data() : "";
}

std::string value_of(const Environment& environment, std::string_view key) {
  const std::string* value = find_variable(environment, key);
  return value == nullptr ? "" : *value;
}

std::string trimmed_file(const std::string& path) {
  const auto text = io::read_file(path);
  return text ? std::string(text::trim(*text)) : "";
}

/// `0.71 0.63 0.58 3/1045 28771`: load of 1, 5 and 15 minutes, running/all threads, last pid.
void take_load(const std::string& proc, NodeFacts& facts) {
  const std::string text = trimmed_file(proc + "/loadavg");
  const auto words = text::split(text, ' ');
  constexpr std::size_t fourth = 3;
  if (words.size() <= fourth) return;
  const auto load = number::parse_finite(words.front());
  if (load && *load >= 0) facts.load = load;
  const auto running = number::parse_integer(words[fourth].substr(0, words[fourth].find('/')));
  if (running && *running >= 0) facts.running = running;
}

/// amdgpu tells the used memory of each card in bytes.
std::optional<std::int64_t> gpu_memory_of(const std::string& drm) {
  std::optional<std::int64_t> sum;
  std::error_code problem;
  for (const auto& card : fs::directory_iterator(drm, problem)) {
    const std::string used = trimmed_file(card.path().string() + "/device/mem_info_vram_used");
    const bool connector = card.path().filename().string().find('-') != std::string::npos;
    const auto bytes = number::parse_integer(used);
    if (!connector && bytes && *bytes >= 0) sum = sum.value_or(0) + *bytes;
  }
  return sum;
}

std::optional<std::vector<std::string>> containers_of(const Environment& environment,
                                                      process::SignalGate& gate) {
  const std::string path = value_of(environment, "PATH");
  for (const char* engine : {"docker", "podman"}) {
    if (!process::find_program(engine, path)) continue;
    const auto listed = process::capture(
        {{engine, "ps", "--format", "{{.Names}}"}, environment, ""}, container_timeout, gate);
    if (!process::to_process_end(listed.outcome).succeeded()) continue;
    std::vector<std::string> names;
    for (const std::string_view line : text::split(listed.out, '\n')) {
      const std::string_view name = text::trim(line);
      if (!name.empty() && names.size() < most_names) names.push_back(text::printable(name));
    }
    return names;
  }
  return {};
}

/// The environment a process was started with.
Environment environment_of(const std::string& process) {
  Environment out;
  const auto text = io::read_file(process + "/environ");
  if (!text) return out;  // ended meanwhile, or another user's
  for (const std::string_view entry : text::split(*text, '\0')) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    out.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return out;
}

/// Tasks of the job's other steps on this node: the engine's have ended, so these were left behind.
std::vector<std::string> leftovers_of(const ProbeRequest& request) {
  const std::string job = value_of(request.environment, "SLURM_JOB_ID");
  const std::string step = value_of(request.environment, "SLURM_STEP_ID");
  const std::string node = value_of(request.environment, "SLURMD_NODENAME");
  std::vector<std::string> found;
  if (job.empty() || step.empty()) return found;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(request.proc, problem)) {
    const std::string pid = entry.path().filename();
    if (!std::all_of(pid.begin(), pid.end(), text::is_digit)) continue;
    const Environment environment = environment_of(entry.path());
    const std::string its_step = value_of(environment, "SLURM_STEP_ID");
    const bool of_job = value_of(environment, "SLURM_JOB_ID") == job &&
                        value_of(environment, "SLURMD_NODENAME") == node;
    if (!of_job || its_step.empty() || its_step == step) continue;
    const std::string program = trimmed_file(entry.path().string() + "/comm");
    if (!program.empty()) found.push_back(fmt::format("{} {}", pid, text::printable(program)));
  }
  std::sort(found.begin(), found.end());
  if (found.size() > most_names) found.resize(most_names);
  return found;
}

}  // namespace

NodeFacts probe_node(const ProbeRequest& request, process::SignalGate& gate) {
  NodeFacts facts;
  facts.host = text::printable(host_name());
  facts.node = value_of(request.environment, "SLURMD_NODENAME");
  if (facts.node.empty()) facts.node = facts.host.empty() ? "localhost" : facts.host;
  facts.boot_id = trimmed_file(request.proc + "/sys/kernel/random/boot_id");
  take_load(request.proc, facts);
  if (!request.scratch.empty()) {
    if (const auto free = io::free_space(request.scratch)) {
      facts.scratch_free = static_cast<std::int64_t>(*free);
    }
  }
  facts.gpu_memory_used = gpu_memory_of(request.drm);
  facts.containers = containers_of(request.environment, gate);
  facts.leftovers = leftovers_of(request);
  return facts;
}

}  // namespace abgate::runner
