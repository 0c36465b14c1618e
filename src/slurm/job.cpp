#include <algorithm>
#include <array>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/slurm/job.hpp>

namespace abgate::slurm {
namespace {

std::string_view next_field(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

}  // namespace

bool Job::over() const {
  constexpr std::array<std::string_view, 6> alive = {"PENDING",  "RUNNING",     "SUSPENDED",
                                                     "REQUEUED", "CONFIGURING", "STOPPED"};
  return std::find(alive.begin(), alive.end(), state) == alive.end();
}

std::vector<std::string> job_argv(const std::string& id) {
  return {"squeue", "--noheader", "--states=all", "--jobs", id, "--format=%A %U %T %r %Z"};
}

std::optional<Job> parse_job(std::string_view output) {
  std::string_view line = text::trim(output.substr(0, output.find('\n')));
  Job job;
  job.id = next_field(line);
  const auto user = number::parse_integer(next_field(line));
  job.state = next_field(line);
  job.reason = next_field(line);
  job.work_dir = line;
  if (!user || *user < 0 || *user > 4294967295 || job.state.empty()) return std::nullopt;
  job.user_id = static_cast<std::uint32_t>(*user);
  return job;
}

}  // namespace abgate::slurm
