#include "manifest_traps.hpp"

#include <algorithm>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abgate/plan/manifest_check.hpp>
#include <abgate/plan/plan.hpp>

#include "sample_config.hpp"

namespace abgate::plan {

Json good_manifest() {
  return make_manifest(gpt_oss_config(), Side::baseline);
}

Json overlaid_manifest() {
  GateConfig config = gpt_oss_config();
  add_mounts(config);
  return make_manifest(config, Side::candidate);
}

Json& object_at(Json& manifest, const Path& path) {
  Json* value = &manifest;
  for (const std::string& key : path)
    value = value->find(key);
  return *value;
}

void remove(Json& manifest, const Path& path, const std::string& key) {
  auto& members = object_at(manifest, path).members();
  members.erase(std::remove_if(members.begin(), members.end(),
                               [&](const Json::Member& member) { return member.key == key; }),
                members.end());
}

Change set(Path path, std::string key, Json value) {
  return [path = std::move(path), key = std::move(key), value = std::move(value)](Json& manifest) {
    object_at(manifest, path).set(key, value);
  };
}

Change drop(Path path, std::string key) {
  return [path = std::move(path), key = std::move(key)](Json& manifest) {
    remove(manifest, path, key);
  };
}

Change set_both(std::string key, Json value) {
  return [key = std::move(key), value = std::move(value)](Json& manifest) {
    object_at(manifest, inside).set(key, value);
    object_at(manifest, outside).set(key, value);
  };
}

Change drop_both(std::string key) {
  return [key = std::move(key)](Json& manifest) {
    remove(manifest, inside, key);
    remove(manifest, outside, key);
  };
}

std::string pointer_text(const Path& path, const std::string& key) {
  std::string out;
  for (const std::string& part : path)
    out = pointer_join(out, part);
  return pointer_join(out, key);
}

std::string error_at(const Path& path, const std::string& key) {
  return "E " + pointer_text(path, key);
}

std::string warning_at(const Path& path, const std::string& key) {
  return "W " + pointer_text(path, key);
}

Diagnostics findings_of(const Json& manifest) {
  auto read = parse_json(manifest.dump(), "m.json");
  if (!read) return std::move(read).error();
  return check_manifest(*read, "m.json");
}

Diagnostics expect_trap(const Trap& trap, Json manifest) {
  trap.change(manifest);
  std::vector<std::string> found;
  Diagnostics diagnostics = findings_of(manifest);
  for (const Diagnostic& d : diagnostics) {
    EXPECT_EQ(d.file, "m.json") << trap.name;
    EXPECT_GT(d.position.line, 0) << trap.name;
    EXPECT_GT(d.position.column, 0) << trap.name;
    found.push_back((d.severity == Severity::error ? "E " : "W ") + d.pointer);
  }
  EXPECT_EQ(found, trap.expected) << trap.name;
  if (!diagnostics.empty()) {
    EXPECT_THAT(diagnostics.front().message + "; " + diagnostics.front().hint,
                ::testing::HasSubstr(trap.message))
        << trap.name;
  }
  return diagnostics;
}

void expect_traps(const std::vector<Trap>& traps) {
  for (const Trap& trap : traps)
    expect_trap(trap, good_manifest());
}

}  // namespace abgate::plan
