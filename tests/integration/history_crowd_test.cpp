// Many gates end at once on one results folder, and some are killed in the middle (LESSONS 30).
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>

#include <abgate/base/json.hpp>

#include "support/changed_phases.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

namespace fs = std::filesystem;

constexpr int writers = 20;
constexpr int appends = 50;

/// Ids that a writer was told are safe: the folders of `…/runs/<id>/gate.json`.
std::vector<std::string> acknowledged(const std::string& out) {
  std::vector<std::string> ids;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    // A line that a kill has cut is no acknowledgement.
    if (line.ends_with("/gate.json")) ids.push_back(fs::path(line).parent_path().filename());
  }
  return ids;
}

TEST(HistoryCrowd, KilledWritersLoseTearAndMergeNothing) {
  const TempDir results;
  std::vector<std::unique_ptr<RunningProgram>> running;
  // Two writers each share a run id: an id that repeats must overwrite nothing.
  const auto start = [&](int writer) {
    Command command;
    command.argv = {HISTORY_WRITER, results.path(), "run-" + std::to_string(writer / 2),
                    std::to_string(appends)};
    running.push_back(std::make_unique<RunningProgram>(command));
  };
  for (int writer = 0; writer < writers; ++writer)
    start(writer);
  std::mt19937 random(30);
  int kills = 0;
  for (std::size_t victim = 0; victim < writers; victim += 2) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 100));
    if (!process_lives(running[victim]->pid())) continue;
    running[victim]->send_signal(SIGKILL);
    ++kills;
  }
  std::multiset<std::string> safe;
  for (const auto& program : running) {
    const auto ended = program->wait(std::chrono::seconds(60));
    EXPECT_TRUE(ended.exit == 0 || ended.signal == SIGKILL) << ended.describe();
    for (const std::string& id : acknowledged(ended.out))
      safe.insert(id);
  }
  EXPECT_GE(kills, 3);
  EXPECT_GE(safe.size(), writers / 2 * appends) << "all of those that were left alone";

  const auto listed =
      abgate({"history", "export", "--format", "json", "--results-dir", results.path()});
  ASSERT_EQ(listed.exit, 0) << listed.err;
  const auto json = parse_json(listed.out, "history");
  ASSERT_TRUE(json);
  std::map<std::string, int> found;
  for (const Json& entry : json->find("entries")->items()) {
    const std::string id = entry.find("run_id")->as_string();
    ++found[id];
    EXPECT_EQ(entry.find("nodes")->items().size(), 600U) << id;
    EXPECT_TRUE(fs::exists(results / "runs" / id / "gate.json")) << id;
  }
  for (const std::string& id : safe)
    EXPECT_EQ(found[id], 1) << id;
  for (const auto& [id, times] : found)
    EXPECT_EQ(times, 1) << id;
  // What a killed writer was writing, and nothing else, may be torn; it is told.
  const auto damaged = json->find("damaged")->items().size();
  EXPECT_LE(damaged, static_cast<std::size_t>(kills));
  EXPECT_EQ(listed.err.empty(), damaged == 0) << listed.err;
}

}  // namespace
}  // namespace abgate::test
