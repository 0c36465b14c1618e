#include <optional>
#include <utility>

#include <abgate/base/scan.hpp>
#include <abgate/condense/condense.hpp>

#include "auto_kinds.hpp"
#include "pattern.hpp"
#include "run.hpp"

namespace abgate::condense {
namespace {

constexpr std::size_t npos = std::string_view::npos;

/// A kind that is given as a pattern, and the lines of it that came last.
class PatternKind {
 public:
  explicit PatternKind(Kind kind) : name_(std::move(kind.name)), pattern_(kind.pattern) {}

  const std::string& name() const { return name_; }
  const std::string& literal() const { return pattern_.longest_literal(); }

  bool matches(std::string_view line, Fields& fields) {
    for (const Template& known : templates_) {
      if (known.size() != line.size() || !known.matches(line.data())) continue;
      fields = known.fields_of(line.data());
      return true;
    }
    std::string digit_at;
    if (!pattern_.matches(line, fields, &digit_at)) return false;
    if (line.size() < Template::shortest) return true;
    if (templates_.size() < most_templates) {
      current_ = templates_.size();
      templates_.emplace_back(line, std::move(digit_at), fields);
    } else {
      current_ = (current_ + 1) % most_templates;
      templates_[current_] = Template(line, std::move(digit_at), fields);
    }
    return true;
  }

  /// The template of the line that begins at `at` and ends in a newline inside of the text.
  const Template* known(std::string_view text, std::size_t at) {
    for (std::size_t tries = 0; tries < templates_.size(); ++tries) {
      const Template& known = templates_[current_];
      const std::size_t end = at + known.size();
      if (end < text.size() && text[end] == '\n' && known.matches(text.data() + at)) return &known;
      current_ = (current_ + 1) % templates_.size();
    }
    return nullptr;
  }

  bool first() { return !std::exchange(seen_, true); }

 private:
  static constexpr std::size_t most_templates = 8;
  std::string name_;
  Pattern pattern_;
  std::vector<Template> templates_;
  std::size_t current_ = 0;
  bool seen_ = false;
};

/// The begin of the empty line that ends before `at`, or `at`; nothing before `from` counts.
std::size_t before_empty_line(std::string_view text, std::size_t from, std::size_t at) {
  if (at <= from || text[at - 1] != '\n') return at;
  std::size_t begin = at - 1;
  if (begin > from && text[begin - 1] == '\r') --begin;
  return begin == from || text[begin - 1] == '\n' ? begin : at;
}

}  // namespace

class Condenser::Impl {
 public:
  Impl(Options options, Sink sink) : sink_(std::move(sink)), auto_above_(options.auto_above) {
    std::vector<std::string> literals;
    for (Kind& kind : options.kinds) {
      if (!problem_of(kind).empty()) continue;
      literals.push_back(kinds_.emplace_back(std::move(kind)).literal());
    }
    if (!literals.empty()) literals_.emplace(std::move(literals));
    if (auto_above_ > 0) auto_kinds_.emplace(options.keep);
  }

  void feed(std::string_view bytes) {
    totals_.bytes_in += bytes.size();
    while (!bytes.empty()) {
      if (passing_) {
        pass(bytes);
      } else if (!carry_.empty()) {
        complete(bytes);
      } else {
        const std::size_t last = bytes.rfind('\n');
        if (last == npos) return hold(bytes);
        const std::string_view lines = bytes.substr(0, last + 1);
        const std::size_t taken = take_lines(lines);
        bytes.remove_prefix(taken);
        // What is left over begins with an empty line, which may belong to what comes.
        if (taken <= last) return hold(bytes);
      }
    }
  }

  Totals finish() {
    keep(carry_);
    end_run();
    flush();
    return totals_;
  }

 private:
  static constexpr std::size_t longest_carry = longest_line + 3;  // with an empty line before
  static constexpr std::size_t buffer_size = std::size_t{64} * 1024;
  static constexpr std::size_t large_piece = 4096;  // goes out without a copy

  Sink sink_;
  std::int64_t auto_above_;
  std::vector<PatternKind> kinds_;
  std::optional<scan::NeedleSet> literals_;
  std::optional<AutoKinds> auto_kinds_;
  std::string carry_;     // an empty line, or the begin of a line with the empty one before it
  bool passing_ = false;  // inside of a line that is too long for every kind
  Run run_;
  std::size_t run_kind_ = 0;  // of a kind in kinds_, or behind them one of auto_kinds_
  std::string auto_name_;
  std::string buffer_;
  Totals totals_;

  void pass(std::string_view& bytes) {
    const std::size_t newline = bytes.find('\n');
    passing_ = newline == npos;
    const std::string_view part = bytes.substr(0, passing_ ? npos : newline + 1);
    keep(part);
    bytes.remove_prefix(part.size());
  }

  void hold(std::string_view bytes) {
    if (carry_.size() + bytes.size() <= longest_carry) {
      carry_ += bytes;
      return;
    }
    // The begin of a line without a newline; an empty line before it has one.
    keep(carry_);
    carry_.clear();
    keep(bytes);
    passing_ = true;
  }

