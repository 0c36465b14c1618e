#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abgate/plan/manifest_check.hpp>

#include "manifest_traps.hpp"

namespace abgate::plan {
namespace {

using ::testing::IsEmpty;

TEST(ManifestCheck, FindsNothingInAGoodOne) {
  EXPECT_THAT(findings_of(good_manifest()), IsEmpty());
  EXPECT_THAT(findings_of(overlaid_manifest()), IsEmpty());
}

TEST(ManifestCheck, FindsNothingInWhatRanOnARealCluster) {
  for (const char* phase : {"gptoss-baseline", "gptoss-candidate-ok", "gptoss-candidate-slow",
                            "gptoss-candidate-no-fp8", "gptoss-candidate-stock-rccl",
                            "gptoss-candidate-oom-at-5", "llama-baseline", "llama-candidate-ok",
                            "gptoss-inplace/1-baseline", "gptoss-inplace/2-candidate"}) {
    std::ifstream file(std::string(ABGATE_SOURCE_DIR "/tests/data/phases/") + phase +
                       "/manifest.json");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto manifest = parse_json(text, phase);
    ASSERT_TRUE(manifest) << phase;
    for (const Diagnostic& d : check_manifest(*manifest, phase))
      ADD_FAILURE() << format(d);
  }
}

TEST(ManifestCheck, TopLevel) {
  std::vector<Trap> traps = {
      {"typo", set({}, "buildt_models", 1), {"W /buildt_models"}, "did you mean \"built_models\"?"},
      {"madengine's own", set({}, "credentials_required", Json::array()), {}},
      {"no context",
       drop({}, "context"),
       {"E /context", "E /context/docker_env_vars"},
       "is missing"},
      {"context of another type",
       set({}, "context", "x"),
       {"E /context", "E /context/docker_env_vars"},
       "is a string, not an object"},
  };
  for (const char* key : {"slurm", "distributed", "env", "env_vars", "container_mounts",
                          "model_repo", "ntasks_per_node"}) {
    traps.push_back({key,
                     set({}, key, Json::object()),
                     {std::string("E /") + key},
                     "silently ignored by madengine at the top level; put it into"});
  }
  expect_traps(traps);
  EXPECT_EQ(check_manifest(Json::array(), "m.json").size(), 1U);
  EXPECT_EQ(check_manifest(Json::object(), "m.json").size(), 6U);
}

TEST(ManifestCheck, Images) {
  const Json second = *good_manifest().at({"built_models", image});
  expect_traps({
      {"no image",
       set({}, "built_images", Json::object()),
       {"E /built_images", error_at({"built_models"}, image)},
       "names no image"},
      {"no model",
       set({}, "built_models", Json::object()),
       {error_at({"built_images"}, image), "E /built_models"},
       "has no entry of the same name in built_models"},
      {"second model",
       set({"built_models"}, "other", second),
       {"E /built_models", "E /built_models/other"},
       "names 2 models, of which only the first runs"},
      {"key is not the image",
       set(picture, "docker_image", "rocm/primus:other"),
       {error_at(picture, "docker_image"), error_at(picture, "registry_image")},
       "runs the name as an image"},
      {"no docker_image",
       drop(picture, "docker_image"),
       {error_at(picture, "docker_image"), error_at(picture, "registry_image")}},
      {"stock image without registry_image",
       drop(picture, "registry_image"),
       {error_at(picture, "registry_image")},
       "nothing can be pulled"},
      {"local image with registry_image",
       set(picture, "local_image", true),
       {warning_at(picture, "registry_image")},
       "MAD_DOCKER_BUILDS"},
      {"local_image as text",
       set(picture, "local_image", "false"),
       {error_at(picture, "local_image")},
       "is a string, not a boolean"},
      {"no vendor", drop(picture, "gpu_vendor"), {warning_at(picture, "gpu_vendor")}},
      {"another vendor",
       set(picture, "gpu_vendor", "NVIDIA"),
       {error_at(picture, "gpu_vendor")},
       "but context.gpu_vendor is \"AMD\""},
      {"to be built",
       set(picture, "build_status", "SUCCESS"),
       {warning_at(picture, "build_status")}},
      {"dockerfile",
       set(picture, "dockerfile", "x.Dockerfile"),
       {warning_at(picture, "dockerfile")}},
  });
}

TEST(ManifestCheck, Model) {
  const std::string card = "primus_pyt_megatron_lm_train_gpt-oss-120b";
  expect_traps({
      {"no name", drop(model, "name"), {error_at(model, "name")}, "is missing"},
      {"empty scripts", set(model, "scripts", ""), {error_at(model, "scripts")}, "is empty"},
      {"no args", drop(model, "args"), {error_at(model, "args")}},
      {"no model_repo",
       set(model, "args", "--fast"),
       {error_at(model, "args")},
       "has no --model_repo"},
      {"model_repo without value", set(model, "args", "--model_repo "), {error_at(model, "args")}},
      {"equals form", set(model, "args", "--model_repo=" + card), {}},
      {"overlay card in both",
       [&](Json& m) {
         object_at(m, model).set("args", "--model_repo " + card + "_overlay");
         object_at(m, model).set("name", card + "_overlay");
       },
       {error_at(model, "args")},
       "give the base card \"" + card + "\""},
      {"another model",
       set(model, "args", "--model_repo primus_pyt_megatron_lm_train_gpt-oss-20b"),
       {error_at(model, "multiple_results"), error_at(model, "args")},
       "does not fit the model \"gpt-oss-20b\""},
      {"no results",
       drop(model, "multiple_results"),
       {error_at(model, "multiple_results")},
       "a line that Primus never prints"},
      {"results null",
       set(model, "multiple_results", nullptr),
       {error_at(model, "multiple_results")}},
      {"results empty", set(model, "multiple_results", ""), {error_at(model, "multiple_results")}},
      {"results path",
       set(model, "multiple_results", "out/perf_primus-megatron-GPT-OSS-120B.csv"),
       {error_at(model, "multiple_results")},
       "a path; give the file's name alone"},
      {"results of another model",
       set(model, "multiple_results", "perf_primus-megatron-Llama-3.1-70B.csv"),
       {error_at(model, "multiple_results")},
       "does not fit the model \"gpt-oss-120b\""},
      {"results no CSV",
       set(model, "multiple_results", "perf_primus-megatron-GPT-OSS-120B.json"),
       {error_at(model, "multiple_results")},
       "not the name of a CSV"},
      {"gpus as number", set(model, "n_gpus", -1), {error_at(model, "n_gpus")}},
      {"some gpus", set(model, "n_gpus", "4"), {warning_at(model, "n_gpus")}},
      {"data null", set(model, "data", nullptr), {error_at(model, "data")}},
  });
}

TEST(ManifestCheck, Timeout) {
  const std::string place = error_at(model, "timeout");
  expect_traps({
      {"missing", drop(model, "timeout"), {place}, "is missing, which means 7200 s"},
      {"null", set(model, "timeout", nullptr), {place}, "is null, which means 7200 s"},
      {"zero", set(model, "timeout", 0), {place}, "differs between versions"},
      {"negative", set(model, "timeout", -1), {place}, "differs between versions"},
      {"fraction", set(model, "timeout", 14400.5), {place}, "not a whole number"},
      {"text", set(model, "timeout", "14400"), {place}, "is a string"},
      {"boolean", set(model, "timeout", true), {place}, "is true"},
      {"short but positive", set(model, "timeout", 1), {}},
  });
}

TEST(ManifestCheck, DockerOptions) {
  const std::string key = "additional_docker_run_options";
  std::vector<Trap> traps = {
      {"plain", set(model, key, "--ulimit memlock=-1 -v /sys:/sys:ro --device=/dev/kfd"), {}},
      {"no text", set(model, key, 1), {error_at(model, key)}},
      {"quotes", set(model, key, "-e 'A=b c'"), {warning_at(model, key)}, "pasted unquoted"},
      {"pattern", set(model, key, "-v /x*:/x"), {warning_at(model, key)}},
      {"secret", set(model, key, "-e HF_TOKEN=abc=="), {error_at(model, key)}, "secret"},
      {"secret by name only", set(model, key, "-e HF_TOKEN"), {}},
  };
  for (const char* text : {"; reboot", "a && b", "a|b", "$(id)", "`id`", "$HOME", "> x", "a\nb"}) {
    traps.push_back({text, set(model, key, text), {error_at(model, key)}, "pasted into a shell"});
  }
  expect_traps(traps);
}

TEST(ManifestCheck, Gpus) {
  const Path context = {"context"};
  const Path deployment = {"deployment_config"};
  const auto both = [](const char* gpus) {
    return [gpus](Json& m) {
      object_at(m, {"context"}).set("docker_gpus", gpus);
      object_at(m, {"deployment_config"}).set("docker_gpus", gpus);
    };
  };
  expect_traps({
      {"fewer than a node has", both("0,1"), {error_at(context, "docker_gpus")}, "names 2 GPUs"},
      {"twice", both("0,0,1,2,3,4,5,6"), {error_at(context, "docker_gpus")}, "not a list of GPUs"},
      {"no list", both("all"), {error_at(context, "docker_gpus")}},
      {"blocks differ",
       set(deployment, "docker_gpus", "0,1,2,3,4,5,6"),
       {error_at(deployment, "docker_gpus")},
       "but context.docker_gpus is"},
      {"gpus_per_node",
       set(slurm, "gpus_per_node", 4),
       {error_at(context, "docker_gpus"), error_at(distributed, "nproc_per_node")}},
      {"nproc_per_node",
       set(distributed, "nproc_per_node", 4),
       {error_at(distributed, "nproc_per_node")},
       "is 4, but /deployment_config/slurm/gpus_per_node is 8"},
      {"render nodes as text",
       set(context, "gpu_renderDs", "128"),
       {error_at(context, "gpu_renderDs")}},
      {"few render nodes",
       set(context, "gpu_renderDs", Json::array({128, 129})),
       {warning_at(context, "gpu_renderDs")}},
      {"no guest_os", drop(context, "guest_os"), {error_at(context, "guest_os")}},
  });
}

TEST(ManifestCheck, Mounts) {
  const std::string library = "/opt/venv/lib/python3.12/site-packages/_rocm_sdk_libraries/lib/x.so";
  expect_traps({
      {"good", set(mounts, "/data:ro", "/srv/data"), {}},
      {"reversed library",
       set(mounts, "/builds/x.so", library),
       {error_at(mounts, "/builds/x.so")},
       "looks reversed"},
      {"reversed home", set(mounts, "/home/me/x", "/x"), {error_at(mounts, "/home/me/x")}},
      {"relative host", set(mounts, "/x", "data"), {error_at(mounts, "/x")}, "name of a volume"},
      {"relative container", set(mounts, "x", "/data"), {error_at(mounts, "x")}},
      {"mode on the host",
       set(mounts, "/x", "/data:ro"),
       {error_at(mounts, "/x")},
       "the mode belongs behind the container's path"},
      {"odd mode", set(mounts, "/x:readonly", "/data"), {error_at(mounts, "/x:readonly")}},
      {"twice",
       [](Json& m) {
         object_at(m, mounts).set("/x:ro", "/a");
         object_at(m, mounts).set("/x", "/b");
       },
       {error_at(mounts, "/x")},
       "a second time"},
      {"no text", set(mounts, "/x", 1), {error_at(mounts, "/x")}},
      {"no object", set({"context"}, "docker_mounts", Json::array()), {"E /context/docker_mounts"}},
      {"near a folder's name", set(mounts, "/homework", "/srv/x"), {}},
  });
}

TEST(ManifestCheck, Overlay) {
  const std::string target =
      "/opt/venv/lib/python3.12/site-packages/_rocm_sdk_devel/lib/librccl.so.1";
  for (const Trap& trap : std::vector<Trap>{
           {"one copy stays",
            drop(mounts, target + ":ro"),
            {"W /context/docker_mounts"},
            "but not over _rocm_sdk_devel/lib/librccl.so.1"},
           {"writable",
            [&](Json& m) {
              remove(m, mounts, target + ":ro");
              object_at(m, mounts).set(target, "/builds/x");
            },
            {warning_at(mounts, target)},
            "writable"},
           {"plugin of the image",
            set_both("NCCL_NET_PLUGIN", "librccl-anp.so"),
            {error_at(inside, "NCCL_NET_PLUGIN")},
            "deadlocks"},
           {"plugin left to the image",
            drop_both("NCCL_NET_PLUGIN"),
            {error_at(inside, "NCCL_NET_PLUGIN"), warning_at(inside, "NCCL_NET_PLUGIN")},
            "deadlocks"}}) {
    expect_trap(trap, overlaid_manifest());
  }
}

}  // namespace
}  // namespace abgate::plan
