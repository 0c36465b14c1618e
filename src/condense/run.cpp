#include "run.hpp"

#include <iterator>

#include <fmt/format.h>

namespace abgate::condense {
namespace {

void write_count(std::string& out, const Distinct& seen, std::string_view what) {
  if (seen.count() == 0) return;
  fmt::format_to(std::back_inserter(out), ", {}{} {}{}", seen.full() ? "more than " : "",
                 seen.count(), what, seen.count() == 1 ? "" : "s");
}

}  // namespace

void Run::add_time(std::string_view time) {
  if (time.empty()) return;
  time = time.substr(0, longest_time);
  if (first_time_.empty()) first_time_ = time;
  last_time_ = time;
}

std::string_view Run::close(std::string_view kind_name, bool& folded) {
  out_.clear();
  fmt::format_to(std::back_inserter(out_), "{}{} {} of {}", fold_mark, count_,
                 count_ == 1 ? "line" : "lines", kind_name);
  if (!first_time_.empty()) {
    fmt::format_to(std::back_inserter(out_), " from {} to {}", first_time_, last_time_);
  }
  write_count(out_, hosts_, "host");
  write_count(out_, ranks_, "rank");
  out_ += '\n';
  folded = out_.size() < bytes_;
  if (!folded) out_ = raw_;
  count_ = 0;
  bytes_ = 0;
  raw_.clear();
  first_time_.clear();
  last_time_.clear();
  hosts_.clear();
  ranks_.clear();
  return out_;
}

}  // namespace abgate::condense
