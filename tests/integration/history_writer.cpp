// Appends gates to a history as `abgate run` does at its end, and says on stdout which of them are
// safe: history_writer RESULTS-DIR RUN-ID COUNT. To be killed at any moment.
#include <cstdlib>
#include <string>

#include <unistd.h>

#include <abgate/runner/disk_store.hpp>
#include <abgate/runner/history_entry.hpp>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  abgate::runner::DiskStore store;
  abgate::GateRecord record;
  record.run_id = argv[2];
  record.command = "run";
  record.tool_version = "1";
  record.step = "finished";
  record.allocation.emplace();
  // Longer than a page, so that a torn line would show.
  for (int node = 0; node < 600; ++node)
    record.allocation->nodes.push_back("mi355x-" + std::to_string(node));
  for (int i = 0; i < std::atoi(argv[3]); ++i) {
    const auto kept = abgate::runner::append_history(store, argv[1], record);
    if (!kept) return 1;
    const std::string safe = *kept + "\n";
    if (::write(STDOUT_FILENO, safe.data(), safe.size()) < 0) return 1;
  }
  return 0;
}
