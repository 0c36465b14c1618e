#include "served.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process_table.hpp"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434  // the same on every architecture
#endif

namespace abgate::process {

Served::Served(pid_t pid, Way way) : pid_(pid) {
  if (pid_ <= 0) return;
  if (way == Way::descriptor) {
    handle_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  }
  if (const auto process = read_process(pid_)) start_ = process->start;
}

bool Served::gone() const {
  if (pid_ <= 0) return false;
  if (handle_.open()) {
    pollfd polled{handle_.get(), POLLIN, 0};
    return ::poll(&polled, 1, 0) > 0;
  }
  // The number alone could be another process by now, and a zombie still has its number.
  const auto process = read_process(pid_);
  return !process || process->state == 'Z' || process->start != start_;
}

}  // namespace abgate::process
