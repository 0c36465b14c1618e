#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <abgate/base/text.hpp>
#include <abgate/compare/identity.hpp>

#include "checks.hpp"
#include "hosts.hpp"
#include "images.hpp"

// LESSONS 6. Only phases that measured something are judged: where there is no number there is
// nothing to distrust, and the missing legs are said elsewhere.

namespace abgate::compare {
namespace {

std::string words_of(const PhaseInput& phase, const RcclBanner& banner) {
  const std::string path =
      banner.path.empty() ? "" : fmt::format(" from {}", text::printable(banner.path));
  const std::string leg =
      banner.precision.empty() ? "" : fmt::format(" for {}", text::printable(banner.precision));
  return fmt::format("node {} loaded {}{}{}",
                     text::printable(node_name(phase, banner.host, banner.node_index)),
                     text::printable(banner.version), path, leg);
}

/// One reason for all the banners of a phase that are wrong in the same way.
void say_banners(Code code, const PhaseInput& phase, const std::string& what,
                 const std::vector<const RcclBanner*>& banners, Reasons& reasons) {
  if (banners.empty()) return;
  const RcclBanner& first = *banners.front();
  Reason reason = about(code, phase,
                        fmt::format("{}: {} ({} of its {} banners)", what, words_of(phase, first),
                                    banners.size(), phase.evidence->banners.size()));
  reason.node = node_name(phase, first.host, first.node_index);
  const bool one_leg = std::all_of(banners.begin(), banners.end(), [&](const RcclBanner* banner) {
    return banner->precision == first.precision;
  });
  if (one_leg) reason.precision = first.precision;
  for (const RcclBanner* banner : banners)
    cite(reason, phase, banner->where);
  reasons.push_back(std::move(reason));
}

template <class Wrong>
std::vector<const RcclBanner*> banners_that(const PhaseInput& phase, Wrong wrong) {
  std::vector<const RcclBanner*> out;
  for (const RcclBanner& banner : phase.evidence->banners) {
    if (wrong(parse_identity(banner.version))) out.push_back(&banner);
  }
  return out;
}

using Identity = std::optional<BuildIdentity>;

Hosts nodes_with_banner(const PhaseInput& phase, const std::string* precision) {
  Hosts out;
  for (const RcclBanner& banner : phase.evidence->banners) {
    if (precision != nullptr && !same_name(banner.precision, *precision)) continue;
    out.insert(node_name(phase, banner.host, banner.node_index));
  }
  return out;
}

/// Nodes of the allocation, as well as they are known.
Hosts allocated(const Inputs& inputs, const PhaseInput& phase) {
  Hosts out;
  for (const std::string& node : inputs.context.nodes)
    out.insert(short_host(node));
  return out.empty() ? hosts_of(phase) : out;
}

std::string absent_nodes(const Inputs& inputs, const PhaseInput& phase, const Hosts& seen) {
  Hosts absent;
  for (const std::string& node : allocated(inputs, phase)) {
    if (seen.count(node) == 0) absent.insert(node);
  }
  return absent.empty() ? "" : fmt::format(" (nothing from {})", list(absent));
}

/// Fewer nodes than the allocation is not proof. Counted by number, because a container may call
/// itself by another name than its node.
void check_coverage(const Inputs& inputs, const PhaseInput& phase, Reasons& reasons) {
  const std::size_t needed = expected_nodes(inputs.config);
  const Hosts seen = nodes_with_banner(phase, nullptr);
  if (seen.size() < needed) {
    reasons.push_back(about(
        Code::rccl_not_proved, phase,
        seen.empty()
            ? fmt::format("no log of {} shows which RCCL was loaded", title(phase))
            : fmt::format("only {} of {} nodes of {} show which RCCL they loaded{}", seen.size(),
                          needed, title(phase), absent_nodes(inputs, phase, seen))));
    return;
  }
  for (const LegData& leg : phase.legs) {
    const Hosts of_leg = nodes_with_banner(phase, &leg.precision);
    if (!leg.value || of_leg.size() >= needed) continue;
    reasons.push_back(
        about(Code::rccl_not_proved, phase, leg,
              fmt::format("only {} of {} nodes show which RCCL was loaded for {}{}", of_leg.size(),
                          needed, title(phase, leg), absent_nodes(inputs, phase, of_leg))));
  }
}

/// The first readable banner of a side's measured phases, to hold the others against.
struct SideBuild {
  BuildIdentity identity;
  const PhaseInput* phase = nullptr;
  const RcclBanner* banner = nullptr;
};

std::optional<SideBuild> build_of(const Inputs& inputs, Side side) {
  for (const PhaseInput* phase : inputs.of(side)) {
    if (!phase->measured()) continue;
    for (const RcclBanner& banner : phase->evidence->banners) {
      if (const Identity identity = parse_identity(banner.version)) {
        return SideBuild{*identity, phase, &banner};
      }
    }
  }
  return {};
}

std::string name_of(const SideBuild& build) {
  return text::printable(build.banner->version);
}

/// A reason about both sides' builds, with the place where each shows.
Reason about_builds(Code code, const SideBuild& baseline, const SideBuild& candidate,
                    std::string message) {
  Reason reason = make_reason(code, std::move(message));
  cite(reason, *baseline.phase, baseline.banner->where);
  cite(reason, *candidate.phase, candidate.banner->where);
  return reason;
}

/// One side is one build, on every node, in every leg and in every phase.
void check_uniform(const Inputs& inputs, const PhaseInput& phase, Reasons& reasons) {
  const auto build = build_of(inputs, phase.side);
  if (!build) return;
  say_banners(
      Code::rccl_mixed, phase,
      fmt::format("the {} side ran more than one RCCL build, {} and another", name(phase.side),
                  name_of(*build)),
      banners_that(
          phase, [&](const Identity& seen) { return seen && !same_build(*seen, build->identity); }),
      reasons);
}

void check_known(const PhaseInput& phase, Reasons& reasons) {
  say_banners(Code::rccl_not_proved, phase,
              fmt::format("a build of {} is unknown, and unknown is not proof", title(phase)),
              banners_that(phase, [](const Identity& seen) { return !seen; }), reasons);
}

/// The build that was asked for: on every node of the candidate, on no node of the baseline.
void check_pinned(const Inputs& inputs, const PhaseInput& phase, const BuildIdentity& wanted,
                  Reasons& reasons) {
  const bool must_be = phase.side == Side::candidate || inputs.config.same_build;
  if (must_be) {
    const Code code =
        phase.side == Side::candidate ? Code::candidate_not_proved : Code::builds_differ;
    say_banners(
        code, phase,
        fmt::format("{} must run {} and did not", title(phase), inputs.config.candidate_rccl),
        banners_that(phase,
                     [&](const Identity& seen) { return seen && !same_build(*seen, wanted); }),
        reasons);
  } else {
    say_banners(
        Code::baseline_is_candidate, phase,
        fmt::format("{} ran the candidate's build {}", title(phase), inputs.config.candidate_rccl),
        banners_that(phase,
                     [&](const Identity& seen) { return seen && same_build(*seen, wanted); }),
        reasons);
  }
}

bool has_library(const GateConfig& config) {
  return !config.candidate.library.empty() || !config.candidate.library_mounts.empty();
}

/// What else than the library tells the sides apart.
bool environments_differ(const GateConfig& config) {
  return config.environment_of(Side::baseline) != config.environment_of(Side::candidate);
}

bool images_differ(const Inputs& inputs) {
  return image_of(inputs, Side::baseline) != image_of(inputs, Side::candidate);
}

/// No identity was given: the sides must differ, by themselves. Images are meant to carry
/// different builds; only when nothing but the environment differs is one build the same on
/// purpose.
void check_unpinned(const Inputs& inputs, Reasons& reasons) {
  const auto baseline = build_of(inputs, Side::baseline);
  const auto candidate = build_of(inputs, Side::candidate);
  if (!baseline || !candidate) return;
  const bool equal = same_build(baseline->identity, candidate->identity);
  const GateConfig& config = inputs.config;
  const bool by_environment =
      !has_library(config) && !images_differ(inputs) && environments_differ(config);
  if (equal && !by_environment) {
    Reason reason = about_builds(
        Code::sides_identical, *baseline, *candidate,
        fmt::format("both sides ran RCCL {}{}, so the candidate never ran: {}", name_of(*baseline),
                    images_differ(inputs) ? " although their images differ" : "",
                    words_of(*candidate->phase, *candidate->banner)));
    reason.node =
        node_name(*candidate->phase, candidate->banner->host, candidate->banner->node_index);
    reasons.push_back(std::move(reason));
    return;
  }
  const std::string message =
      equal ? fmt::format("both sides ran RCCL {}; the candidate is its environment",
                          name_of(*baseline))
            : fmt::format(
                  "the sides ran different builds, {} and {}, but nobody said which build "
                  "the candidate is (--candidate-rccl)",
                  name_of(*baseline), name_of(*candidate));
  reasons.push_back(about_builds(Code::candidate_not_pinned, *baseline, *candidate, message));
}

void check_same_build(const Inputs& inputs, Reasons& reasons) {
  const auto baseline = build_of(inputs, Side::baseline);
  const auto candidate = build_of(inputs, Side::candidate);
  if (!baseline || !candidate) return;
  if (same_build(baseline->identity, candidate->identity)) {
    reasons.push_back(
        about_builds(Code::same_build, *baseline, *candidate,
                     fmt::format("an A/A gate: both sides ran RCCL {}; its ratio is noise",
                                 name_of(*baseline))));
    return;
  }
  reasons.push_back(
      about_builds(Code::builds_differ, *baseline, *candidate,
                   fmt::format("the sides were meant to be one build and ran {} and {}",
                               name_of(*baseline), name_of(*candidate))));
}

bool any_banner(const Inputs& inputs) {
  return std::any_of(inputs.phases.begin(), inputs.phases.end(),
                     [](const PhaseInput& phase) { return !phase.evidence->banners.empty(); });
}

/// Evidence is optional and there is none at all; a build that was asked for is not optional.
bool is_waived(const Inputs& inputs) {
  const GateConfig& config = inputs.config;
  return !config.workload.evidence_required() && !any_banner(inputs) &&
         config.candidate_rccl.empty() && !has_library(config);
}

void check_between_sides(const Inputs& inputs, const Identity& wanted, Reasons& reasons) {
  if (inputs.config.same_build) return check_same_build(inputs, reasons);
  if (!wanted) check_unpinned(inputs, reasons);
}

}  // namespace

void check_provenance(const Inputs& inputs, Reasons& reasons) {
  const bool measured = std::any_of(inputs.phases.begin(), inputs.phases.end(),
                                    [](const PhaseInput& phase) { return phase.measured(); });
  if (!measured) return;
  if (is_waived(inputs)) {
    reasons.push_back(make_reason(Code::rccl_not_checked,
                                  "no log shows which RCCL was loaded, and the workload does not "
                                  "require it: that the sides differ is not proved"));
    return;
  }
  const Identity wanted = parse_identity(inputs.config.candidate_rccl);
  if (!wanted && !inputs.config.candidate_rccl.empty()) {
    reasons.push_back(make_reason(
        Code::rccl_not_proved,
        fmt::format("the candidate build \"{}\" names no commit of at least seven digits, so "
                    "nothing can be held against it",
                    text::printable(inputs.config.candidate_rccl))));
  }
  for (const PhaseInput& phase : inputs.phases) {
    if (!phase.measured()) continue;
    check_coverage(inputs, phase, reasons);
    check_known(phase, reasons);
    check_uniform(inputs, phase, reasons);
    if (wanted) check_pinned(inputs, phase, *wanted, reasons);
  }
  check_between_sides(inputs, wanted, reasons);
}

}  // namespace abgate::compare
