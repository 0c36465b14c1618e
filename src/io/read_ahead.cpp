#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include <unistd.h>

#include "file.hpp"

namespace abgate::io {
namespace {

/// A ring of blocks: one thread fills them, another one takes them, in order.
class Ring {
 public:
  /// Reads until the end, an error, or until nobody takes blocks any more.
  void fill(const File& file) {
    for (std::size_t next = 0;; next = (next + 1) % blocks_.size()) {
      Block& block = blocks_[next];
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return filled_ < blocks_.size(); });
      }
      const auto got = file.read(block.bytes.data(), block.bytes.size());
      const std::lock_guard lock(mutex_);
      if (!got) error_ = got.error();
      block.size = got ? *got : 0;
      ++filled_;
      changed_.notify_one();
      if (block.size == 0) return;
    }
  }

  Status<Error> take_all(const std::function<void(std::string_view)>& take) {
    for (std::size_t next = 0;; next = (next + 1) % blocks_.size()) {
      const Block& block = blocks_[next];
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return filled_ > 0; });
      }
      if (block.size == 0) break;
      take({block.bytes.data(), block.size});
      const std::lock_guard lock(mutex_);
      --filled_;
      changed_.notify_one();
    }
    if (error_) return Unexpected{*error_};
    return {};
  }

 private:
  struct Block {
    std::string bytes = std::string(block_size, '\0');
    std::size_t size = 0;  // 0: there is no more
  };
  std::array<Block, 4> blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t filled_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Status<Error> read_ahead(const File& file, const std::function<void(std::string_view)>& take) {
  ::posix_fadvise(file.fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
  Ring ring;
  std::thread reader([&] { ring.fill(file); });
  auto status = ring.take_all(take);
  reader.join();
  return status;
}

Status<Error> read_blocks_ahead(const std::string& path,
                                const std::function<void(std::string_view)>& take) {
  const auto file = File::open(path, O_RDONLY);
  if (!file) return Unexpected{file.error()};
  return read_ahead(*file, take);
}

Status<Error> read_stdin_blocks(const std::function<void(std::string_view)>& take) {
  const auto file = File::duplicate(STDIN_FILENO, "standard input");
  if (!file) return Unexpected{file.error()};
  return read_ahead(*file, take);
}

}  // namespace abgate::io
