#include <string>

#include <gtest/gtest.h>

#include <abgate/base/hash.hpp>

namespace abgate::hash {
namespace {

TEST(Sha256, KnownVectors) {
  // FIPS 180-2, appendix B, and the empty text.
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheSameSum) {
  const std::string text(1000, 'x');
  for (const std::size_t piece : {1U, 63U, 64U, 65U, 999U}) {
    Sha256 sum;
    for (std::size_t i = 0; i < text.size(); i += piece)
      sum.update(std::string_view(text).substr(i, piece));
    EXPECT_EQ(sum.hex_digest(), sha256(text)) << piece;
  }
}

TEST(Sha256, NulBytesCount) {
  EXPECT_NE(sha256(std::string("a\0b", 3)), sha256("a"));
}

}  // namespace
}  // namespace abgate::hash
