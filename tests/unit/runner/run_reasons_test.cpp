#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include <abgate/runner/run_reasons.hpp>

namespace abgate::runner {
namespace {

TEST(RunReasons, EachHasItsSectionInTheDocs) {
  std::ifstream file(ABGATE_SOURCE_DIR "/docs/reasons.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const RunReason& reason : all_run_reasons()) {
    const std::string head = "### " + std::string(reason.code) + "\n\nWeight: `" +
                             std::string(name(reason.weight)) + "`. **Seen:**";
    EXPECT_THAT(text.str(), testing::HasSubstr(head));
  }
}

}  // namespace
}  // namespace abgate::runner
