#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/config/resolve.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/report/render.hpp>
#include <abgate/runner/gate.hpp>
#include <abgate/runner/resume.hpp>
#include <abgate/slurm/job.hpp>
#include <abgate/slurm/nodes.hpp>

namespace abgate::runner {
namespace {

constexpr std::chrono::seconds ask_timeout{20};

/// `<id>`, then `<id>.2`, `<id>.3`.
std::string next_run_id(const GateRecord& record) {
  const std::string& first =
      record.attempts.empty() ? record.run_id : record.attempts.front().run_id;
  return fmt::format("{}.{}", first, record.attempts.size() + 2);
}

bool all_done(const GateRecord& record) {
  return !record.phases.empty() &&
         std::all_of(record.phases.begin(), record.phases.end(),
                     [](const PhaseRecord& phase) { return phase.state == "done"; });
}

}  // namespace

Result<ResumePoint, std::string> read_resume_point(ArtifactStore& store,
                                                   const std::string& work_dir) {
  const std::string path = work_dir + "/" + record_file;
  const auto text = store.read(path);
  if (!text) return Unexpected{text.error() + "; --resume needs the work directory of a gate"};
  const auto record = report::parse_record(*text, path);
  if (!record) return Unexpected{format(record.error().front())};
  if (record->command != "run") {
    return Unexpected{fmt::format("{} is the record of `abgate {}`, which can't be resumed", path,
                                  text::printable(record->command))};
  }
  if (record->step == "finished") {
    return Unexpected{fmt::format("the gate in {} has finished; start a new one", work_dir)};
  }
  auto config = config::from_json(record->config, path);
  if (!config) return Unexpected{format(config.error().front())};
  ResumePoint point;
  point.config = std::move(*config);
  point.config.work_dir = work_dir;
  point.run_id = next_run_id(*record);
  point.attempts = record->attempts;
  AttemptRecord interrupted;
  interrupted.run_id = record->run_id;
  interrupted.directory = fmt::format("attempts/{}", record->attempts.size() + 1);
  interrupted.step = record->step;
  interrupted.signal = record->signal;
  if (record->allocation) {
    interrupted.job_id = record->allocation->job_id;
    point.nodes = record->allocation->nodes;
  }
  point.attempts.push_back(std::move(interrupted));
  point.phases_done = record->step == "phases done" && all_done(*record);
  return point;
}

bool still_runs(const ResumePoint& point, const Environment& environment,
                process::SignalGate& gate) {
  const std::string& job = point.attempts.back().job_id;
  if (job.empty() || point.config.launcher != Launcher::slurm) return false;
  const auto answer = process::capture({slurm::job_argv(job), environment, ""}, ask_timeout, gate);
  const auto found = slurm::parse_job(answer.out);
  return found && found->id == job && !found->over();
}

std::string choose_nodes(ResumePoint& point, const Environment& environment,
                         process::SignalGate& gate) {
  if (point.config.launcher != Launcher::slurm || point.config.use_allocation) return "";
  if (point.nodes.empty()) return "no nodes had been held";
  const auto answer =
      process::capture({slurm::node_states_argv(point.nodes), environment, ""}, ask_timeout, gate);
  const auto unusable = slurm::unusable_nodes(point.nodes, answer.out);
  if (!unusable.empty()) {
    return fmt::format("other nodes are taken, as {} can't be had", text::join(unusable, ", "));
  }
  point.config.nodelist = text::join(point.nodes, ",");
  return fmt::format("on the same nodes, {}", text::join(point.nodes, ", "));
}

Status<std::string> set_aside(const ResumePoint& point, ArtifactStore& store,
                              const std::string& work_dir) {
  const std::string folder = work_dir + "/" + point.attempts.back().directory;
  if (auto made = store.make_directories(folder); !made) return made;
  // The record goes last: until then the next --resume finds everything where it was.
  std::vector<std::string> names{"phases", "docker_builds", "reserve", allocation_file};
  for (const report::Format& format : report::formats()) {
    if (!format.file.empty()) names.emplace_back(format.file);
  }
  names.emplace_back(record_file);
  for (const std::string& name : names) {
    const std::string from = work_dir + "/" + name;
    if (!store.exists(from)) continue;
    if (auto moved = store.move(from, folder + "/" + name); !moved) return moved;
  }
  return {};
}

}  // namespace abgate::runner
