#include "descriptors.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436  // the same on every architecture
#endif

namespace abgate::process {
namespace {

bool move_above_stdio(Descriptor& descriptor) {
  if (descriptor.get() > STDERR_FILENO) return true;
  Descriptor moved(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  descriptor = std::move(moved);
  return descriptor.open();
}

bool take(Pair& pair, const std::array<int, 2>& ends) {
  pair = Pair{Descriptor(ends[0]), Descriptor(ends[1])};
  return move_above_stdio(pair.first) && move_above_stdio(pair.second);
}

bool close_range_from(int first, unsigned last) {
  return ::syscall(SYS_close_range, static_cast<unsigned>(first), last, 0U) == 0;
}

bool is_kept(const Kept& keep, int fd) {
  return std::find(keep.begin(), keep.end(), fd) != keep.end();
}

/// The layout in which the kernel writes directory entries; glibc does not declare it.
struct KernelEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];  // NOLINT(*-avoid-c-arrays): the layout is the kernel's
};

}  // namespace

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool make_pipe(Pair& pair) {
  std::array<int, 2> ends{};
  return ::pipe2(ends.data(), O_CLOEXEC) == 0 && take(pair, ends);
}

bool make_channel(Pair& pair) {
  std::array<int, 2> ends{};
  return ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0 &&
         take(pair, ends);
}

void set_nonblocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);  // NOLINT(*-signed-bitwise)
}

void close_listed_but(const Kept& keep) {
  // opendir allocates, which is not allowed between fork and exec; so the kernel is asked directly.
  const int folder = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    const long limit = ::sysconf(_SC_OPEN_MAX);
    for (int fd = 0; fd < limit; ++fd) {
      if (!is_kept(keep, fd)) ::close(fd);
    }
    return;
  }
  alignas(KernelEntry) std::array<char, 4096> block{};
  // Closing while listing can make the kernel skip entries: repeat until nothing is closed.
  for (bool closed_one = true; closed_one;) {
    closed_one = false;
    ::lseek(folder, 0, SEEK_SET);
    long got = 0;
    while ((got = ::syscall(SYS_getdents64, folder, block.data(), block.size())) > 0) {
      for (long at = 0; at < got;) {
        const char* start = block.data() + at;
        std::uint16_t length = 0;
        std::memcpy(&length, start + offsetof(KernelEntry, length), sizeof length);
        const char* name = start + offsetof(KernelEntry, name);
        int fd = -1;
        const auto parsed = std::from_chars(name, name + std::strlen(name), fd);
        if (parsed.ec == std::errc() && fd != folder && !is_kept(keep, fd)) {
          ::close(fd);
          closed_one = true;
        }
        at += length;
      }
    }
  }
  ::close(folder);
}

void close_all_but(Kept keep) {
  std::sort(keep.begin(), keep.end());
  int first = 0;
  for (const int fd : keep) {
    if (fd > first && !close_range_from(first, static_cast<unsigned>(fd - 1))) {
      close_listed_but(keep);
      return;
    }
    first = fd + 1;
  }
  if (!close_range_from(first, UINT_MAX)) close_listed_but(keep);
}

}  // namespace abgate::process
