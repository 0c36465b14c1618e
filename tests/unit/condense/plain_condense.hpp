#pragma once

#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace abgate::condense {

/// What the condenser does, line by line and as slow as it is plain: the shipped kinds only.
class PlainCondenser {
 public:
  std::string condense(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const std::size_t newline = text.find('\n');
      if (newline == text.npos) {
        end_run(out);
        return out += blank_ + std::string(text);
      }
      take(text.substr(0, newline + 1), out);
      text.remove_prefix(newline + 1);
    }
    if (!blank_.empty()) end_run(out);
    out += blank_;
    end_run(out);
    return out;
  }

 private:
  std::string blank_;  // an empty line that may go with the next one
  std::string run_;    // the lines that are being folded
  int kind_ = 0;
  int count_ = 0;
  std::string first_, last_;
  std::set<std::string> hosts_, ranks_;
  std::set<int> seen_;

  void take(std::string_view line, std::string& out) {
    static const std::regex warning(
        R"(\[([-0-9:./,+TZ ]+)\] ([!-9;-~\x80-\xff]+):([0-9]+):[0-9]+ \[[0-9]+\] )"
        R"([!-9;-~\x80-\xff]+:[0-9]+ NCCL WARN Please note that )"
        R"((ncclAllToAllv is deprecated, please use ncclAlltoAllv|)"
        R"(ncclAllToAll is deprecated, please use ncclAlltoAll) instead\r?\n)");
    const std::string text(line);
    if (text == "\n" || text == "\r\n") {
      if (!blank_.empty()) end_run(out);
      out += std::exchange(blank_, text);
      return;
    }
    std::smatch found;
    const bool spam = text.size() <= 4097 && std::regex_match(text, found, warning);
    const int kind = spam ? (found[4].str().find("AllToAllv") != std::string::npos ? 1 : 2) : 0;
    if (!spam || seen_.insert(kind).second) {
      end_run(out);
      out += std::exchange(blank_, "") + text;
      return;
    }
    if (kind != kind_) end_run(out);
    kind_ = kind;
    run_ += std::exchange(blank_, "") + text;
    if (count_++ == 0) first_ = found[1];
    last_ = found[1];
    hosts_.insert(found[2]);
    ranks_.insert(found[2].str() + ":" + found[3].str());
  }

  void end_run(std::string& out) {
    if (count_ == 0) return;
    const auto s = [](std::size_t n) { return n == 1 ? "" : "s"; };
    const std::string fold = fmt::format(
        "[abgate] folded {} line{} of {} from {} to {}, {} host{}, {} rank{}\n", count_,
        s(static_cast<std::size_t>(count_)), kind_ == 1 ? "rccl-alltoallv" : "rccl-alltoall",
        first_.substr(0, 40), last_.substr(0, 40), hosts_.size(), s(hosts_.size()), ranks_.size(),
        s(ranks_.size()));
    out += fold.size() < run_.size() ? fold : run_;
    run_.clear();
    count_ = 0;
    hosts_.clear();
    ranks_.clear();
  }
};

}  // namespace abgate::condense
