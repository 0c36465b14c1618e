#include <gtest/gtest.h>

#include <abgate/runner/event.hpp>

namespace abgate::runner {
namespace {

TEST(Event, SurvivesTheWayThroughSalloc) {
  Event event;
  event.kind = Event::Kind::iteration;
  event.text = "quote \" and \x1b escape";
  event.phase = 2;
  event.phases = 4;
  event.side = Side::candidate;
  event.precision = "FP8";
  event.iteration = 7;
  event.iterations = 15;
  event.tokens = 4511.7;
  const std::string line = to_line(event);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto back = parse_event(line);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->kind, event.kind);
  EXPECT_EQ(back->text, event.text);
  EXPECT_EQ(back->phase, 2);
  EXPECT_EQ(back->phases, 4);
  EXPECT_EQ(back->side, Side::candidate);
  EXPECT_EQ(back->precision, "FP8");
  EXPECT_EQ(back->iteration, 7);
  EXPECT_EQ(back->iterations, 15);
  EXPECT_EQ(back->tokens, 4511.7);
  EXPECT_FALSE(back->elapsed_ms);
}

TEST(Event, OtherLinesAreNoEvents) {
  for (const char* line : {"", "hello", "{}", R"({"abgate_event":"party"})",
                           R"({"abgate_event":"message")", R"({"abgate_event":7})"}) {
    EXPECT_FALSE(parse_event(line)) << line;
  }
}

}  // namespace
}  // namespace abgate::runner
