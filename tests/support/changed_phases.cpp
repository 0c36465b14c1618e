#include "support/changed_phases.hpp"

#include <regex>

#include "support/files.hpp"

namespace abgate::test {

namespace fs = std::filesystem;

ProgramResult abgate(std::vector<std::string> arguments,
                     const std::vector<std::string>& environment) {
  arguments.insert(arguments.begin(), abgate_binary());
  return run_program(arguments, environment, "/");
}

std::vector<std::string> with(std::vector<std::string> first,
                              const std::vector<std::string>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

void ChangedPhases::take(const std::string& candidate, const std::string& baseline) {
  const std::string phases = ABGATE_SOURCE_DIR "/tests/data/phases/";
  fs::copy(phases + baseline, this->baseline(), fs::copy_options::recursive);
  fs::copy(phases + candidate, this->candidate(), fs::copy_options::recursive);
}

GateRun ChangedPhases::score(const std::vector<std::string>& more) {
  GateRun run;
  run.program = abgate(with({"score", "--workload", gptoss, "--format", "json", "--baseline",
                             baseline(), "--candidate", candidate()},
                            more));
  auto record = parse_json(run.program.out, "score");
  if (record) run.record = std::move(*record);
  return run;
}

void ChangedPhases::change(const fs::path& phase, const std::string& ending, Change change) {
  int changed = 0;
  for (const auto& entry : fs::recursive_directory_iterator(phase)) {
    if (!entry.is_regular_file() || !entry.path().string().ends_with(ending)) continue;
    const std::string before = read_file(entry.path());
    const std::string after = change(before);
    if (after == before) continue;
    write_file(entry.path(), after);
    ++changed;
  }
  EXPECT_GT(changed, 0) << ending;
}

void ChangedPhases::change_rows(const fs::path& phase, const Change& change) {
  ChangedPhases::change(phase, "perf.csv", change);
  ChangedPhases::change(phase, "perf_primus-megatron-GPT-OSS-120B.csv", change);
}

std::string ChangedPhases::add_sockets(const std::string& log) {
  return replace("\nRCCL version",
                 "\nmi355x-0:1:2 [0] NCCL INFO NET/Socket : Using "
                 "[0]fenic0:10.0.0.1<0>\nRCCL version")(log);
}

ChangedPhases::Change ChangedPhases::replace(const std::string& pattern, const std::string& with) {
  return [pattern, with](const std::string& text) {
    return std::regex_replace(text, std::regex(pattern), with);
  };
}

}  // namespace abgate::test
