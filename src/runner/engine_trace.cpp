#include "engine_trace.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <abgate/metrics/traces.hpp>

namespace abgate::runner {
namespace {

constexpr std::size_t piece = std::size_t{16} << 20U;
/// A message that madengine wrapped over some lines is found whole in one of two pieces.
constexpr std::size_t overlap = std::size_t{64} << 10U;

void merge(EngineTrace&& from, EngineTrace& to) {
  to.in_place = to.in_place || from.in_place;
  if (to.in_place_job.empty()) to.in_place_job = std::move(from.in_place_job);
  for (std::string& job : from.submitted_jobs) {
    auto& jobs = to.submitted_jobs;
    if (std::find(jobs.begin(), jobs.end(), job) == jobs.end()) jobs.push_back(std::move(job));
  }
  to.claimed_success = to.claimed_success || from.claimed_success;
  if (from.reported_failure && !to.reported_failure) {
    to.reported_failure = true;
    to.failure_text = std::move(from.failure_text);
  }
}

}  // namespace

Result<EngineTrace, std::string> read_engine_trace(ArtifactStore& store, const std::string& path) {
  EngineTrace trace;
  std::string text;
  const auto read = store.read_blocks(path, [&](std::string_view block) {
    text += block;
    if (text.size() < piece) return;
    merge(metrics::read_engine_log(text), trace);
    text.erase(0, text.size() - overlap);
  });
  if (!read) return Unexpected{read.error()};
  merge(metrics::read_engine_log(text), trace);
  return trace;
}

}  // namespace abgate::runner
