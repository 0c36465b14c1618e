#include <array>
#include <cerrno>
#include <optional>

#include <zlib.h>
#include <zstd.h>

#include <abgate/io/range.hpp>

#include "file.hpp"

namespace abgate::io {
namespace {

using Take = std::function<void(std::string_view)>;

enum class Format { plain, gzip, zstd };

Format format_of(const std::string& path) {
  constexpr std::string_view gzip_magic = "\x1f\x8b";
  constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
  const bool named_gzip = path.ends_with(".gz");
  if (!named_gzip && !path.ends_with(".zst")) return Format::plain;
  const auto head = read_range(path, 0, zstd_magic.size());
  if (!head) return Format::plain;  // reading it will say why
  if (named_gzip) return head->starts_with(gzip_magic) ? Format::gzip : Format::plain;
  return head->starts_with(zstd_magic) ? Format::zstd : Format::plain;
}

/// Decompresses what it is fed; false once the bytes make no sense.
class Gunzip {
 public:
  Gunzip() { sound_ = ::inflateInit2(&stream_, gzip_window) == Z_OK; }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip() { ::inflateEnd(&stream_); }

  void feed(std::string_view bytes, const Take& take) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (sound_ && stream_.avail_in > 0) {
      if (at_end_) sound_ = ::inflateReset(&stream_) == Z_OK;  // another member follows
      at_end_ = false;
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      sound_ = status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
      at_end_ = status == Z_STREAM_END;
      const std::size_t size = out_.size() - stream_.avail_out;
      if (size > 0) take({out_.data(), size});
    }
  }
  bool complete() const { return sound_ && at_end_; }

 private:
  static constexpr int gzip_window = 15 + 16;  // zlib's way to ask for gzip
  z_stream stream_ = {};
  std::string out_ = std::string(block_size, '\0');
  bool sound_ = false;
  bool at_end_ = false;
};

class Unzstd {
 public:
  Unzstd() : stream_(::ZSTD_createDStream()), sound_(stream_ != nullptr) {}
  Unzstd(const Unzstd&) = delete;
  Unzstd& operator=(const Unzstd&) = delete;
  ~Unzstd() { ::ZSTD_freeDStream(stream_); }

  void feed(std::string_view bytes, const Take& take) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    bool more = true;
    while (sound_ && (in.pos < in.size || more)) {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      const std::size_t left = ::ZSTD_decompressStream(stream_, &out, &in);
      sound_ = ::ZSTD_isError(left) == 0U;
      at_end_ = left == 0;
      more = out.pos == out.size;  // there can be more than the buffer took
      if (out.pos > 0) take({out_.data(), out.pos});
    }
  }
  bool complete() const { return sound_ && at_end_; }

 private:
  ZSTD_DStream* stream_;
  bool sound_;
  std::string out_ = std::string(block_size, '\0');
  bool at_end_ = false;
};

template <class Decompressor>
Status<Error> read_with(const std::string& path, const char* name, const Take& take) {
  Decompressor decompressor;
  auto read = read_blocks(path, [&](std::string_view block) { decompressor.feed(block, take); });
  if (!read) return read;
  if (decompressor.complete()) return {};
  return failure(path, std::string("is damaged or cut as ") + name, EILSEQ);
}

}  // namespace

bool is_compressed(const std::string& path) {
  return format_of(path) != Format::plain;
}

Status<Error> read_text_blocks(const std::string& path, const Take& take) {
  switch (format_of(path)) {
    case Format::gzip:
      return read_with<Gunzip>(path, "gzip", take);
    case Format::zstd:
      return read_with<Unzstd>(path, "zstd", take);
    case Format::plain:
      break;
  }
  return read_blocks_ahead(path, take);
}

}  // namespace abgate::io
