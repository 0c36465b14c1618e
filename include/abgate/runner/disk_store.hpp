#pragma once

#include <abgate/runner/ports.hpp>

namespace abgate::runner {

/// The artifact store on a real file system.
class DiskStore : public ArtifactStore {
 public:
  Result<std::string, std::string> read(const std::string& path) override;
  Status<std::string> read_blocks(const std::string& path,
                                  const std::function<void(std::string_view)>& take) override;
  Result<std::string, std::string> read_range(const std::string& path, std::uint64_t offset,
                                              std::size_t limit) override;
  Status<std::string> write(const std::string& path, std::string_view text) override;
  Status<std::string> append_line(const std::string& path, std::string_view line) override;
  Status<std::string> make_directories(const std::string& path) override;
  bool exists(const std::string& path) override;
  Status<std::string> remove(const std::string& path) override;
  Status<std::string> move(const std::string& from, const std::string& to) override;
  Result<bool, std::string> make_new_directory(const std::string& path) override;
  Status<std::string> copy_tree(const std::string& from, const std::string& to) override;
  Result<std::vector<std::string>, std::string> list_files(const std::string& path) override;
};

class SystemClock : public WallClock {
 public:
  time::Instant now() override {
    return std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
  }
};

}  // namespace abgate::runner
