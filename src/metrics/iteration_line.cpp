#include "iteration_line.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::metrics {
namespace {

constexpr std::string_view keyword = "iteration";
constexpr std::string_view decimal_digits = "0123456789";

using text::is_digit;

/// Where `iteration k/N` stands in a line.
struct Counter {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view k;
  std::string_view total;
};

std::string_view take_digits(std::string_view s, std::size_t& at) {
  at = std::min(s.find_first_not_of(" \t", at), s.size());
  const std::size_t end = std::min(s.find_first_not_of(decimal_digits, at), s.size());
  const std::string_view digits = s.substr(at, end - at);
  at = end;
  return digits;
}

/// The next `iteration <digits>/<digits>`; `elapsed time per iteration (ms)` is none.
std::optional<Counter> find_counter(std::string_view line, std::size_t from) {
  for (std::size_t at = line.find(keyword, from); at != std::string_view::npos;
       at = line.find(keyword, at + 1)) {
    Counter counter;
    counter.begin = at;
    counter.end = at + keyword.size();
    counter.k = take_digits(line, counter.end);
    if (counter.k.empty()) continue;
    counter.end = std::min(line.find_first_not_of(" \t", counter.end), line.size());
    if (counter.end >= line.size() || line[counter.end] != '/') continue;
    ++counter.end;
    counter.total = take_digits(line, counter.end);
    return counter;
  }
  return {};
}

/// A printed number. Megatron prints NaN and inf, and so may a value that does not fit a double.
struct Number {
  bool readable = false;
  std::optional<double> finite;
};

Number read_number(std::string_view s) {
  s = text::trim(s);
  const std::string lower = text::to_lower(s.substr(s.starts_with('-') ? 1 : 0));
  if (lower == "nan" || lower == "inf" || lower == "infinity") return {true, {}};
  // A number that was cut ends in a point, a sign or an `E`.
  if (s.empty() || !is_digit(s.back()) || s.find_first_not_of("0123456789+-.eE") != s.npos) {
    return {};
  }
  if (const auto value = number::parse_finite(s)) return {true, value};
  const bool overflow = s.find_first_of("eE") != s.npos && is_digit(s.front());
  return {overflow, {}};
}

std::optional<double> positive(const std::optional<double>& value) {
  return value && *value > 0 ? value : std::nullopt;
}

/// `x`, `x/y` or `x (avg y)`.
struct Pair {
  bool readable = false;
  std::optional<double> instant;
  std::optional<double> average;
  std::string form;       ///< `i`, `i/a`, `i(a)`
  std::string_view last;  ///< the last number as written; empty when a `)` closes it
};

Pair read_pair(std::string_view value) {
  constexpr std::string_view average_mark = "(avg ";
  Pair pair;
  std::string_view first = value;
  std::string_view second;
  if (const std::size_t slash = value.find('/'); slash != value.npos) {
    pair.form = "i/a";
    first = value.substr(0, slash);
    second = value.substr(slash + 1);
    pair.last = text::trim(second);
  } else if (const std::size_t mark = value.find(average_mark); mark != value.npos) {
    if (!value.ends_with(')')) return pair;
    pair.form = "i(a)";
    first = value.substr(0, mark);
    second = value.substr(mark + average_mark.size());
    second.remove_suffix(1);
  } else {
    pair.form = "i";
    pair.last = text::trim(value);
  }
  const Number instant = read_number(first);
  const Number average = read_number(second);
  // The instantaneous value is what is measured: without a sane one the line is worth nothing.
  pair.instant = positive(instant.finite);
  pair.average = positive(average.finite);
  pair.readable = pair.instant && (pair.form == "i" || average.readable);
  return pair;
}

/// `182.60GB` in GB; MB, KB, TB and their binary names are converted. Primus divides by 1024^3 and
/// writes GB, so that GB and GiB are one unit here.
std::optional<double> read_gigabytes(std::string_view s) {
  struct Unit {
    std::string_view name;
    double factor;
  };
  constexpr std::array<Unit, 8> units = {{{"GiB", 1},
                                          {"GB", 1},
                                          {"MiB", 1.0 / 1024},
                                          {"MB", 1.0 / 1024},
                                          {"TiB", 1024},
                                          {"TB", 1024},
                                          {"KiB", 1.0 / (1024 * 1024)},
                                          {"KB", 1.0 / (1024 * 1024)}}};
  s = text::trim(s);
  for (const Unit& unit : units) {
    if (!s.ends_with(unit.name)) continue;
    const Number number = read_number(s.substr(0, s.size() - unit.name.size()));
    if (!number.finite || *number.finite < 0) return {};
    return *number.finite * unit.factor;
  }
  return {};
}

/// How a number is written behind its point, so that a cut one can be told from its neighbours.
std::string format_of(std::string_view number) {
  const std::size_t point = number.rfind('.');
  if (point == number.npos) return "9";
  std::string format(number.substr(point));
  for (char& c : format) {
    if (is_digit(c)) c = '9';
    if (c == '-') c = '+';
  }
  return format;
}

/// Some labels name a rank that differs from line to line: `rank-3 rocm max mem usage`.
std::string without_digits(std::string label) {
  std::erase_if(label, is_digit);
  return label;
}

/// Reads the segments of one line into an Iteration.
class SegmentReader {
 public:
  explicit SegmentReader(IterationLine& line) : line_(line), it_(line.iteration) {}

  /// False: the line is broken.
  bool read(std::string_view rest, bool terminated) {
    std::vector<std::string_view> segments = text::split(rest, '|');
    const bool ends_in_bar = segments.size() > 1 && text::trim(segments.back()).empty();
    if (ends_in_bar) segments.pop_back();
    for (const std::string_view segment : segments) {
      if (!read_segment(text::trim(segment))) return false;
    }
    line_.closed = line_.closed || ends_in_bar;
    return it_.elapsed_ms.has_value() && (line_.closed || (terminated && tail_is_whole()));
  }

