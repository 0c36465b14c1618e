#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "support.hpp"

namespace abgate::io {
namespace {

/// A text of several blocks that compresses well but not to nothing.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 120000; ++i)
    text += std::to_string(i * 7919) + " line\n";
  return text;
}

std::string gzipped(const std::string& text) {
  z_stream stream = {};
  constexpr int gzip_window = 15 + 16;
  EXPECT_EQ(::deflateInit2(&stream, 6, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(::deflateBound(&stream, text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

std::string zstd_compressed(const std::string& text) {
  std::string out(::ZSTD_compressBound(text.size()), '\0');
  out.resize(::ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

class TextBlocks : public testing::Test {
 protected:
  /// What is read of a file of that name and content, and what was said.
  std::pair<std::string, std::string> read(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ / name;
    put(path, bytes);
    std::string text;
    const auto status = read_text_blocks(path, [&](std::string_view block) { text.append(block); });
    return {text, said(status)};
  }
  using Read = std::pair<std::string, std::string>;
  ScratchFolder folder_;
};

TEST_F(TextBlocks, PlainTextIsReadAsItIs) {
  EXPECT_EQ(read("a.log", long_text()), Read(long_text(), "ok"));
  EXPECT_EQ(read("empty.log", ""), Read("", "ok"));
  EXPECT_EQ(read("empty.gz", ""), Read("", "ok"));
  EXPECT_EQ(read("plain.gz", "no gzip at all\n"), Read("no gzip at all\n", "ok"));
  EXPECT_EQ(read("gzip.log", gzipped("x")), Read(gzipped("x"), "ok"));
}

TEST_F(TextBlocks, CompressedTextIsDecompressed) {
  EXPECT_EQ(read("a.log.gz", gzipped(long_text())), Read(long_text(), "ok"));
  EXPECT_EQ(read("a.log.zst", zstd_compressed(long_text())), Read(long_text(), "ok"));
  EXPECT_TRUE(is_compressed(folder_ / "a.log.gz"));
  EXPECT_TRUE(is_compressed(folder_ / "a.log.zst"));
}

TEST_F(TextBlocks, PartsThatWereAppendedAreOneText) {
  EXPECT_EQ(read("a.gz", gzipped("one\n") + gzipped("two\n")), Read("one\ntwo\n", "ok"));
  EXPECT_EQ(read("a.zst", zstd_compressed("one\n") + zstd_compressed("two\n")),
            Read("one\ntwo\n", "ok"));
}

TEST_F(TextBlocks, WhatIsCutOrDamagedIsAnErrorBehindWhatCouldBeRead) {
  const std::string text = long_text();
  for (const auto& [name, whole] :
       {std::pair("a.gz", gzipped(text)), std::pair("a.zst", zstd_compressed(text))}) {
    const Read cut = read(name, whole.substr(0, whole.size() / 2));
    EXPECT_NE(cut.second.find("damaged or cut"), std::string::npos) << name;
    EXPECT_FALSE(cut.first.empty());
    EXPECT_TRUE(text.starts_with(cut.first)) << name;
    std::string broken = whole;
    for (std::size_t i = broken.size() / 2; i < broken.size() / 2 + 40; ++i)
      broken[i] = static_cast<char>(i * 31);
    EXPECT_NE(read(name, broken).second, "ok") << name;
  }
}

TEST_F(TextBlocks, ReadingAheadGivesTheSameBlocks) {
  const std::string path = folder_ / "a.log";
  put(path, long_text());
  std::string text;
  EXPECT_EQ(said(read_blocks_ahead(path, [&](std::string_view block) { text += block; })), "ok");
  EXPECT_EQ(text, long_text());
  EXPECT_NE(said(read_blocks_ahead(folder_ / "none", [](std::string_view) {})), "ok");
  EXPECT_EQ(said(read_blocks_ahead(folder_.path(), [](std::string_view) {})),
            "could not be read: Is a directory");
}

}  // namespace
}  // namespace abgate::io