  /// Takes bytes until the line that is held back is whole.
  void complete(std::string_view& bytes) {
    const std::size_t newline = bytes.find('\n');
    const std::string_view part = bytes.substr(0, newline == npos ? npos : newline + 1);
    if (carry_.size() + part.size() > longest_carry) {
      keep(carry_);
      carry_.clear();
      passing_ = true;
      return;
    }
    carry_ += part;
    bytes.remove_prefix(part.size());
    if (newline != npos) carry_.erase(0, take_lines(carry_));
  }

  /// Takes whole lines; returns how many bytes it took. Only an empty line at the end is left.
  std::size_t take_lines(std::string_view text) {
    std::size_t kept = 0;  // from here on nothing was written yet
    std::size_t at = 0;
    while (at < text.size()) {
      if (run_.open() && kept == at) kept = at = skip_run(text, at);
      const std::size_t begin = next_candidate(text, at);
      if (begin == npos) break;
      const std::size_t end = text.find('\n', begin);
      const std::size_t unit = before_empty_line(text, kept, begin);
      Fields fields;
      at = end + 1;
      if (!is_repeat(text.substr(begin, end - begin), fields)) continue;
      keep(text.substr(kept, unit - kept));
      fold(text.substr(unit, at - unit), fields);
      kept = at;
    }
    const std::size_t rest = before_empty_line(text, kept, text.size());
    keep(text.substr(kept, rest - kept));
    return rest;
  }

  /// The begin of the next line, from the one at `at` on, that may be of a kind.
  std::size_t next_candidate(std::string_view text, std::size_t at) const {
    if (at >= text.size()) return npos;
    if (auto_kinds_) {
      while (at < text.size() && text[at] == '\n')
        ++at;
      return at < text.size() ? at : npos;
    }
    if (!literals_) return npos;
    const std::size_t inside = literals_->find(text, at);
    if (inside == npos) return npos;
    const std::size_t newline = text.rfind('\n', inside);
    return newline == npos || newline < at ? at : newline + 1;
  }

  /// Lines of the run's kind that look like one of the last ones.
  std::size_t skip_run(std::string_view text, std::size_t at) {
    if (run_kind_ >= kinds_.size()) return at;
    PatternKind& kind = kinds_[run_kind_];
    const Template* last = nullptr;
    const char* last_line = nullptr;
    while (at < text.size()) {
      const std::size_t line = text[at] == '\n' ? at + 1 : at;
      const Template* known = kind.known(text, line);
      if (known == nullptr) break;
      if (known != last && known->has_host()) run_.add_host(known->host_hash());
      last = known;
      last_line = text.data() + line;
      if (known->has_pid()) run_.add_rank(known->rank_hash(last_line));
      const std::size_t end = line + known->size() + 1;
      run_.add(text.substr(at, end - at));
      at = end;
    }
    if (last != nullptr) run_.add_time(last->fields_of(last_line).time);
    return at;
  }

  /// Whether the line is of a kind whose first lines were kept; opens a run of it.
  bool is_repeat(std::string_view line, Fields& fields) {
    if (line.size() > longest_line || line.starts_with(fold_mark)) return false;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (!kinds_[i].matches(line, fields)) continue;
      if (kinds_[i].first()) return false;
      open_run(i);
      return true;
    }
    if (!auto_kinds_ || line.empty() || line == "\r") return false;
    const auto found = auto_kinds_->take(line);
    if (!found || found->seen <= static_cast<std::uint64_t>(auto_above_)) return false;
    if (open_run(kinds_.size() + found->kind)) auto_name_ = auto_kinds_->name();
    fields = found->fields;
    return true;
  }

  /// True when it is another run than before.
  bool open_run(std::size_t kind) {
    if (run_.open() && run_kind_ == kind) return false;
    end_run();
    run_kind_ = kind;
    return true;
  }

  void fold(std::string_view unit, const Fields& fields) {
    run_.add(unit);
    run_.add_time(fields.time);
    const std::uint64_t host = hash_of(fields.host, 0);
    if (!fields.host.empty()) run_.add_host(host);
    if (!fields.pid.empty()) run_.add_rank(hash_of(fields.pid, host));
  }

  void end_run() {
    if (!run_.open()) return;
    const std::uint64_t count = run_.count();
    bool folded = false;
    write(run_.close(run_kind_ < kinds_.size() ? kinds_[run_kind_].name() : auto_name_, folded));
    if (!folded) return;
    totals_.lines_folded += count;
    ++totals_.runs;
  }

  void keep(std::string_view bytes) {
    if (bytes.empty()) return;
    end_run();
    write(bytes);
  }

  void write(std::string_view bytes) {
    totals_.bytes_out += bytes.size();
    if (bytes.size() >= large_piece) {
      flush();
      sink_(bytes);
      return;
    }
    buffer_ += bytes;
    if (buffer_.size() >= buffer_size) flush();
  }

  void flush() {
    if (!buffer_.empty()) sink_(buffer_);
    buffer_.clear();
  }
};

Totals& Totals::operator+=(const Totals& other) {
  bytes_in += other.bytes_in;
  bytes_out += other.bytes_out;
  lines_folded += other.lines_folded;
  runs += other.runs;
  return *this;
}

Condenser::Condenser(Options options, Sink sink)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(sink))) {}

Condenser::~Condenser() = default;

void Condenser::feed(std::string_view bytes) {
  impl_->feed(bytes);
}

Totals Condenser::finish() {
  return impl_->finish();
}

}  // namespace abgate::condense
