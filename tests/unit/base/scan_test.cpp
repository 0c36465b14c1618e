#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <abgate/base/scan.hpp>

namespace abgate::scan {
namespace {

TEST(CountNewlines, EqualsAPlainCountAtEveryOffset) {
  std::string text;
  for (std::size_t i = 0; i < 9000; ++i)
    text += i % 7 == 0 || i > 8000 ? '\n' : 'x';
  for (std::size_t from = 0; from < 40; ++from) {
    for (const std::size_t size : {0UL, 1UL, 15UL, 16UL, 17UL, 255UL, 4096UL, 8900UL}) {
      const std::string_view part = std::string_view(text).substr(from, size);
      EXPECT_EQ(count_newlines(part),
                static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n')));
    }
  }
}

std::vector<std::string> needles() {
  return {"iteration ", "RCCL version", "Hostname", "NET/",       "OutOfMemoryError",
          " out of m",  "srun: ",       "Running:", "trace save", "aabb"};
}

/// The first byte of the first needle in the text.
std::size_t plain_find(std::string_view text) {
  std::size_t first = text.npos;
  for (const std::string& needle : needles())
    first = std::min(first, text.find(needle));
  return first;
}

TEST(NeedleSet, FindsEveryNeedleAtEveryPlace) {
  const NeedleSet set(needles());
  for (const std::string& needle : needles()) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (const std::size_t behind : {0UL, 1UL, 2UL, 33UL, 64UL}) {
        const std::string text = std::string(before, 'e') + needle + std::string(behind, 'r');
        const std::size_t found = set.find(text, 0);
        ASSERT_NE(found, text.npos) << needle << " at " << before;
        EXPECT_TRUE(found >= before && found < before + needle.size());
      }
    }
  }
}

TEST(NeedleSet, NeedlesMayHoldAnyBytes) {
  const NeedleSet set({"Zw\xc3\xb6lf", "plain", "\xff\xfe\xfd\xfc"});
  for (std::size_t before = 0; before < 70; ++before) {
    const std::string front(before, '\xc3');
    EXPECT_TRUE(set.occurs_in(front + "Zw\xc3\xb6lf" + std::string(40, '.')));
    EXPECT_TRUE(set.occurs_in(front + "\xff\xfe\xfd\xfc"));
    EXPECT_FALSE(set.occurs_in(front + "Zw\xc3\xb6" + std::string(40, '\xff')));
  }
}

TEST(NeedleSet, SeesOnlyWhatStandsBehindTheBegin) {
  const NeedleSet set(needles());
  const std::string text = "NET/ " + std::string(40, '.') + "NET/";
  EXPECT_LT(set.find(text, 0), 4U);
  EXPECT_GE(set.find(text, 1), 45U);
  EXPECT_EQ(set.find(text, 46), text.npos);
}

TEST(NeedleSet, AgreesWithAPlainSearchOverRandomTexts) {
  const NeedleSet set(needles());
  std::mt19937 random(7);
  const std::string pieces = "aabbiteration RCCL version NET/srun: OutOfMemory out of mHostname";
  int hits = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    while (text.size() < 90) {
      const std::size_t at = random() % pieces.size();
      text += pieces.substr(at, random() % 9);
    }
    const std::size_t expected = plain_find(text);
    ASSERT_EQ(set.occurs_in(text), expected != text.npos) << text;
    if (expected != text.npos) ++hits;
  }
  EXPECT_GT(hits, 1000);
}

TEST(NeedleSet, StopsAtAnEscapeThatCanHideANeedle) {
  NeedleSet set(needles());
  const std::string hiding = "  iter\x1b[0m\x1b[1;31mation 3/15";
  EXPECT_EQ(set.find(hiding, 0), hiding.npos);
  set.with_escapes();
  for (std::size_t before = 0; before < 40; ++before) {
    const std::string text = std::string(before, '.') + hiding + std::string(40, '.');
    EXPECT_EQ(set.find(text, 0), before + 5);
    EXPECT_EQ(set.find(text, before + 5), before + 5);
  }
  EXPECT_EQ(set.find("i\x1b[0mteration", 0), 0U);
  EXPECT_EQ(set.find("  iter\x1b]0;title\x07"
                     "ation",
                     0),
            5U);
  EXPECT_EQ(set.find("  iter\x1b[0m and more", 0), hiding.npos);
  EXPECT_EQ(set.find("  xter\x1b[0m   ", 0), hiding.npos);
  EXPECT_EQ(set.find("#\x1b[1;32;40 ", 0), hiding.npos);
}

}  // namespace
}  // namespace abgate::scan
