#pragma once

#include <array>
#include <utility>

namespace abgate::process {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

/// Two connected descriptors, both close-on-exec and above 2, so that they can't be taken for
/// stdin, stdout or stderr when we were started with those closed.
struct Pair {
  Descriptor first;   ///< a pipe's reading end
  Descriptor second;  ///< a pipe's writing end
};
/// Both return false with errno set.
bool make_pipe(Pair& pair);
bool make_channel(Pair& pair);  ///< two-way, keeps message boundaries

void set_nonblocking(int fd);

/// The descriptors that a guard lives with.
using Kept = std::array<int, 5>;
/// Closes every descriptor but those. Safe between fork and exec.
void close_all_but(Kept keep);
/// What close_all_but does on kernels that have no close_range (before 5.9).
void close_listed_but(const Kept& keep);

}  // namespace abgate::process
