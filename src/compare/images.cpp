#include "images.hpp"

#include <set>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "checks.hpp"

namespace abgate::compare {
namespace {

/// Images that the result rows of a phase name.
std::set<std::string> images_seen(const PhaseInput& phase) {
  std::set<std::string> out;
  for (const LegData& leg : phase.legs) {
    for (const auto* rows : {&leg.perf_rows, &leg.model_rows}) {
      for (const MetricRow* row : *rows) {
        if (!row->image.empty()) out.insert(row->image);
      }
    }
  }
  return out;
}

}  // namespace

std::string image_family(std::string_view image) {
  image = text::trim(image);
  image = image.substr(0, image.find('@'));
  const std::size_t slash = image.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view head = image.substr(0, slash);
    if (head == "localhost" || head.find_first_of(".:") != std::string_view::npos) {
      image.remove_prefix(slash + 1);
    }
  }
  const std::size_t last_slash = image.rfind('/');
  const std::size_t colon = image.rfind(':');
  const bool tagged = colon != std::string_view::npos &&
                      (last_slash == std::string_view::npos || colon > last_slash);
  return text::to_lower(tagged ? image.substr(0, colon) : image);
}

std::string image_of(const Inputs& inputs, Side side) {
  for (const PhaseInput* phase : inputs.of(side)) {
    const auto seen = images_seen(*phase);
    if (!seen.empty()) return *seen.begin();
  }
  return inputs.config.side(side).image;
}

/// Another repository is another stack: frameworks, ROCm and scripts differ beside the candidate.
/// The tag may differ, that is how a candidate is shipped.
void check_images(const Inputs& inputs, Reasons& reasons) {
  const std::string baseline = image_of(inputs, Side::baseline);
  const std::string candidate = image_of(inputs, Side::candidate);
  if (!baseline.empty() && !candidate.empty() &&
      image_family(baseline) != image_family(candidate)) {
    reasons.push_back(make_reason(
        Code::image_family_differs,
        fmt::format("the baseline ran image {} and the candidate {}: another repository is another "
                    "stack, not another build of one library",
                    text::printable(baseline), text::printable(candidate))));
  }
  for (const PhaseInput& phase : inputs.phases) {
    const std::string& asked = inputs.config.side(phase.side).image;
    for (const std::string& seen : images_seen(phase)) {
      if (asked.empty() || !phase.ours(inputs.context) || seen == asked) continue;
      reasons.push_back(about(Code::image_not_as_asked, phase,
                              fmt::format("the results of {} name image {}, asked for was {}",
                                          title(phase), text::printable(seen), asked)));
    }
  }
}

}  // namespace abgate::compare
