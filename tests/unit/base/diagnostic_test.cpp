#include <string>

#include <gtest/gtest.h>

#include <abgate/base/diagnostic.hpp>

namespace abgate {
namespace {

TEST(DiagnosticFormat, LeavesOutWhatIsUnknown) {
  struct Case {
    Diagnostic diagnostic;
    std::string_view text;
  };
  const Case cases[] = {
      {{Severity::error, "w.json", {12, 5}, "/max_drop", "2 is too much", "give 0.02"},
       "w.json:12:5: /max_drop: 2 is too much; give 0.02"},
      {{Severity::error, "w.json", {}, "", "cannot be read", ""}, "w.json: cannot be read"},
      {{Severity::error, "", {}, "--max-drop", "is not a number", "give 0.02"},
       "--max-drop: is not a number; give 0.02"},
      {{Severity::warning, "c.json", {1, 1}, "/gpu", "is odd", ""},
       "c.json:1:1: /gpu: warning: is odd"},
      {{Severity::note, "", {}, "", "said", ""}, "note: said"},
      {{Severity::error, "", {3, 4}, "", "what", ""}, "what"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(format(c.diagnostic), c.text);
}

TEST(DiagnosticList, HasErrorsLooksAtSeverity) {
  Diagnostics all;
  EXPECT_FALSE(has_errors(all));
  append(all, {{Severity::warning, "", {}, "", "w", ""}, {Severity::note, "", {}, "", "n", ""}});
  EXPECT_FALSE(has_errors(all));
  append(all, {{Severity::error, "", {}, "", "e", ""}});
  EXPECT_TRUE(has_errors(all));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2].message, "e");
}

}  // namespace
}  // namespace abgate
