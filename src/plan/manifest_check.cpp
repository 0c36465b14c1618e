#include <abgate/plan/manifest_check.hpp>

#include "check.hpp"

namespace abgate::plan {

Diagnostics check_manifest(const Json& manifest, const std::string& file) {
  Findings findings(file);
  const Place root{&manifest, "", manifest.position()};
  if (findings.object(root)) {
    check_top_level(root, findings);
    check_images(root, findings);
    check_context(root, findings);
    check_mounts(root, findings);
    check_deployment(root, findings);
    check_environment(root, findings);
    check_secrets(root, findings);
  }
  return findings.take();
}

}  // namespace abgate::plan
