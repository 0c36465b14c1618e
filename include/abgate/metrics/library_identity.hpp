#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace abgate::metrics {

/// Which build an RCCL library file is (FORMATS 5): the halves of its banner stand in the file as
/// separate strings, `2.30.4` and `develop:e711c9e`.
struct LibraryIdentity {
  std::string version;  ///< `<semver>-<ref>:<hash>[+]`, as its banner will say; empty: not told
  std::vector<std::string> semvers;  ///< all candidates found
  std::vector<std::string> ref_hashes;
  bool kpack = false;  ///< has a `.rocm_kpack_ref` section: needs its `.kpack` files beside it
  bool elf = false;
  std::uint64_t size = 0;  ///< bytes
  std::string sha256;
};

/// Reads a library file in pieces, in constant memory.
class LibraryReader {
 public:
  LibraryReader();
  ~LibraryReader();
  LibraryReader(const LibraryReader&) = delete;
  LibraryReader& operator=(const LibraryReader&) = delete;
  void feed(std::string_view bytes);
  /// `version` stays empty when no or more than one `ref:hash` was found: a guess would be no
  /// proof.
  LibraryIdentity finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abgate::metrics
