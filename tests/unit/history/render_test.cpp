#include <algorithm>

#include <gmock/gmock.h>

#include <abgate/history/render.hpp>

#include "sample_entries.hpp"
#include "support/golden.hpp"

namespace abgate::history {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

History drifting() {
  History history;
  history.entries = test::nights(60, [](int n) { return 1.001 - 0.012 * n / 59; });
  return history;
}

TEST(RenderTest, Table) {
  test::expect_golden("history/table.txt", render_table(test::mixed_history()));
  EXPECT_EQ(render_table({}), "no gates\n");
}

TEST(RenderTest, ARatioBelowTheLimitReadsSo) {
  EXPECT_THAT(render_table(test::mixed_history()), HasSubstr("0.97999999!"));
}

TEST(RenderTest, Csv) {
  test::expect_golden("history/export.csv", render_csv(test::mixed_history()));
}

TEST(RenderTest, Json) {
  const std::string text = render_json(test::mixed_history());
  test::expect_golden("history/export.json", text);
  const auto json = parse_json(text, "export");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->find("entries")->items().size(), 8U);
  EXPECT_TRUE(parse_json(render_json({}), "export"));
}

TEST(RenderTest, Trend) {
  test::expect_golden("history/trend.txt", render_trend(drifting()));
  test::expect_golden("history/trend-mixed.txt", render_trend(test::mixed_history()));
  EXPECT_EQ(render_trend({}), "no gates\n");
}

TEST(RenderTest, TrendJson) {
  const std::string text = render_trend_json(drifting());
  test::expect_golden("history/trend.json", text);
  EXPECT_TRUE(parse_json(text, "trend"));
}

TEST(RenderTest, Page) {
  test::expect_golden("history/page.html", render_page(test::mixed_history()));
  test::expect_golden("history/page-drift.html", render_page(drifting()));
}

TEST(RenderTest, NoTextFromOutsideDrivesATerminalOrABrowser) {
  const History history = test::mixed_history();
  for (const std::string& text : {render_table(history), render_trend(history)}) {
    EXPECT_TRUE(std::none_of(text.begin(), text.end(),
                             [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 127; }));
  }
  const std::string page = render_page(history);
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("</script")));
}

TEST(RenderTest, ThePageNeedsNothingFromElsewhere) {
  const std::string page = render_page(drifting());
  for (const char* reference : {"href=", "src=", "url(", "@import", "http:", "https:"}) {
    EXPECT_THAT(page, Not(HasSubstr(reference)));
  }
}

TEST(RenderTest, ALongHistoryIsDrawnByItsEnd) {
  History history;
  history.entries = test::nights(1200, [](int) { return 1.0; });
  const std::string page = render_page(history);
  EXPECT_THAT(page, HasSubstr("The newest 1000 of 1200 gates are shown."));
  EXPECT_LT(page.size(), 3U << 20U);
}

TEST(RenderTest, AnEmptyHistoryHasAPage) {
  const std::string page = render_page({});
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("0 gates"));
}

TEST(RenderTest, ALegWithARatioAloneHasItsChart) {
  History history;
  history.entries = {test::night(0, 1, 1)};
  for (Leg& leg : history.entries[0].legs)
    leg.baseline = leg.candidate = leg.reference = leg.max_drop = std::nullopt;
  EXPECT_THAT(render_page(history), HasSubstr("no gate with a trusted ratio"));
}

}  // namespace
}  // namespace abgate::history