 private:
  IterationLine& line_;
  Iteration& it_;
  std::vector<std::string> labels_;
  bool measured_tail_ = false;
  std::string_view tail_;

  bool read_segment(std::string_view segment) {
    const std::size_t colon = segment.find(':');
    if (colon == segment.npos) return false;
    const std::string label(text::trim(segment.substr(0, colon)));
    const std::string_view value = text::trim(segment.substr(colon + 1));
    // A label that comes twice means that two lines ran into one.
    if (value.empty() || std::find(labels_.begin(), labels_.end(), label) != labels_.end()) {
      return false;
    }
    labels_.push_back(label);
    line_.last_label = without_digits(label);
    line_.closed = false;
    measured_tail_ = false;
    tail_ = value;
    return read_value(label, value);
  }

  bool read_value(const std::string& label, std::string_view value) {
    if (label == "elapsed time per iteration (ms)") {
      return read_measured(value, "elapsed", it_.elapsed_ms, nullptr);
    }
    if (label == "throughput per GPU (TFLOP/s/GPU)") {
      return read_measured(value, "throughput", it_.tflops, &it_.tflops_average);
    }
    if (label == "compute per GPU (TFLOP/s/GPU)") {
      return read_measured(value, "compute", it_.tflops, &it_.tflops_average);
    }
    if (label == "tokens per GPU (tokens/s/GPU)") {
      return read_measured(value, "tokens", it_.tokens, &it_.tokens_average);
    }
    if (label == "tokens/s/GPU inst/harmonic mean") {
      return read_measured(value, "tokens-harmonic", it_.tokens, &it_.tokens_average);
    }
    if (label == "lm loss") return read_plain(value, "loss", it_.loss, it_.loss_present);
    if (label == "grad norm")
      return read_plain(value, "grad", it_.grad_norm, it_.grad_norm_present);
    if (label == "global batch size") return read_count(value, "batch", it_.global_batch_size);
    if (label == "number of skipped iterations") return read_count(value, "skipped", it_.skipped);
    if (label == "number of nan iterations") return read_count(value, "nan", it_.nan);
    if (label.ends_with("mem usage/free/total/usage_ratio")) return read_memory(label, value);
    return read_unknown(value);
  }

  void add_shape(std::string_view part) {
    if (!it_.shape.empty()) it_.shape += '|';
    it_.shape += part;
  }

  bool read_measured(std::string_view value, std::string_view name, std::optional<double>& instant,
                     std::optional<double>* average) {
    const Pair pair = read_pair(value);
    if (!pair.readable || instant) return false;
    instant = pair.instant;
    if (average != nullptr) *average = pair.average;
    add_shape(std::string(name) + ":" + pair.form);
    tail_ = pair.last;
    measured_tail_ = true;
    line_.closed = pair.last.empty();
    return true;
  }

  bool read_plain(std::string_view value, std::string_view name, std::optional<double>& out,
                  bool& present) {
    const Number number = read_number(value);
    present = true;
    out = number.finite;
    add_shape(name);
    return number.readable;
  }

  bool read_count(std::string_view value, std::string_view name, std::optional<std::int64_t>& out) {
    out = number::parse_integer(value);
    add_shape(name);
    return out && *out >= 0;
  }

  /// `182.60GB/105.40GB/288.00GB/63.40%`; the device's own figure (`hip`) wins over SMI's (`rocm`).
  bool read_memory(std::string_view label, std::string_view value) {
    const std::vector<std::string_view> parts = text::split(value, '/');
    if (parts.size() != 4 || !parts[3].ends_with('%')) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!read_gigabytes(parts[i])) return false;
    }
    if (!read_number(parts[3].substr(0, parts[3].size() - 1)).readable) return false;
    const bool hip = label.starts_with("hip");
    if (hip || !it_.peak_hbm_gb) it_.peak_hbm_gb = read_gigabytes(parts[0]);
    add_shape(hip ? "hbm" : "hbm-rocm");
    line_.closed = true;
    return true;
  }

  /// A segment that means nothing to us: text with blanks in it is something glued to the line.
  bool read_unknown(std::string_view value) {
    line_.closed = value.ends_with('%') || value.ends_with(')');
    return value.substr(0, value.find(" (")).find_first_of(" \t") == value.npos;
  }

  /// The last number of a line that ends in a number. Measured values are always printed with a
  /// fraction, so one without is cut.
  bool tail_is_whole() {
    if (measured_tail_ && tail_.find('.') == tail_.npos) return false;
    const Number number = read_number(tail_);
    line_.last_format = number.readable && !number.finite ? "" : format_of(tail_);
    return true;
  }
};

}  // namespace

IterationLine read_iteration_line(std::string_view line, bool terminated) {
  IterationLine out;
  const auto counter = find_counter(line, 0);
  if (!counter) return out;
  std::string_view rest = text::trim(line.substr(counter->end));
  if (!rest.empty() && !rest.starts_with('|')) return out;  // prose that names an iteration
  out.kind = IterationKind::broken;
  const auto k = number::parse_integer(counter->k);
  const auto total = number::parse_integer(counter->total);
  if (rest.empty() || !k || !total || *k < 1 || *k > *total) return out;
  if (find_counter(line, counter->end)) return out;  // a second line is glued behind
  rest.remove_prefix(1);
  out.iteration.k = *k;
  out.iteration.total = *total;
  out.body = text::trim(line.substr(counter->begin));
  if (SegmentReader(out).read(rest, terminated)) out.kind = IterationKind::whole;
  return out;
}

}  // namespace abgate::metrics
