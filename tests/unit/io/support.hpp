#pragma once

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abgate/io/files.hpp>

#include "support/files.hpp"
#include "support/temp_dir.hpp"

namespace abgate::io {

using test::ScratchFolder;
using test::slurp;

inline void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// The names in a folder, sorted and joined by blanks; hidden ones too.
inline std::string names(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    all.push_back(entry.path().filename().string());
  }
  std::sort(all.begin(), all.end());
  std::string text;
  for (const auto& name : all)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

/// `ok`, or the action and errno text without the path.
template <class T>
std::string said(const T& result) {
  if (result) return "ok";
  return result.error().action + ": " + std::generic_category().message(result.error().code);
}

/// Runs `work` in a fork, for what would change the test itself, and returns its text.
inline std::string in_fork(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const auto text = work();
    ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t got = 0; (got = ::read(ends[0], block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

/// What stands for a full disk: a small file system of our own where we may mount one, else a limit
/// on the size of files, which fails in the same places with another errno.
struct FullDisk {
  std::string error = "No space left on device";
  static constexpr std::size_t room = 64U << 10U;

  /// To be called in a fork; `folder` becomes the small file system.
  static FullDisk make(const std::string& folder) {
    const auto small = "size=" + std::to_string(room);
    for (const int spaces : {CLONE_NEWNS, CLONE_NEWUSER | CLONE_NEWNS}) {  // NOLINT(*-bitwise)
      if (::unshare(spaces) != 0) continue;
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);  // NOLINT(*-bitwise)
      if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, small.c_str()) == 0) return {};
    }
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{room, room};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return {"File too large"};
  }
};

}  // namespace abgate::io
