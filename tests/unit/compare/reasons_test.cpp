#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <abgate/compare/reasons.hpp>

using namespace abgate;

namespace {

/// The sections of docs/reasons.md, `### code` to text, under one `## heading`.
std::map<std::string, std::string> documented(const std::string& heading) {
  std::ifstream file(std::string(ABGATE_SOURCE_DIR) + "/docs/reasons.md");
  EXPECT_TRUE(file) << "docs/reasons.md";
  std::map<std::string, std::string> sections;
  std::string line;
  std::string code;
  bool within = false;
  while (std::getline(file, line)) {
    if (line.rfind("## ", 0) == 0) {
      within = line.substr(3) == heading;
      code.clear();
    } else if (within && line.rfind("### ", 0) == 0) {
      code = line.substr(4);
      EXPECT_EQ(sections.count(code), 0U) << code << " is documented twice";
      sections[code];
    } else if (!code.empty()) {
      sections[code] += line + "\n";
    }
  }
  return sections;
}

TEST(ReasonTable, CodesAreUniqueAndKebabCase) {
  std::set<std::string_view> names;
  for (const compare::CodeInfo& entry : compare::all_codes()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(entry.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos)
        << entry.name;
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(&compare::info(entry.code), &entry);
  }
}

TEST(ReasonTable, AndItsDocumentationAgree) {
  const auto sections = documented("Judging the evidence");
  std::set<std::string> in_table;
  for (const compare::CodeInfo& entry : compare::all_codes()) {
    const std::string code(entry.name);
    in_table.insert(code);
    const auto found = sections.find(code);
    ASSERT_NE(found, sections.end()) << code << " has no section in docs/reasons.md";
    const std::string& text = found->second;
    EXPECT_NE(text.find("Weight: `" + std::string(name(entry.weight)) + "`"), std::string::npos)
        << code << " is documented with another weight";
    for (const char* part : {"**Seen:**", "**Means:**", "**Do:**"})
      EXPECT_NE(text.find(part), std::string::npos) << code << " lacks " << part;
  }
  for (const auto& [code, text] : sections)
    EXPECT_EQ(in_table.count(code), 1U) << code << " is documented and does not exist";
}

TEST(ReasonTable, MakesAReasonOfTheTablesWeight) {
  const Reason reason = compare::make_reason(compare::Code::stale_rows, "x");
  EXPECT_EQ(reason.code, "stale-rows");
  EXPECT_EQ(reason.weight, Weight::distrust);
}

}  // namespace
