#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>

#include <abgate/base/json.hpp>
#include <abgate/config/parse.hpp>

namespace abgate::config {
namespace {

std::string reference() {
  std::ifstream file(ABGATE_SOURCE_DIR "/docs/configuration.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The reference in docs/ has a row for every key of the schemas, nested ones included.
void expect_documented(const Json& schema, const std::string& prefix, const std::string& docs) {
  const Json* properties = schema.find("properties");
  ASSERT_NE(properties, nullptr) << prefix;
  for (const Json::Member& property : properties->members()) {
    if (property.key == "$schema") continue;
    EXPECT_THAT(docs, testing::HasSubstr("| `" + prefix + property.key + "` |"));
    const Json* items = property.value.find("items");
    if (items != nullptr && items->find("properties") != nullptr) {
      expect_documented(*items, prefix + property.key + "[].", docs);
    }
  }
}

TEST(ConfigurationReference, HasEveryKeyOfTheSchemas) {
  const std::string docs = reference();
  for (const std::string& text : {workload_schema(), cluster_schema(), suite_schema()}) {
    const auto schema = parse_json(text, "schema");
    ASSERT_TRUE(schema);
    expect_documented(*schema, "", docs);
  }
}

}  // namespace
}  // namespace abgate::config
