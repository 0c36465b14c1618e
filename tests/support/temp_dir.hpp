#pragma once

#include <filesystem>
#include <string>

namespace abgate::test {

/// A new folder for one test. It is removed at the end, or kept and printed when the test failed.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  TempDir(TempDir&&) = delete;
  TempDir& operator=(TempDir&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// The same for code that takes paths as texts.
class ScratchFolder {
 public:
  std::string path() const { return directory_.path().string(); }
  std::string operator/(const std::string& name) const { return path() + "/" + name; }

 private:
  TempDir directory_;
};

}  // namespace abgate::test
