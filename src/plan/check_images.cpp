#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <abgate/base/text.hpp>

#include "check.hpp"

namespace abgate::plan {
namespace {

struct DeadKey {
  std::string_view key;
  std::string_view place;  // where madengine reads what was meant
};
constexpr std::array dead_keys = {
    DeadKey{"slurm", "deployment_config.slurm"},
    DeadKey{"distributed", "deployment_config.distributed"},
    DeadKey{"env", "context.docker_env_vars and deployment_config.env_vars"},
    DeadKey{"env_vars", "context.docker_env_vars and deployment_config.env_vars"},
    DeadKey{"container_mounts", "context.docker_mounts"},
    DeadKey{"model_repo", "the model's args, as --model_repo <card>"},
    DeadKey{"ntasks_per_node", "deployment_config.distributed.nproc_per_node"},
};

void check_registry_image(const Place& image, Findings& findings) {
  if (!findings.boolean(image["local_image"])) return;
  const Place registry_image = image["registry_image"];
  if (image["local_image"].value->as_boolean()) {
    if (!registry_image.text().empty()) {
      findings.warning(registry_image, "is ignored: local_image is true",
                       "leave it out; a local image is shared through MAD_DOCKER_BUILDS");
    }
    return;
  }
  if (!registry_image || registry_image.text().empty()) {
    findings.error(registry_image, "is missing or empty, so that nothing can be pulled",
                   "give the image's tag, or set local_image to true");
  } else if (registry_image.text() != image["docker_image"].text()) {
    findings.error(registry_image,
                   fmt::format("is {}, which is pulled and run in place of docker_image",
                               quoted(registry_image.text())),
                   fmt::format("give {}", quoted(image["docker_image"].text())));
  }
}

void check_image(const Place& image, std::string_view key, const Place& manifest,
                 Findings& findings) {
  if (!findings.object(image)) return;
  const Place docker_image = image["docker_image"];
  if (findings.string(docker_image) && docker_image.text() != key) {
    findings.error(docker_image,
                   fmt::format("is {}, but the entry is named {}: if a pull fails, madengine runs "
                               "the name as an image",
                               quoted(docker_image.text()), quoted(key)),
                   "name the entries of built_images and built_models like the image");
  }
  check_registry_image(image, findings);
  const Place vendor = image["gpu_vendor"];
  if (!vendor) {
    findings.warning(vendor, "is missing", "give \"AMD\"");
  } else if (findings.string(vendor)) {
    const std::string_view wanted = manifest["context"]["gpu_vendor"].text();
    if (!wanted.empty() && vendor.text() != wanted) {
      findings.error(vendor, fmt::format("is {}, but context.gpu_vendor is {}",
                                         quoted(vendor.text()), quoted(wanted)));
    }
  }
  const Place status = image["build_status"];
  if (status && status.text() != "SKIPPED") {
    findings.warning(status, "is not \"SKIPPED\", though nothing is built");
  }
  if (image["dockerfile"]) {
    findings.warning(image["dockerfile"], "is read by madengine",
                     "leave it out unless that file exists");
  }
}

void check_same_names(const Place& from, const Place& to, std::string_view to_name,
                      std::string_view consequence, Findings& findings) {
  for (const Json::Member& member : from.value->members()) {
    if (to.value->find(member.key) != nullptr) continue;
    Place place = from[member.key];
    place.position = member.position;
    findings.error(place,
                   fmt::format("has no entry of the same name in {}: {}", to_name, consequence));
  }
}

}  // namespace

void check_top_level(const Place& manifest, Findings& findings) {
  std::vector<std::string> known = {"built_images",        "built_models", "context",
                                    "deployment_config",   "registry",     "push_failures",
                                    "credentials_required"};
  for (const DeadKey& dead : dead_keys) {
    known.emplace_back(dead.key);
    for (const Json::Member& member : manifest.value->members()) {
      if (member.key != dead.key) continue;
      Place place = manifest[dead.key];
      place.position = member.position;
      findings.error(place, "is silently ignored by madengine at the top level",
                     fmt::format("put it into {}", dead.place));
    }
  }
  findings.unknown_keys(manifest, known);
}

void check_images(const Place& manifest, Findings& findings) {
  const Place images = manifest["built_images"];
  const Place models = manifest["built_models"];
  const bool both =
      static_cast<int>(findings.object(images)) + static_cast<int>(findings.object(models)) == 2;
  if (images.is_object()) {
    for (const Json::Member& member : images.value->members())
      check_image(images[member.key], member.key, manifest, findings);
    if (images.value->members().empty()) findings.error(images, "names no image");
  }
  if (models.is_object()) {
    for (const Json::Member& member : models.value->members())
      check_model(models[member.key], findings);
    if (models.value->members().empty()) findings.error(models, "names no model");
    if (models.value->members().size() > 1) {
      findings.error(models,
                     fmt::format("names {} models, of which only the first runs on Slurm",
                                 models.value->members().size()),
                     "give one manifest a model");
    }
  }
  if (both) {
    check_same_names(images, models, "built_models", "madengine skips the image", findings);
    check_same_names(models, images, "built_images", "the model never runs", findings);
  }
}

}  // namespace abgate::plan
