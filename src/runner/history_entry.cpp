#include <fmt/format.h>

#include <abgate/history/entry.hpp>
#include <abgate/report/record_json.hpp>
#include <abgate/runner/gate.hpp>
#include <abgate/runner/history_entry.hpp>

namespace abgate::runner {
namespace {

/// The id whose folder below `runs` is new, and is ours now.
Result<std::string, std::string> claim_id(ArtifactStore& store, const std::string& runs,
                                          const std::string& run_id) {
  constexpr int most = 1000;
  for (int attempt = 1; attempt <= most; ++attempt) {
    std::string id = attempt == 1 ? run_id : fmt::format("{}-{}", run_id, attempt);
    const auto made = store.make_new_directory(fmt::format("{}/{}", runs, id));
    if (!made) return Unexpected{made.error()};
    if (*made) return id;
  }
  return Unexpected{fmt::format("{}/{}: exists {} times", runs, run_id, most)};
}

}  // namespace

Result<std::string, std::string> append_history(ArtifactStore& store,
                                                const std::string& results_dir,
                                                const GateRecord& record) {
  const std::string runs = results_dir + "/" + runs_folder;
  // Not its parents: a share that is gone must not come back as a folder of this host.
  if (const auto made = store.make_new_directory(runs); !made) return Unexpected{made.error()};
  auto id = claim_id(store, runs, record.run_id);
  if (!id) return id;
  std::string kept = fmt::format("{}/{}/{}", runs, *id, record_file);
  if (auto written = store.write(kept, report::render_json(record)); !written) {
    return Unexpected{written.error()};
  }
  history::Entry entry = history::entry_of(record);
  entry.run_id = *id;
  const auto appended =
      store.append_line(results_dir + "/" + history_file, history::to_line(entry));
  if (!appended) return Unexpected{appended.error()};
  return kept;
}

}  // namespace abgate::runner
