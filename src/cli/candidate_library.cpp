#include "candidate_library.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/compare/identity.hpp>
#include <abgate/io/files.hpp>
#include <abgate/metrics/library_identity.hpp>

namespace abgate::cli {
namespace {

bool mounts_kpack(const GateConfig& config) {
  const auto& mounts = config.candidate.library_mounts;
  return std::any_of(mounts.begin(), mounts.end(),
                     [](const Mount& mount) { return mount.host.ends_with(".kpack"); });
}

}  // namespace

std::optional<std::string> pin_candidate_library(GateConfig& config) {
  if (config.candidate.library.empty() || config.candidate.library_mounts.empty()) return {};
  const std::string& path = config.candidate.library_mounts.front().host;
  metrics::LibraryReader reader;
  const auto read = io::read_blocks(path, [&](std::string_view block) { reader.feed(block); });
  if (!read) return "--candidate-library: " + io::format(read.error());
  const metrics::LibraryIdentity identity = reader.finish();
  const std::string where = fmt::format("{} ({} bytes, sha256 {})", text::printable(path),
                                        identity.size, identity.sha256);

  if (identity.kpack && !mounts_kpack(config)) {
    return fmt::format(
        "--candidate-library: {} is a kpack build, but no rccl*.kpack file lies "
        "beside it; give the folder that holds both",
        where);
  }
  const auto of_file = compare::parse_identity(identity.version);
  if (config.candidate_rccl.empty()) {
    if (!of_file) {
      return fmt::format(
          "--candidate-library: {} tells {} build identities; say which build it "
          "is with --candidate-rccl",
          where, identity.ref_hashes.empty() ? "no" : "several");
    }
    config.candidate_rccl = identity.version;
    config.origins["candidate_rccl"] = "read from " + where;
    return {};
  }
  const auto asked = compare::parse_identity(config.candidate_rccl);
  if (of_file && asked && !compare::same_build(*of_file, *asked)) {
    return fmt::format("--candidate-rccl says {}, but {} is {}", config.candidate_rccl, where,
                       identity.version);
  }
  return {};
}

}  // namespace abgate::cli
