#pragma once

#include <sys/types.h>

#include "descriptors.hpp"

namespace abgate::process {

/// Watches the process that we work for.
class Served {
 public:
  enum class Way { descriptor, start_time };
  /// `pid` 0: nobody. `way` is what is tried; kernels before 5.3 only have the start time.
  explicit Served(pid_t pid, Way way = Way::descriptor);
  /// Becomes readable when it ends; -1 when only `gone` can tell.
  int descriptor() const { return handle_.get(); }
  bool gone() const;

 private:
  pid_t pid_;
  Descriptor handle_;
  unsigned long long start_ = 0;
};

}  // namespace abgate::process
