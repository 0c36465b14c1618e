// The condenser against a plain one, over random logs and every cut.
#include <random>

#include <gtest/gtest.h>

#include "plain_condense.hpp"
#include "support.hpp"

namespace abgate::condense {
namespace {

/// The other warning.
std::string second_kind(int second) {
  std::string line = warning(second);
  for (std::size_t at = line.find("llv "); at != line.npos; at = line.find("llv "))
    line.erase(at + 2, 1);
  return line + "\n";
}

std::string piece_of_log(std::mt19937& random) {
  const int second = static_cast<int>(random() % 60);
  const int rank = static_cast<int>(random() % 12);
  const std::string host = random() % 4 == 0 ? "node-with-a-longer-name-7" : "node-a";
  switch (random() % 14) {
    case 0:
      return "plain text that stays\n";
    case 1:
      return "\n";
    case 2:
      return "\r\n";
    case 3:
      return std::string(random() % 200, 'x');
    case 4:
      return warning(second, host, rank) + " glued\n";
    case 5:
      return "\r\n" + warning(second, host, rank) + "\r\n";
    case 6:
      return warning(second, host, rank * 1000) + "\n";
    case 7:
      return "\n" + second_kind(second);
    default:
      return spam(second, host, rank);
  }
}

std::string random_log(std::mt19937& random, std::size_t pieces) {
  std::string log;
  for (std::size_t i = 0; i < pieces; ++i) {
    std::string piece = piece_of_log(random);
    if (random() % 12 == 0) piece.resize(random() % (piece.size() + 1));
    if (random() % 25 == 0 && !piece.empty()) {
      piece[random() % piece.size()] = static_cast<char>(random() % 256);
    }
    log += piece;
  }
  return log;
}

TEST(CondenserDifferential, AgreesWithAPlainReader) {
  std::mt19937 random(5);
  Totals sum;
  for (int round = 0; round < 150; ++round) {
    const std::string log = random_log(random, 1 + random() % 40);
    Totals totals;
    ASSERT_EQ(condensed(log, {}, std::string::npos, &totals), PlainCondenser().condense(log))
        << log;
    sum += totals;
  }
  EXPECT_GT(sum.runs, 400U);
}

TEST(CondenserDifferential, EveryCutGivesTheSame) {
  std::mt19937 random(6);
  for (int round = 0; round < 12; ++round) {
    const std::string log = random_log(random, 14);
    const std::string whole = condensed(log);
    for (std::size_t cut = 0; cut <= log.size(); ++cut) {
      std::string out;
      Condenser condenser({}, [&](std::string_view bytes) { out += bytes; });
      condenser.feed(std::string_view(log).substr(0, cut));
      condenser.feed(std::string_view(log).substr(cut));
      condenser.finish();
      ASSERT_EQ(out, whole) << "cut at " << cut << " of " << log;
    }
    for (const std::size_t piece : {1UL, 2UL, 3UL, 50UL, 181UL, 1000UL})
      ASSERT_EQ(condensed(log, {}, piece), whole) << "pieces of " << piece << " of " << log;
  }
}

TEST(CondenserDifferential, LongLinesAreCutAlike) {
  for (const std::size_t size : {4000UL, 4095UL, 4096UL, 4097UL, 4098UL, 4099UL, 9000UL}) {
    const std::string warned = warning(2);
    std::string line = warned;
    line.insert(24, size - warned.size(), 'x');  // a host of that length
    const std::string log = spam(1) + "\n" + line + "\n\n" + line + "\n" + spam(3);
    const std::string whole = condensed(log);
    EXPECT_EQ(whole.find(line) == std::string::npos, size <= 4096) << size;
    for (const std::size_t piece : {1UL, 7UL, 4096UL, 4097UL})
      EXPECT_EQ(condensed(log, {}, piece), whole) << size << " in pieces of " << piece;
  }
}

TEST(CondenserDifferential, CondensingAgainChangesNothing) {
  std::mt19937 random(8);
  for (int round = 0; round < 150; ++round) {
    const std::string log = random_log(random, 60);
    for (const std::int64_t above : {0, 3}) {
      Options options;
      options.auto_above = above;
      options.keep = {"text that stays"};
      const std::string once = condensed(log, options);
      ASSERT_LE(once.size(), log.size());
      ASSERT_EQ(condensed(once, options), once) << log;
      ASSERT_EQ(condensed(log, options, 1), once) << log;
    }
  }
}

}  // namespace
}  // namespace abgate::condense
