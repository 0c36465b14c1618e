#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace abgate::metrics {

/// The first line of a banner (FORMATS 5).
struct BannerHead {
  std::string version;
  std::string host;  ///< of a prefix `host:pid:tid [dev] NCCL INFO`; else empty
};

/// Finds `RCCL version : <semver>-<ref>:<hash>[+]`, or the older `RCCL version <semver>
/// <ref>:<hash>` and `… Unknown`, anywhere in a line: other text may be glued in front or behind.
/// Text in quotes is something that quotes a banner, not a banner.
std::optional<BannerHead> find_banner(std::string_view line);

/// The value of `Hostname     : x`, or of `Librccl path : x`.
std::optional<std::string> find_banner_host(std::string_view line);
std::optional<std::string> find_banner_path(std::string_view line);

/// `IB` of `NET/IB : Using [0]mlx5_0:1/RoCE …`. A line that names no device (`Using [RO]; OOB …`)
/// proves no transport and gives nothing.
std::optional<std::string> find_transport(std::string_view line);

}  // namespace abgate::metrics
