#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include <abgate/io/files.hpp>
#include <abgate/runner/condense_files.hpp>
#include <abgate/runner/log_pass.hpp>

namespace abgate::runner {
namespace {

Status<io::Error> condense_one(const std::string& path, const condense::Options& options,
                               bool alone, condense::Totals& totals) {
  const auto before = io::state_of(path);
  if (!before) return Unexpected{before.error()};
  auto output = io::OutputFile::create(path);
  if (!output) return Unexpected{output.error()};
  condense::Condenser condenser(options, [&](std::string_view bytes) { output->write(bytes); });
  const auto feed = [&](std::string_view block) { condenser.feed(block); };
  auto read = alone ? io::read_blocks_ahead(path, feed) : io::read_blocks(path, feed);
  if (!read) return read;
  totals = condenser.finish();
  if (totals.runs == 0) return {};
  return output->commit_over(*before);
}

}  // namespace

std::vector<CondensedFile> condense_in_place(const std::vector<std::string>& paths,
                                             const condense::Options& options) {
  constexpr unsigned most_workers = 8;  // the disk is what they wait for, and each takes a megabyte
  std::vector<CondensedFile> files(paths.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < paths.size(); i = next++) {
      files[i].path = paths[i];
      const auto done =
          condense_one(io::absolute(paths[i]), options, paths.size() == 1, files[i].totals);
      if (done) continue;
      files[i].problem = io::format(done.error());
      files[i].totals = {};
    }
  };
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, most_workers);
  std::vector<std::thread> workers;
  for (std::size_t i = 1; i < std::min<std::size_t>(cores, paths.size()); ++i)
    workers.emplace_back(work);
  work();
  for (std::thread& worker : workers)
    worker.join();
  return files;
}

bool is_log_name(std::string_view name) {
  constexpr std::array<std::string_view, 4> endings = {".out", ".err", ".log", ".stdout"};
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

condense::Options log_options(std::vector<condense::Kind> more_kinds, std::int64_t auto_above) {
  condense::Options options;
  for (condense::Kind& kind : more_kinds)
    options.kinds.push_back(std::move(kind));
  options.auto_above = auto_above;
  options.keep = metrics::texts_that_count();
  // What explains a failure is no spam, however often it is said.
  for (const char* text : {"rror", "ERROR", "WARN", "atal", "FATAL", "xception", "exit"})
    options.keep.emplace_back(text);
  return options;
}

}  // namespace abgate::runner
