#include <algorithm>
#include <list>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/metrics/log_scanner.hpp>

#include "iteration_line.hpp"
#include "line_finder.hpp"
#include "line_splitter.hpp"
#include "markers.hpp"
#include "rccl_lines.hpp"
#include "series_builder.hpp"

namespace abgate::metrics {
namespace {

constexpr std::size_t max_legs = 64;
constexpr std::size_t max_banners = 1000;
constexpr std::size_t max_transports = 200;

bool holds(std::string_view line, std::string_view needle) {
  return line.find(needle) != line.npos;
}

/// A leg's first line, `Running: <Model> - <precision> - <mode>`.
struct LegStart {
  std::string model;
  std::string precision;
};

bool is_word(std::string_view s) {
  return !s.empty() && s.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                           "0123456789._+-") == s.npos;
}

std::optional<LegStart> find_leg_start(std::string_view line) {
  constexpr std::string_view label = "Running: ";
  constexpr std::string_view separator = " - ";
  const std::size_t at = line.find(label);
  if (at == line.npos || (at > 0 && line[at - 1] != ' ')) return {};
  const std::string_view rest = text::trim(line.substr(at + label.size()));
  const std::size_t first = rest.find(separator);
  if (first == rest.npos) return {};
  const std::size_t second = rest.find(separator, first + separator.size());
  if (second == rest.npos) return {};
  LegStart start;
  start.model = rest.substr(0, first);
  const std::size_t begin = first + separator.size();
  const std::string_view precision = rest.substr(begin, second - begin);
  const std::string_view mode = rest.substr(second + separator.size());
  if (!is_word(start.model) || !is_word(precision) || !is_word(mode)) return {};
  for (const char c : precision)
    start.precision += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return start;
}

/// The whole number behind `label`, as in `MBS=2,`.
std::optional<std::int64_t> number_behind(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == line.npos) return {};
  const std::string_view rest = line.substr(at + label.size());
  return number::parse_integer(rest.substr(0, rest.find_first_not_of("0123456789")));
}

}  // namespace

class LogScanner::Impl {
 public:
  Impl(std::string file, std::string node_index)
      : file_(std::move(file)), node_index_(std::move(node_index)) {}

