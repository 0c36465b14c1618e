#include <string>

#include <gtest/gtest.h>

#include <abgate/base/redact.hpp>

namespace abgate {
namespace {

std::string through(const std::vector<std::string>& secrets, const std::string& text,
                    std::size_t piece) {
  Redactor redactor(secrets);
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    out += redactor.feed(std::string_view(text).substr(at, piece));
  }
  return out + redactor.finish();
}

TEST(Redactor, FindsSecretsAcrossEveryCut) {
  const std::string text = "a hf_token123 b hf_token123456 hf_tok";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EXPECT_EQ(through({"hf_token123"}, text, piece), "a [redacted] b [redacted]456 hf_tok");
  }
}

TEST(Redactor, TheLongerSecretWins) {
  for (std::size_t piece = 1; piece < 20; ++piece) {
    EXPECT_EQ(through({"abcd", "abcdefgh"}, "abcdefgh abcdef abcd", piece),
              "[redacted] [redacted]ef [redacted]");
  }
}

TEST(Redactor, ASecretAtTheVeryEnd) {
  EXPECT_EQ(through({"secret"}, "x secret", 3), "x [redacted]");
}

TEST(Redactor, OverlappingBeginnings) {
  for (std::size_t piece = 1; piece < 8; ++piece) {
    EXPECT_EQ(through({"aaab"}, "aaaaab", piece), "aa[redacted]");
  }
}

TEST(Redactor, ShortValuesAndNoSecretsChangeNothing) {
  EXPECT_EQ(through({"", "abc"}, "abcabc", 2), "abcabc");
  EXPECT_EQ(through({}, "text", 1), "text");
}

}  // namespace
}  // namespace abgate
