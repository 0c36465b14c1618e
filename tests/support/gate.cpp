#include "support/gate.hpp"

#include <algorithm>

#include "support/files.hpp"

namespace abgate::test {
namespace {

std::string text_of(const Json* value) {
  return value == nullptr ? "" : value->as_string();
}

}  // namespace

std::string GateRun::verdict() const {
  return text_of(record.find("verdict"));
}

std::vector<std::string> GateRun::codes() const {
  std::vector<std::string> codes;
  const Json* reasons = record.find("reasons");
  if (reasons == nullptr) return codes;
  for (const Json& reason : reasons->items()) {
    if (text_of(reason.find("weight")) != "note") codes.push_back(text_of(reason.find("code")));
  }
  return codes;
}

bool GateRun::has_reason(const std::string& code) const {
  return !reason(code).is_null();
}

Json GateRun::reason(const std::string& code) const {
  const Json* reasons = record.find("reasons");
  if (reasons == nullptr) return {};
  for (const Json& reason : reasons->items()) {
    if (text_of(reason.find("code")) == code) return reason;
  }
  return {};
}

std::string GateRun::reason_text(const std::string& code, const std::string& key) const {
  return text_of(reason(code).find(key));
}

std::string GateRun::describe() const {
  return program.describe() + "\nwork directory: " + work_dir.string();
}

std::filesystem::path abgate_binary() {
  return std::filesystem::path(ABGATE_BINARY_DIR) / "abgate";
}

std::filesystem::path standin_binary() {
  return std::filesystem::path(ABGATE_BINARY_DIR) / "madengine-standin";
}

std::vector<std::string> standin_arguments(const std::filesystem::path& work_dir,
                                           const std::vector<std::string>& more) {
  std::vector<std::string> arguments{abgate_binary(), "run"};
  const std::vector<std::pair<std::string, std::string>> defaults{
      {"--workload", "demo"},
      {"--nodes", "2"},
      {"--engine", standin_binary()},
      {"--scripts", ABGATE_SOURCE_DIR "/tests/data/scripts"},
      {"--work-dir", work_dir},
      {"--candidate-rccl", "develop:e711c9e"},
      {"--candidate-env", "ABGATE_STANDIN_RCCL=2.30.4-develop:e711c9e"}};
  for (const auto& [option, value] : defaults) {
    const bool replaced =
        option != "--candidate-env" && std::find(more.begin(), more.end(), option) != more.end();
    if (replaced) continue;
    arguments.push_back(option);
    arguments.push_back(value);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Json read_record(const std::filesystem::path& work_dir) {
  const auto path = work_dir / "gate.json";
  if (!std::filesystem::exists(path)) return {};
  auto json = parse_json(read_file(path), path.string());
  return json ? std::move(*json) : Json();
}

bool only_disturbed(const GateRun& run) {
  const auto codes = run.codes();
  return !codes.empty() && std::all_of(codes.begin(), codes.end(), [](const std::string& code) {
    // On an idle host the stand-in's tenths can come out the same twice.
    return code == "contaminated" || code == "mean-median-apart" || code == "results-identical";
  });
}

GateRun run_gate(const std::filesystem::path& work_dir, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment) {
  GateRun run;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    run.work_dir = work_dir;
    if (attempt > 1) run.work_dir += "-" + std::to_string(attempt);
    run.program = run_program(standin_arguments(run.work_dir, arguments), environment, {},
                              std::chrono::seconds(120));
    run.record = read_record(run.work_dir);
    if (!only_disturbed(run)) break;
  }
  return run;
}

}  // namespace abgate::test