  void feed(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t last = splitter_.at_line_begin() ? bytes.rfind('\n') : bytes.npos;
      if (last != bytes.npos) {
        read_lines(bytes.substr(0, last + 1));
        bytes.remove_prefix(last + 1);
      } else {
        bytes.remove_prefix(split(bytes));
      }
    }
  }

  LogFindings finish() {
    splitter_.finish([this](std::string_view line, std::int64_t number, LineEnd end) {
      take_line(line, number, end);
    });
    findings_.lines = splitter_.lines();
    const std::string node = !findings_.host.empty() ? findings_.host : "node_" + node_index_;
    for (SeriesBuilder& leg : legs_) {
      if (leg.has_lines()) findings_.series.push_back(leg.finish(node));
    }
    findings_.markers = markers_.take();
    return std::move(findings_);
  }

 private:
  std::string file_;
  std::string node_index_;
  LineSplitter splitter_;
  LogFindings findings_;
  MarkerList markers_;
  std::list<SeriesBuilder> legs_;  ///< a list: `leg_` points into it
  SeriesBuilder* leg_ = nullptr;
  std::string precision_;

  /// Reads every line up to the first newline, or all bytes; returns how many these were.
  std::size_t split(std::string_view bytes) {
    bytes = bytes.substr(0, std::min(bytes.find('\n'), bytes.size() - 1) + 1);
    splitter_.feed(bytes, [this](std::string_view line, std::int64_t number, LineEnd end) {
      take_line(line, number, end);
    });
    return bytes.size();
  }

  /// Whole lines, nearly all of which say nothing: they are only counted. A piece is so small that
  /// no line in it is over the splitter's bound.
  void read_lines(std::string_view lines) {
    constexpr std::size_t piece_size = LineSplitter::bound / 2;
    while (!lines.empty()) {
      const std::size_t last = lines.substr(0, piece_size).rfind('\n');
      if (last != lines.npos) {
        read_piece(lines.substr(0, last + 1));
        lines.remove_prefix(last + 1);
      } else {
        lines.remove_prefix(split(lines));
      }
    }
  }

  void read_piece(std::string_view piece) {
    std::size_t counted = 0;
    std::size_t from = 0;
    while (const auto line = next_meaningful_line(piece, from)) {
      splitter_.skip(scan::count_newlines(piece.substr(counted, line->begin - counted)));
      counted = line->begin;
      take_line(piece.substr(line->begin, line->end - line->begin), splitter_.lines() + 1, {});
      from = line->end + 1;
    }
    splitter_.skip(scan::count_newlines(piece.substr(counted)));
  }

  void take_line(std::string_view line, std::int64_t number, LineEnd end) {
    if (end.overlong) ++findings_.overlong_lines;
    if (line.empty()) return;
    if (line.find('\x1b') != line.npos) {
      const std::string plain = text::strip_ansi(line);
      read_line(plain, {file_, number}, end);
    } else {
      read_line(line, {file_, number}, end);
    }
  }

  void read_line(std::string_view line, const Location& where, LineEnd end) {
    if (holds(line, "iteration ")) read_iteration(line, where, end);
    if (holds(line, "RCCL version")) read_banner(line, where);
    if (!findings_.banners.empty()) read_banner_fields(line);
    if (holds(line, "Running: ")) read_leg_start(line);
    if (holds(line, "Extracted MBS=")) read_batch(line);
    if (holds(line, "NET/")) read_transport(line, where);
    if (findings_.host.empty() && holds(line, "MACHINE NAME is ")) read_machine(line);
    read_marker(line, where);
  }

  SeriesBuilder* leg_for(const std::string& model, const std::string& precision) {
    for (SeriesBuilder& leg : legs_) {
      if (leg.model() == model && leg.precision() == precision) return &leg;
    }
    if (legs_.size() >= max_legs) return nullptr;
    return &legs_.emplace_back(model, precision);
  }

  void read_leg_start(std::string_view line) {
    const auto start = find_leg_start(line);
    if (!start) return;
    leg_ = leg_for(start->model, start->precision);
    precision_ = start->precision;
    if (leg_ != nullptr && leg_->has_lines()) leg_->restart();
    if (findings_.legs_started.size() < max_legs) findings_.legs_started.push_back(precision_);
  }

  void read_iteration(std::string_view line, const Location& where, LineEnd end) {
    IterationLine read = read_iteration_line(line, end.terminated && !end.overlong);
    if (read.kind == IterationKind::none) return;
    if (leg_ == nullptr) leg_ = leg_for("", "");
    if (leg_ == nullptr) return;
    if (read.kind == IterationKind::broken || end.overlong) {
      leg_->add_broken();
    } else {
      leg_->add(read, where);
    }
  }

  void read_batch(std::string_view line) {
    if (leg_ != nullptr) leg_->set_batch(number_behind(line, "MBS="), number_behind(line, "GBS="));
  }

  void read_banner(std::string_view line, const Location& where) {
    auto head = find_banner(line);
    if (!head) return;
    std::vector<RcclBanner>& banners = findings_.banners;
    // Past the bound only a build that was not seen yet is news.
    const auto same = [&](const RcclBanner& banner) { return banner.version == head->version; };
    if (banners.size() >= max_banners && std::any_of(banners.begin(), banners.end(), same)) return;
    if (banners.size() >= 2 * max_banners) return;
    banners.push_back(
        {where, node_index_, std::move(head->host), precision_, std::move(head->version), ""});
  }

  /// `Hostname` and `Librccl path` belong to the nearest banner that still lacks them: banners of
  /// several processes can be interleaved.
  void read_banner_fields(std::string_view line) {
    if (holds(line, "Hostname")) {
      if (auto host = find_banner_host(line)) set_field(&RcclBanner::host, std::move(*host));
    }
    if (holds(line, "Librccl path")) {
      if (auto path = find_banner_path(line)) set_field(&RcclBanner::path, std::move(*path));
    }
    if (findings_.host.empty()) findings_.host = findings_.banners.back().host;
  }

  void set_field(std::string RcclBanner::*field, std::string value) {
    constexpr int reach = 16;
    std::vector<RcclBanner>& banners = findings_.banners;
    int seen = 0;
    for (auto banner = banners.rbegin(); banner != banners.rend() && seen < reach; ++banner) {
      ++seen;
      if (!((*banner).*field).empty()) continue;
      (*banner).*field = std::move(value);
      return;
    }
  }

  void read_transport(std::string_view line, const Location& where) {
    auto kind = find_transport(line);
    if (!kind) return;
    // Past the bound only what was not seen yet, as sockets after many lines of IB.
    const bool known = std::any_of(findings_.transports.begin(), findings_.transports.end(),
                                   [&](const TransportLine& seen) {
                                     return seen.precision == precision_ && seen.kind == *kind;
                                   });
    if (findings_.transports.size() >= max_transports && known) return;
    if (findings_.transports.size() < 2 * max_transports) {
      findings_.transports.push_back({where, node_index_, precision_, std::move(*kind)});
    }
  }

  void read_machine(std::string_view line) {
    constexpr std::string_view label = "MACHINE NAME is ";
    const std::string_view name = text::trim(line.substr(line.find(label) + label.size()));
    if (is_word(name)) findings_.host = name;
  }

  void read_marker(std::string_view line, const Location& where) {
    const std::string_view kind = marker_kind(line);
    if (kind.empty()) return;
    if (kind == "profiler" && leg_ != nullptr) leg_->set_profiler();
    markers_.add({where, std::string(kind), "", precision_, node_index_}, line);
  }
};

LogScanner::LogScanner(std::string file, std::string node_index)
    : impl_(std::make_unique<Impl>(std::move(file), std::move(node_index))) {}

LogScanner::~LogScanner() = default;

void LogScanner::feed(std::string_view bytes) {
  impl_->feed(bytes);
}

LogFindings LogScanner::finish() {
  return impl_->finish();
}

std::vector<std::string> texts_that_count() {
  return meaningful_texts();
}

std::optional<Iteration> parse_iteration_line(std::string_view line) {
  const std::string plain = text::strip_ansi(line);
  IterationLine read = read_iteration_line(text::trim(plain), true);
  if (read.kind != IterationKind::whole) return {};
  return std::move(read.iteration);
}

}  // namespace abgate::metrics
