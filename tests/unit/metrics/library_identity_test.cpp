#include <string>

#include <gtest/gtest.h>

#include <abgate/base/hash.hpp>
#include <abgate/metrics/library_identity.hpp>

namespace abgate::metrics {
namespace {

using std::string_literals::operator""s;

LibraryIdentity read(const std::string& bytes, std::size_t piece = 1U << 20U) {
  LibraryReader reader;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(std::string_view(bytes).substr(at, piece));
  }
  return reader.finish();
}

const std::string library =
    "\x7f"
    "ELF\x02\x01\0\0some code\0"s +
    "RCCL version : %s-%s\0"s + "2.30.4\0"s + "develop:e711c9e\0"s +
    "/build/rccl/src/misc/api_trace.cc:517\0"s;

TEST(LibraryIdentity, JoinsTheHalvesThatStandApart) {
  const auto identity = read(library);
  EXPECT_EQ(identity.version, "2.30.4-develop:e711c9e");
  EXPECT_TRUE(identity.elf);
  EXPECT_FALSE(identity.kpack);
  EXPECT_EQ(identity.size, library.size());
  EXPECT_EQ(identity.sha256, hash::sha256(library));
}

TEST(LibraryIdentity, DoesNotDependOnWhereTheBytesAreCut) {
  for (std::size_t piece = 1; piece < 12; ++piece) {
    EXPECT_EQ(read(library, piece).version, "2.30.4-develop:e711c9e") << piece;
  }
}

TEST(LibraryIdentity, KeepsTheDirtyMark) {
  EXPECT_EQ(read("2.27.7\0HEAD:0d2c4fd+\0"s).version, "2.27.7-HEAD:0d2c4fd+");
}

TEST(LibraryIdentity, SeveralVersionNumbersLeaveTheHash) {
  EXPECT_EQ(read("2.30.4\0"
                 "7.2.0\0develop:e711c9e\0"s)
                .version,
            "develop:e711c9e");
}

TEST(LibraryIdentity, TwoHashesAreNoProof) {
  const auto identity = read("2.30.4\0develop:e711c9e\0other:0d2c4fd\0"s);
  EXPECT_EQ(identity.version, "");
  EXPECT_EQ(identity.ref_hashes.size(), 2U);
}

TEST(LibraryIdentity, NoIdentityInOtherFiles) {
  EXPECT_EQ(read("").version, "");
  EXPECT_EQ(read("hello world\n").version, "");
  EXPECT_EQ(read("path:abc\0x:123456\0"s).version, "");
  EXPECT_FALSE(read("text").elf);
}

TEST(LibraryIdentity, SeesThatKpackFilesAreNeeded) {
  EXPECT_TRUE(read(library + ".rocm_kpack_ref\0"s).kpack);
}

}  // namespace
}  // namespace abgate::metrics
